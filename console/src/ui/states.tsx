import type { ReactNode } from 'react'
import { t } from '../strings.ts'
import { labelOf } from './label-of.ts'
import { adviceFor, errorText, isPassing } from './text.ts'

/** What a reading has come to. */
export interface Query<T> {
  data: T | undefined
  error: Error | null
  isPending: boolean
  /** The data are those of the filters before. */
  isPlaceholderData: boolean
  refetch(): unknown
}

/**
 * Shows what a query has read; before that, that it loads; instead of it, why it failed and what to do. What was read
 * for other filters stays until the answer is there, and it is said. It also stays, below the failure, when a later
 * reading fails for a time: somebody may be writing in it.
 */
export function Loaded<T>({ query, children }: { query: Query<T>; children: (data: T) => ReactNode }) {
  const { data, error } = query
  const failure = error && <Failed error={error} retry={() => query.refetch()} />
  if (failure && (data === undefined || !isPassing(error))) return failure
  if (query.isPending || data === undefined) return <Loading />
  return (
    <>
      {failure}
      {query.isPlaceholderData && <Busy />}
      {children(data)}
    </>
  )
}

export const Loading = () => (
  <p className="state" role="status">
    <span className="spinner" aria-hidden="true" /> {t.loading}
  </p>
)

/** Above the page, where it moves nothing. */
const Busy = () => (
  <div className="busy">
    <Loading />
  </div>
)

/** Nothing to show, and what would change that; with a list, any of several things. */
export const Empty = ({ what, next, list = [] }: { what: string; next: ReactNode; list?: string[] }) => (
  <div className="state">
    <p>
      <strong>{what}</strong>
    </p>
    <p>{next}</p>
    {list.length > 0 && (
      <ul>
        {list.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
    )}
  </div>
)

interface FailedProps {
  /** For what it describes. */
  id?: string
  error: unknown
  /** What somebody can do about it; default: what its status suggests. */
  advice?: string | undefined
  retry?: () => unknown
}

export const Failed = ({ id, error, advice = adviceFor(error), retry }: FailedProps) => (
  <div id={id} className="state failed" role="alert">
    <p>
      <strong>{errorText(error, labelOf)}</strong>
    </p>
    <p>{advice}</p>
    {retry && (
      <button type="button" onClick={() => retry()}>
        {t.tryAgain}
      </button>
    )}
  </div>
)
