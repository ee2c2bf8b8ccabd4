import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { t } from '../strings.ts'
import { Toasts } from './toasts.tsx'

const FIRST_FIELD = '.sheet > form :is(input:not([type=hidden]), select, textarea)'

/**
 * A native modal dialog, open as long as it is rendered. Escape and a click beside it close it. A selection of text
 * that ends beside it does not.
 */
export function Dialog(props: { title: ReactNode; close: () => void; children: ReactNode; wide?: boolean }) {
  const { title, close, children, wide } = props
  const dialog = useRef<HTMLDialogElement>(null)
  const isPressedBeside = useRef(false)
  const id = useId()
  // While the dialog is still in the page, so that what had the focus before gets it back.
  useLayoutEffect(() => {
    const { current } = dialog
    current?.showModal()
    // What somebody came for, not the button that closes.
    current?.querySelector<HTMLElement>(FIRST_FIELD)?.focus()
    return () => current?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      className={wide ? 'wide' : ''}
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
      onPointerDown={({ target }) => {
        isPressedBeside.current = target === dialog.current
      }}
      onClick={({ target }) => target === dialog.current && isPressedBeside.current && close()}
      onKeyDown={(event) => {
        // A list or a dialog inside has closed instead.
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.preventDefault()
        close()
      }}
    >
      <div className="sheet">
        {/* No `header`: a dialog may stand in one. */}
        <div className="title">
          <h2 id={id}>{title}</h2>
          <button type="button" className="quiet" onClick={close} aria-label={t.close}>
            ✕
          </button>
        </div>
        {children}
      </div>
      <Toasts dialog={id} />
    </dialog>
  )
}
