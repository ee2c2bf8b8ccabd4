import { type ReactNode, useEffect } from 'react'
import { t } from '../strings.ts'
import { jsonText } from './text.ts'
import { notify } from './toasts.tsx'

/** A word in a coloured frame; the word alone says all. */
export const Badge = ({
  children,
  tone = 'plain',
}: {
  children: ReactNode
  tone?: 'plain' | 'good' | 'bad' | 'wait'
}) => <span className={`badge ${tone}`}>{children}</span>

/** What people call something, and the name that developers know it by; that alone where people have no word for it. */
export const Named = ({ name, raw }: { name: string | undefined; raw: string }) =>
  name === undefined ? (
    raw
  ) : (
    <>
      {name} <span className="muted">{raw}</span>
    </>
  )

/** A value as JSON, or a text as it is. It is shown as text, whatever it holds. */
export const Code = ({ value, label }: { value: unknown; label: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
  <section className="code" aria-label={label} tabIndex={0}>
    <pre>{jsonText(value) || t.none}</pre>
  </section>
)

export const Panel = ({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) => (
  <section className="panel">
    <header>
      <h2>{title}</h2>
      {actions && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form.
        <div className="actions" role="group" aria-label={title}>
          {actions}
        </div>
      )}
    </header>
    {children}
  </section>
)

/** Names and values, each on a line. */
export const Facts = ({ facts }: { facts: [name: string, value: ReactNode][] }) => (
  <dl className="facts">
    {facts.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value ?? t.none}</dd>
      </div>
    ))}
  </dl>
)

/** The heading of what the window shows, which is named after it; without a title that of the product. */
export function Title({ title }: { title?: string }) {
  useEffect(() => {
    document.title = title === undefined ? t.product : `${title.replace(/\.$/, '')} – ${t.product}`
  }, [title])
  return <h1>{title ?? t.product}</h1>
}

/** The heading of a page with what it is for. */
export function Heading({ title, about, actions }: { title: string; about: string; actions?: ReactNode }) {
  return (
    <header className="heading">
      <div>
        <Title title={title} />
        <p>{about}</p>
      </div>
      {actions && <div className="actions">{actions}</div>}
    </header>
  )
}

/** Copies a text. Browsers let a page copy on https and on the machine itself only. */
export function CopyButton({ text }: { text: string }) {
  const copy = () =>
    Promise.resolve()
      .then(() => navigator.clipboard.writeText(text))
      .then(
        () => notify(t.copied),
        () => notify(t.notCopied),
      )
  return (
    <button type="button" onClick={() => void copy()}>
      {t.copy}
    </button>
  )
}

/** What lies behind something shown, folded away. */
export const AsSource = ({ title, children }: { title: string; children: ReactNode }) => (
  <details>
    <summary>{title}</summary>
    {children}
  </details>
)

/** The same numbers as a chart above it shows, for those who read rather than look. */
export const AsTable = ({ children }: { children: ReactNode }) => <AsSource title={t.asTable}>{children}</AsSource>

/** A bar for a share between 0 and 1. */
export const Bar = ({ label, share }: { label: string; share: number }) => (
  <meter aria-label={label} min={0} max={1} value={share} />
)

/** What the service says of how it answered, such as that it compared words alone. */
export const Warnings = ({ warnings = [] }: { warnings?: string[] | undefined }) =>
  warnings.map((warning) => (
    <p key={warning} className="wait" role="status">
      {warning}
    </p>
  ))
