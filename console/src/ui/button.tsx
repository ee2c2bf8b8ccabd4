import { type MouseEvent, type ReactNode, useRef } from 'react'
import { useFocusAfter } from './focus.ts'
import { notify } from './toasts.tsx'

interface ButtonProps {
  type?: 'button' | 'submit'
  /** How it looks while it may be used. */
  look?: 'primary' | 'danger' | 'quiet' | ''
  /** While what it began is under way. */
  isBusy?: boolean
  /** Why it may not be used. */
  refusal?: string | undefined
  /** Left out where it submits a form. */
  press?: () => void
  children: ReactNode
}

/**
 * A button that keeps the focus. While it is busy it does nothing; where it may not be used, it says why. If it goes
 * away once it was pressed, the focus moves to what is above it.
 */
export function Button({ type = 'button', look = '', isBusy = false, refusal, press, children }: ButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  const above = useRef<HTMLElement[]>([])
  useFocusAfter(button, above)
  const onClick = (event: MouseEvent) => {
    if (!isBusy && refusal === undefined) {
      above.current = placesAbove(button.current)
      return press?.()
    }
    event.preventDefault()
    if (refusal !== undefined) notify(refusal)
  }
  return (
    <button
      ref={button}
      type={type}
      className={refusal === undefined ? look : ''}
      aria-disabled={isBusy || refusal !== undefined}
      aria-description={refusal}
      title={refusal}
      onClick={onClick}
    >
      {children}
    </button>
  )
}

const PLACES = 'h1, h2, h3, tbody tr, li'

/** Headings, rows and items before an element, the nearest first. */
function placesAbove(element: HTMLElement | null): HTMLElement[] {
  if (element === null) return []
  const isAbove = (place: HTMLElement) =>
    (place.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
  return [...document.querySelectorAll<HTMLElement>(PLACES)].filter(isAbove).reverse()
}
