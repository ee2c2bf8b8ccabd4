import { type MouseEvent, type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'
import { notify } from './toasts.tsx'

interface ButtonProps {
  type?: 'button' | 'submit'
  /** How it looks. */
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
  const keepPlace = useFocusAfter(button)
  const onClick = (event: MouseEvent) => {
    if (!isBusy && refusal === undefined) {
      keepPlace()
      return press?.()
    }
    event.preventDefault()
    if (refusal !== undefined) notify(refusal)
  }
  return (
    <button
      ref={button}
      type={type}
      className={look}
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

/** Where the focus goes when an element leaves the page with it: the nearest place above that is still there. */
function useFocusAfter(element: RefObject<HTMLElement | null>): () => void {
  const above = useRef<HTMLElement[]>([])
  useLayoutEffect(() => {
    const { current } = element
    // Before the element is taken out of the page.
    return () => {
      if (document.activeElement !== current) return
      queueMicrotask(() => document.activeElement === document.body && focusOn(above.current.find(isThere)))
    }
  }, [element])
  return () => {
    const { current } = element
    if (current === null) return
    const isAbove = (place: HTMLElement) =>
      (place.compareDocumentPosition(current) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
    above.current = [...document.querySelectorAll<HTMLElement>(PLACES)].filter(isAbove).reverse()
  }
}

const isThere = (place: HTMLElement) => place.isConnected && place.checkVisibility()

function focusOn(place: HTMLElement | undefined): void {
  if (place === undefined) return
  place.tabIndex = -1
  place.focus()
}
