import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import type { Api, CallOptions } from '../../../client/src/index.ts'
import { useRead } from '../door/tenant.tsx'
import { t } from '../strings.ts'
import { type Choice, idOf } from './choice.ts'
import { Field } from './filters.tsx'

/** Finds what a text names; with an empty text, the first ones. `key` says what is searched. */
export interface Source {
  key: unknown[]
  find: (api: Api, text: string, options: CallOptions) => Promise<Choice[]>
  /** What is said where nothing is found. */
  nothing?: string
}

interface PickFieldProps {
  label: string
  name: string
  source: Source
  value?: string | undefined
  required?: boolean
  /** Told of each id that the field holds. It is the same function each time. */
  changed?: (id: string) => void
}

/**
 * A text field that offers what exists, by name, while somebody types. Its value is an id: the one that was chosen, the
 * only one whose name, or words of it, were typed, or else the text itself. What was chosen is shown by its name.
 */
export function PickField(props: PickFieldProps) {
  const { label, name, source, required = false } = props
  const list = useId()
  const { text, id: chosen, choices, isOpen, isEmpty, active, input, type, pick, setOpen, onKeyDown } = usePick(props)
  return (
    <Field label={label}>
      {(id) => (
        <div className="pick">
          <input
            ref={input}
            id={id}
            role="combobox"
            autoComplete="off"
            placeholder={t.pick.hint}
            aria-expanded={isOpen}
            aria-autocomplete="list"
            aria-controls={isOpen ? list : undefined}
            aria-activedescendant={isOpen && active >= 0 ? `${list}-${active}` : undefined}
            required={required}
            title={text === chosen ? undefined : chosen}
            value={text}
            onChange={({ target }) => {
              setOpen(true)
              type(target.value)
            }}
            onClick={() => setOpen(true)}
            onBlur={() => setOpen(false)}
            onKeyDown={onKeyDown}
          />
          <input type="hidden" name={name} value={chosen} />
          {isOpen && <Choices id={list} label={label} choices={choices} active={active} pick={pick} />}
          {isEmpty && (
            <p className="choices muted" role="status">
              {source.nothing ?? t.pick.nothing}
            </p>
          )}
        </div>
      )}
    </Field>
  )
}

/** What is typed, the id that it stands for, what is offered for it, and the keys that choose. */
function usePick({ source, value = '', changed }: PickFieldProps) {
  const [held, setHeld] = useState(unnamed(value))
  // Undefined: nobody has typed since the last choice.
  const [typing, setTyping] = useState<string>()
  const [before, setBefore] = useState(value)
  const [wantsOpen, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  if (before !== value) {
    setBefore(value)
    if (held.id !== value) setHeld(unnamed(value))
    setTyping(undefined)
  }
  const name = useName(source, held)
  const typed = typing?.trim() ?? ''
  const { choices, isKnown, isEmpty } = useChoices(source, typed, wantsOpen)
  const { input, send } = useSend(isKnown)
  const id = typing === undefined ? held.id : idOf(typed, isKnown ? choices : [])
  useEffect(() => changed?.(id), [id, changed])
  // Where the id itself is typed, the list would only cover what lies below.
  const isTold = choices.length === 1 && choices[0]?.id === typed
  const isOpen = wantsOpen && choices.length > 0 && !isTold
  const type = (next: string | undefined) => {
    setTyping(next)
    setActive(-1)
  }
  const pick = (choice: Choice) => {
    setHeld(choice)
    type(undefined)
    setOpen(false)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const chosen = isOpen ? choices[active] : undefined
    if (step !== undefined) {
      setOpen(true)
      setActive((active + step + choices.length) % Math.max(1, choices.length))
    } else if (event.key === 'Enter' && chosen) pick(chosen)
    // A dialog around it stays open.
    else if (event.key === 'Escape' && wantsOpen) setOpen(false)
    else if (event.key === 'Enter') {
      setOpen(false)
      if (isKnown) return
      send()
    } else return
    event.preventDefault()
  }
  const text = typing ?? name
  return { text, id, choices, isOpen, isEmpty: wantsOpen && isEmpty, active, input, type, pick, setOpen, onKeyDown }
}

const unnamed = (id: string): Choice => ({ id, name: id })

/** What people call what is held. An address holds an id alone, so its name is read. */
function useName(source: Source, { id, name }: Choice): string {
  const { choices } = useChoices(source, name === id ? id : '', false)
  return choices.find((each) => each.id === id)?.name ?? name
}

/** What a text finds. `isKnown` says that this is it, and not what was found for the text before. */
function useChoices({ key, find }: Source, typed: string, isOpen: boolean) {
  const asked = useSettled(typed)
  const query = useRead(['choices', ...key, asked], (api, options) => find(api, asked, options), {
    enabled: isOpen || typed !== '',
  })
  const isKnown = typed === '' || (asked === typed && !query.isFetching)
  return { choices: query.data ?? [], isKnown, isEmpty: query.data?.length === 0 }
}

/** Sends the form of a field, once it is known what the text in it names. */
function useSend(isKnown: boolean) {
  const input = useRef<HTMLInputElement>(null)
  const [waits, setWaits] = useState(false)
  useEffect(() => {
    if (!waits || !isKnown) return
    setWaits(false)
    input.current?.form?.requestSubmit()
  }, [waits, isKnown])
  return { input, send: () => setWaits(true) }
}

interface ChoicesProps {
  id: string
  label: string
  choices: Choice[]
  active: number
  pick: (choice: Choice) => void
}

const Choices = ({ id, label, choices, active, pick }: ChoicesProps) => (
  <div className="choices" id={id} role="listbox" aria-label={label}>
    {choices.map((choice, index) => (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus, and the keys that choose.
      <div
        key={choice.id}
        ref={index === active ? intoView : undefined}
        id={`${id}-${index}`}
        role="option"
        tabIndex={-1}
        aria-selected={index === active}
        // The field keeps the focus.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => pick(choice)}
      >
        {choice.name} <span className="muted">{noteOf(choice)}</span>
      </div>
    ))}
  </div>
)

// A browser may return a promise, which a ref must not.
const intoView = (option: HTMLElement | null) => {
  option?.scrollIntoView({ block: 'nearest' })
}

const noteOf = ({ id, name, note }: Choice) => [...(id === name ? [] : [id]), ...(note ? [note] : [])].join(' · ')

const WAIT_MS = 150

/** A text, once nobody has changed it for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), WAIT_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
