import { type ReactNode, useId, useState } from 'react'
import { t } from '../strings.ts'

const LONG = 600

/** A text that somebody wrote. Of more than 600 characters it shows the first lines, and the rest when asked. */
export function Folded({ text, children = text }: { text: string; children?: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  if (text.length <= LONG) return <p className="told">{children}</p>
  return (
    <>
      <p id={id} className={isOpen ? 'told' : 'told folded'}>
        {children}
      </p>
      <button type="button" className="link" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
        {isOpen ? t.showLess : t.showAll(text.length)}
      </button>
    </>
  )
}
