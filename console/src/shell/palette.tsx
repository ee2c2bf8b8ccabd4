import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useEffect, useState } from 'react'
import { t } from '../strings.ts'
import { Dialog } from '../ui/dialog.tsx'
import { useKept } from './kept.ts'
import { PAGES } from './pages.ts'

const OPEN = 'precedent-palette'
export const openPalette = () => dispatchEvent(new Event(OPEN))

interface Target {
  label: string
  to: string
  search: Record<string, string>
}

/** Ctrl-K: goes to a page by a part of its name, or to what an id names. */
export function Palette() {
  const [open, setOpen] = useState(false)
  const kept = useKept()
  useEffect(() => {
    const show = () => setOpen(true)
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k') return
      event.preventDefault()
      show()
    }
    addEventListener('keydown', onKey)
    addEventListener(OPEN, show)
    return () => {
      removeEventListener('keydown', onKey)
      removeEventListener(OPEN, show)
    }
  }, [])
  return open ? <OpenPalette kept={kept} close={() => setOpen(false)} /> : null
}

function OpenPalette({ kept, close }: { kept: ReturnType<typeof useKept>; close: () => void }) {
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const targets = targetsFor(text.trim())
  const go = ({ to, search }: Target) => {
    close()
    void navigate({ to, search: { ...kept(to), ...search } })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const [first] = targets
    if (first) go(first)
  }
  return (
    <Dialog title={t.palette.title} close={close}>
      <form onSubmit={submit}>
        <input
          aria-label={t.palette.label}
          placeholder={t.palette.placeholder}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <ul className="targets">
          {targets.map((target) => (
            <li key={target.label}>
              <button type="button" onClick={() => go(target)}>
                {target.label}
              </button>
            </li>
          ))}
        </ul>
        {targets.length === 0 && <p>{t.palette.nothing}</p>}
      </form>
    </Dialog>
  )
}

function targetsFor(text: string): Target[] {
  const isMatch = (title: string) => title.toLowerCase().includes(text.toLowerCase())
  const pages = PAGES.filter(({ title }) => isMatch(title)).map(({ path, title }) => ({
    label: title,
    to: path,
    search: {},
  }))
  if (text.length < 3) return pages
  const search = { label: `${t.palette.search} “${text}”`, to: '/browse', search: { search: text } }
  const organization = { label: `${t.palette.organization} ${text}`, to: '/browse', search: { organizationId: text } }
  const memory = { label: `${t.palette.memory} “${text}”`, to: '/memory', search: { query: text } }
  // Several words are a question, or a name. The id of a delivery is one.
  if (/\s/.test(text)) return [...pages, memory, search, organization]
  const delivery = { label: `${t.palette.delivery} ${text}`, to: '/deliveries', search: { delivery: text } }
  return [...pages, delivery, search, organization, memory]
}
