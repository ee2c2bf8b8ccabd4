import { type RefObject, useLayoutEffect } from 'react'

/** When an element leaves the page with the focus, that moves to the first of these places that is still there. */
export function useFocusAfter(
  element: RefObject<HTMLElement | null>,
  places: RefObject<readonly (Element | null)[]>,
): void {
  useLayoutEffect(() => {
    const { current } = element
    // Before the element is taken out of the page.
    return () => {
      if (!current?.contains(document.activeElement)) return
      queueMicrotask(() => document.activeElement === document.body && focusOn(places.current.find(isThere)))
    }
  }, [element, places])
}

const isThere = (place: Element | null) => place instanceof HTMLElement && place.isConnected && place.checkVisibility()

function focusOn(place: Element | null | undefined): void {
  if (!(place instanceof HTMLElement)) return
  place.focus()
  if (document.activeElement === place) return
  // A heading takes no focus by itself.
  place.tabIndex = -1
  place.focus()
}
