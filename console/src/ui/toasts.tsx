import { useSyncExternalStore } from 'react'
import { t } from '../strings.ts'
import { errorText } from './text.ts'

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
const listeners = new Set<() => void>()

/** Shows for some seconds what was done, or an error; longer where it can be taken back. */
export function notify(said: string | Error, undo?: Undo): void {
  last += 1
  const id = last
  const failed = said instanceof Error
  change([...toasts, { id, failed, undo, text: failed ? errorText(said) : said }])
  setTimeout(() => dismiss(id), undo ? UNDO_SHOWN_MS : SHOWN_MS)
}

const dismiss = (id: number) => change(toasts.filter((each) => each.id !== id))

function change(next: Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts)
  return (
    <div className="toasts" role="status">
      {shown.map((toast) => (
        <p key={toast.id} className={toast.failed ? 'failed' : ''}>
          <span>{toast.text}</span>
          {toast.undo && <UndoButton id={toast.id} undo={toast.undo} />}
          <button type="button" className="quiet" onClick={() => dismiss(toast.id)} aria-label={t.close}>
            ✕
          </button>
        </p>
      ))}
    </div>
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
