import { type FocusEvent, type RefObject, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { t } from '../strings.ts'
import { useFocusAfter } from './focus.ts'
import { labelOf } from './label-of.ts'
import { errorText, sentenceText } from './text.ts'

/** Takes a change back. */
export type Undo = () => Promise<unknown>

interface Toast {
  id: number
  text: string
  failed: boolean
  undo?: Undo | undefined
}

const SHOWN_MS = 8_000
const UNDO_SHOWN_MS = 20_000
let toasts: Toast[] = []
let last = 0
/** Those that are open, the one on top last. */
let dialogs: string[] = []
const listeners = new Set<() => void>()

/** Shows for some seconds what was done, or an error; longer where it can be taken back. */
export function notify(said: string | Error, undo?: Undo): void {
  last += 1
  const id = last
  const failed = said instanceof Error
  change([...toasts, { id, failed, undo, text: failed ? errorText(said, labelOf) : sentenceText(said) }])
  setTimeout(() => dismiss(id), undo ? UNDO_SHOWN_MS : SHOWN_MS)
}

const dismiss = (id: number) => change(toasts.filter((each) => each.id !== id))

function change(next: Toast[]): void {
  toasts = next
  tell()
}

function tell(): void {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const NONE: Toast[] = []

/**
 * The notices. They stand on the page, or in the dialog on top, because nothing outside of that can be reached. Each
 * dialog names itself here, and the page does not.
 */
export function Toasts({ dialog }: { dialog?: string }) {
  const shown = useSyncExternalStore(subscribe, () => (dialogs.at(-1) === dialog ? toasts : NONE))
  useLayoutEffect(() => {
    if (dialog === undefined) return
    dialogs = [...dialogs, dialog]
    tell()
    return () => {
      dialogs = dialogs.filter((each) => each !== dialog)
      tell()
    }
  }, [dialog])
  const before = useRef<(Element | null)[]>([])
  const keepPlace = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) before.current = [relatedTarget]
  }
  return (
    <div className="toasts" role="status" onFocus={keepPlace}>
      {shown.map((toast) => (
        <Notice key={toast.id} toast={toast} before={before} />
      ))}
    </div>
  )
}

/** A notice, the latest in view. If it goes away with the focus, that moves back to where it was before. */
function Notice({ toast, before }: { toast: Toast; before: RefObject<(Element | null)[]> }) {
  const { id, text, failed, undo } = toast
  const line = useRef<HTMLParagraphElement>(null)
  useFocusAfter(line, before)
  useLayoutEffect(() => {
    line.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <p ref={line} className={failed ? 'failed' : ''}>
      <span>{text}</span>
      {undo && <UndoButton id={id} undo={undo} />}
      <button type="button" className="quiet" onClick={() => dismiss(id)} aria-label={t.close}>
        ✕
      </button>
    </p>
  )
}

function UndoButton({ id, undo }: { id: number; undo: Undo }) {
  const take = () => {
    dismiss(id)
    undo().then(() => notify(t.undone), notify)
  }
  return (
    <button type="button" onClick={take}>
      {t.undo}
    </button>
  )
}
