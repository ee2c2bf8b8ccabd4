import { useNavigate, useSearch } from '@tanstack/react-router'
import { Fragment, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { t } from '../strings.ts'
import { valuesOf } from './action.tsx'
import { Button } from './button.tsx'

export type Filters = Record<string, string | undefined>

interface How {
  /** The way back does not lead to the filters before. */
  replace?: boolean
  /** The page begins at its top, because it shows something else; by default it stays where it is. */
  resetScroll?: boolean
}

/** The filters of a page. They stand in the address, so a page can be linked to as it is seen. */
export function useFilters(): [Filters, (changed: Filters, how?: How) => void] {
  const filters: Filters = useSearch({ strict: false })
  const navigate = useNavigate()
  const change = (changed: Filters, how?: How) => {
    const search = (before: Filters) => withoutEmpty({ ...before, ...changed })
    void navigate({ to: '.', search, resetScroll: false, ...how })
  }
  return [filters, change]
}

/** The fields that are set: neither undefined nor an empty text. */
export const withoutEmpty = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== '')) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>
  }

/** The range between two times as the API takes it; undefined where neither is set. */
export const dateRangeOf = ({ start, end }: Filters) => (start || end ? withoutEmpty({ start, end }) : undefined)

/** A field with its label; `children` gets the id that joins them. */
export function Field({ label, children }: { label: string; children: (id: string) => ReactNode }) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children(id)}
    </div>
  )
}

interface TextFieldProps {
  label: string
  name: string
  value?: string | undefined
  required?: boolean
  type?: string
  placeholder?: string
  rows?: number
  /** What a browser or a password manager may fill in, as HTML names it; nothing by default. */
  autoComplete?: string
}

/** A text field of a form; with `rows`, one of several lines. */
export function TextField({
  label,
  name,
  value = '',
  required = false,
  type = 'text',
  placeholder,
  rows,
  autoComplete = 'off',
}: TextFieldProps) {
  const given = { name, required, placeholder, defaultValue: value }
  return (
    <Field label={label}>
      {(id) =>
        rows ? (
          <textarea {...given} key={value} id={id} rows={rows} />
        ) : (
          <input {...given} key={value} id={id} type={type} autoComplete={autoComplete} />
        )
      }
    </Field>
  )
}

type Option = string | [value: string, label: string]

/** The options of a choice, with what an address has chosen though it is not among them. */
export const withChosen = (options: [value: string, label: string][], chosen = ''): [value: string, label: string][] =>
  chosen === '' || options.some(([value]) => value === chosen) ? options : [[chosen, chosen], ...options]

/** A choice in a form. An empty `any` leaves no choice out. */
export function SelectField(props: {
  label: string
  name: string
  value?: string | undefined
  options: Option[]
  any?: string
  /** Told of each choice that the field holds, before the form is submitted. It is the same function each time. */
  changed?: (value: string) => void
}) {
  const { label, name, value = '', options, any, changed } = props
  useEffect(() => changed?.(value), [value, changed])
  const listed = options.map((option): [string, string] => (typeof option === 'string' ? [option, option] : option))
  return (
    <Field label={label}>
      {(id) => (
        <select id={id} name={name} defaultValue={value} key={value} onChange={({ target }) => changed?.(target.value)}>
          {any !== undefined && <option value="">{any}</option>}
          {listed.map(([each, text]) => (
            <option key={each} value={each}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

/** A switch of a form. Its value is `on`, or missing. */
export function CheckField({ label, name, checked }: { label: ReactNode; name: string; checked: boolean }) {
  const id = useId()
  return (
    <div className="check">
      <input id={id} name={name} type="checkbox" defaultChecked={checked} />
      {/* One item, though it may be words and a name. */}
      <label htmlFor={id}>
        <span>{label}</span>
      </label>
    </div>
  )
}

/** A time in a form, in the time zone of the reader. Its value is ISO 8601, or empty. */
export function TimeField({ label, name, value = '', required = false }: Omit<TextFieldProps, 'type' | 'rows'>) {
  return <TimeInput key={value} {...{ label, name, value, required }} />
}

function TimeInput({
  label,
  name,
  value,
  required,
}: {
  label: string
  name: string
  value: string
  required: boolean
}) {
  const [local, setLocal] = useState(localTime(value))
  return (
    <Field label={label}>
      {(id) => (
        <>
          <input
            id={id}
            type="datetime-local"
            // A year of four digits: with room for more, the fifth one that is typed would still be of the year.
            max="9999-12-31T23:59"
            value={local}
            required={required}
            onChange={(event) => setLocal(event.target.value)}
          />
          <input type="hidden" name={name} value={isoTime(local)} />
        </>
      )}
    </Field>
  )
}

/** Empty for what is no time, such as a year that is still being typed. */
function isoTime(local: string): string {
  const at = new Date(local)
  return Number.isNaN(at.getTime()) ? '' : at.toISOString()
}

/** What `datetime-local` takes; empty for what is no time. */
function localTime(iso: string): string {
  const at = new Date(iso)
  if (Number.isNaN(at.getTime())) return ''
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** The form of a page's filters; submitting it puts them in the address. */
export function FilterForm({ children, submit = t.show }: { children: ReactNode; submit?: string }) {
  const [filters, change] = useFilters()
  const form = useRef<HTMLFormElement>(null)
  const [names, setNames] = useState<string[]>([])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the fields may be others after each reading.
  useEffect(() => setNames([...new FormData(form.current ?? undefined).keys()]), [children])
  // What was typed and not submitted goes too.
  const [cleared, setCleared] = useState(0)
  const clear = () => {
    change(Object.fromEntries(names.map((name) => [name, undefined])))
    setCleared(cleared + 1)
  }
  return (
    <form ref={form} className="filters" onSubmit={(event) => change(valuesOf(event))}>
      <Fragment key={cleared}>{children}</Fragment>
      <button type="submit" className="primary">
        {submit}
      </button>
      {names.some((name) => filters[name]) && (
        <Button look="quiet" press={clear}>
          {t.clear}
        </Button>
      )}
    </form>
  )
}
