import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTenant } from '../door/tenant.tsx'
import { t } from '../strings.ts'
import { Dialog } from './dialog.tsx'
import { Failed } from './states.tsx'
import { notify } from './toasts.tsx'

interface ActionProps {
  label: string
  /** What the caller is asked before it is done; left out, it is done at once. */
  confirm?: string
  /** Fields of the dialog; their values are passed to `run` by name. */
  fields?: ReactNode
  danger?: boolean
  /** For what a read-only session may do too. */
  reads?: boolean
  /** Does it and returns the sentence that says what was done. */
  run: (values: Record<string, string>) => Promise<string | undefined>
}

/** A button for one change. It asks first where told to, says what was done or why not, and reads the page again. */
export function Action(props: ActionProps) {
  const { label, confirm, fields, danger, reads = false, run } = props
  const { session } = useTenant()
  const [open, setOpen] = useState(false)
  const queries = useQueryClient()
  const change = useMutation({
    mutationFn: run,
    onSuccess: async (done) => {
      setOpen(false)
      if (done) notify(done)
      await queries.invalidateQueries()
    },
    onError: (error) => asks || notify(error),
  })
  const asks = confirm !== undefined || fields !== undefined
  const start = () => {
    change.reset()
    if (asks) setOpen(true)
    else change.mutate({})
  }
  return (
    <>
      <button
        type="button"
        className={danger ? 'danger' : ''}
        disabled={change.isPending || (session.readOnly && !reads)}
        title={session.readOnly && !reads ? t.readOnly : undefined}
        onClick={start}
      >
        {label}
      </button>
      {open && (
        <Dialog title={label} close={() => setOpen(false)}>
          <form onSubmit={(event) => change.mutate(valuesOf(event))}>
            {confirm && <p>{confirm}</p>}
            {fields}
            {change.error && <Failed error={change.error} />}
            <footer>
              <button type="button" onClick={() => setOpen(false)}>
                {t.cancel}
              </button>
              <button type="submit" className={danger ? 'danger' : 'primary'} disabled={change.isPending}>
                {change.isPending ? t.working : label}
              </button>
            </footer>
          </form>
        </Dialog>
      )}
    </>
  )
}

/** The text fields of a submitted form, by name. */
export function valuesOf(event: FormEvent<HTMLFormElement>): Record<string, string> {
  event.preventDefault()
  const entries = [...new FormData(event.currentTarget)]
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value).trim()]))
}
