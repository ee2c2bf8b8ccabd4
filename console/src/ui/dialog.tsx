import { type ReactNode, useEffect, useId, useRef } from 'react'
import { t } from '../strings.ts'

/** A native modal dialog, open as long as it is rendered. Escape and a click beside it close it. */
export function Dialog(props: { title: ReactNode; close: () => void; children: ReactNode; wide?: boolean }) {
  const { title, close, children, wide } = props
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const { current } = dialog
    current?.showModal()
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
      onClick={(event) => event.target === dialog.current && close()}
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
    </dialog>
  )
}
