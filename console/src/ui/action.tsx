import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import type { Right } from '../door/session.ts'
import { useTenant } from '../door/tenant.tsx'
import { t } from '../strings.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { showRefused } from './refused-fields.ts'
import { Failed } from './states.tsx'
import { sentenceText } from './text.ts'
import { notify, type Undo } from './toasts.tsx'

/** What was done, in a sentence, and what takes it back. */
export interface Done {
  said: string
  undo: Undo
}

interface ActionProps {
  label: string
  /** What the caller is asked before it is done; left out, it is done at once. */
  confirm?: string
  /** Fields of the dialog; their values are passed to `run` by name. */
  fields?: ReactNode
  danger?: boolean
  /** The right that its operation needs. */
  needs: Right
  /** For what a read-only session may do too. */
  reads?: boolean
  /** Does it and returns the sentence that says what was done. */
  run: (values: Record<string, string>) => Promise<Done | string | undefined>
}

/** A button for one change. It asks first where told to, says what was done or why not, and reads the page again. */
export function Action(props: ActionProps) {
  const { label, confirm, fields, danger = false, needs, reads = false, run } = props
  const [open, setOpen] = useState(false)
  const queries = useQueryClient()
  const form = useRef<HTMLFormElement>(null)
  const change = useMutation({
    mutationFn: run,
    onSuccess: async (done) => {
      setOpen(false)
      if (typeof done === 'string') notify(done)
      else if (done) notify(done.said, () => done.undo().finally(() => queries.invalidateQueries()))
      await queries.invalidateQueries()
    },
    // The dialog shows it, unless it was closed meanwhile.
    onError: (error) => form.current === null && notify(error),
  })
  const asks = confirm !== undefined || fields !== undefined
  // The second of two clicks comes before the button is off.
  const isRunning = useRef(false)
  const go = (values: Record<string, string>) => {
    if (isRunning.current) return
    isRunning.current = true
    change.mutate(values, {
      onSettled: () => {
        isRunning.current = false
      },
    })
  }
  useEffect(() => {
    if (form.current && change.error) showRefused(form.current, change.error)
  }, [change.error])
  const failure = useId()
  const start = () => {
    change.reset()
    if (asks) setOpen(true)
    else go({})
  }
  return (
    <>
      <GuardedButton {...{ label, danger, needs, reads }} isBusy={change.isPending} press={start} />
      {open && (
        <Dialog title={label} close={() => setOpen(false)}>
          <form ref={form} onSubmit={(event) => whenFilled(event, go)}>
            {confirm && <p>{sentenceText(confirm)}</p>}
            {change.error && <Failed id={failure} error={change.error} />}
            {fields}
            <div className="choice">
              <button type="button" onClick={() => setOpen(false)}>
                {t.cancel}
              </button>
              <Button type="submit" look={danger ? 'danger' : 'primary'} isBusy={change.isPending}>
                {change.isPending ? t.working : label}
              </Button>
            </div>
          </form>
        </Dialog>
      )}
    </>
  )
}

interface GuardedButtonProps {
  label: string
  danger?: boolean
  needs: Right
  reads?: boolean
  isBusy?: boolean
  press: () => void
}

/** A button that is off where the session may not do this. It can still be reached, and pressed it says why. */
export function GuardedButton({
  label,
  danger = false,
  needs,
  reads = false,
  isBusy = false,
  press,
}: GuardedButtonProps) {
  const refusal = useRefusal(needs, reads)
  return (
    <Button look={danger ? 'danger' : ''} {...{ isBusy, refusal, press }}>
      {label}
    </Button>
  )
}

/** Why the session may not do what needs this right; undefined if it may. */
export function useRefusal(needs: Right, reads: boolean): string | undefined {
  const { readOnly, rights, operator } = useTenant().session
  if (!rights.includes(needs)) return t.noRight(t.roles[operator.role], t.needs[needs])
  return readOnly && !reads ? t.readOnly : undefined
}

/**
 * Goes on with the values of a submitted form. If a required one is blank, the browser asks for it as for an empty one.
 */
function whenFilled(event: FormEvent<HTMLFormElement>, go: (values: Record<string, string>) => void): void {
  const values = valuesOf(event)
  for (const field of event.currentTarget.querySelectorAll<HTMLInputElement>(':is(input, textarea):required')) {
    if (field.value.trim() === '') field.value = ''
  }
  if (event.currentTarget.reportValidity()) go(values)
}

/** The text fields of a submitted form, by name. */
export function valuesOf(event: FormEvent<HTMLFormElement>): Record<string, string> {
  event.preventDefault()
  const entries = [...new FormData(event.currentTarget)]
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value).trim()]))
}
