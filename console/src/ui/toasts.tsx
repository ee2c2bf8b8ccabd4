import { useSyncExternalStore } from 'react'
import { t } from '../strings.ts'
import { errorText } from './text.ts'

interface Toast {
  id: number
  text: string
  failed: boolean
}

const SHOWN_MS = 8_000
let toasts: Toast[] = []
let last = 0
const listeners = new Set<() => void>()

/** Shows for some seconds what was done, or an error. */
export function notify(said: string | Error): void {
  last += 1
  const id = last
  const failed = said instanceof Error
  change([...toasts, { id, failed, text: failed ? errorText(said) : said }])
  setTimeout(() => dismiss(id), SHOWN_MS)
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
      {shown.map(({ id, text, failed }) => (
        <p key={id} className={failed ? 'failed' : ''}>
          {text}
          <button type="button" className="quiet" onClick={() => dismiss(id)} aria-label={t.close}>
            ✕
          </button>
        </p>
      ))}
    </div>
  )
}
