import { useLocation } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { Api } from '../../../../client/src/index.ts'
import { t } from '../../strings.ts'
import { Button } from '../../ui/button.tsx'
import { Folded } from '../../ui/folded.tsx'
import { Highlighted } from '../../ui/highlighted.tsx'
import { AsSource, Badge, Bar, Panel } from '../../ui/show.tsx'
import { Empty } from '../../ui/states.tsx'
import { numberText, percentText, timeText } from '../../ui/text.ts'
import { sideOf, type Taken } from '../sides.ts'

export type Suggestion = Awaited<ReturnType<Api['memory']['suggestDecision']>>
export type Found = Awaited<ReturnType<Api['memory']['searchJudgments']>>['results'][number]

interface EvidenceProps {
  found: Found[]
  suggestion: Suggestion
  question: string
}

/** The nearest past judgments side by side: those that decided as suggested, those against it, and the others. */
export function Evidence({ found, suggestion: { primary, conflict }, question }: EvidenceProps) {
  if (found.length === 0) return <Empty what={t.memory.nothing} next={t.memory.nothingNext} />
  const suggested: Taken = primary?.recommendation ?? 'approve'
  const against: Taken = suggested === 'approve' ? 'reject' : 'approve'
  const weighed = new Set([...(primary?.supportingRecordIds ?? []), ...(conflict?.supportingRecordIds ?? [])])
  const rowsOf = (side: Taken) => found.filter((each) => sideOf(each) === side)
  const titles = primary
    ? { for: t.memory.supporting, against: t.memory.opposing }
    : { for: t.memory.approvals, against: t.memory.rejections }
  const shared = { question, weighed }
  return (
    <div className="columns">
      <Judgments title={titles.for} rows={rowsOf(suggested)} {...shared} />
      <Judgments title={titles.against} rows={rowsOf(against)} {...shared} />
      {rowsOf('neither').length > 0 && <Judgments title={t.memory.others} rows={rowsOf('neither')} {...shared} />}
    </div>
  )
}

interface JudgmentsProps {
  title: string
  rows: Found[]
  question: string
  weighed: Set<string>
}

function Judgments({ title, rows, question, weighed }: JudgmentsProps) {
  return (
    <Panel title={`${title} (${numberText(rows.length)})`}>
      {rows.length === 0 && <p className="muted">{t.memory.noneOnSide}</p>}
      <JudgmentList
        rows={rows}
        show={(row) => (
          <Judgment
            key={row.recordId}
            judgment={row}
            question={question}
            isWeighed={weighed.has(row.recordId)}
            anchor={anchorOf(row.recordId)}
          />
        )}
      />
    </Panel>
  )
}

/** So many are shown at first: below them a phone shows what follows. */
const FIRST = 10

/** The id of a judgment within the page, to which its hash leads. */
export const anchorOf = (recordId: string) => `judgment-${recordId}`

/** The first of some judgments, and all when asked, or when the address leads to a later one. */
export function JudgmentList<Row extends { recordId: string }>({
  rows,
  show,
}: {
  rows: Row[]
  show: (row: Row) => ReactNode
}) {
  const [areAllShown, showAll] = useState(false)
  const { hash } = useLocation()
  const isLater = rows.slice(FIRST).some(({ recordId }) => anchorOf(recordId) === hash)
  const shown = areAllShown || isLater ? rows : rows.slice(0, FIRST)
  return (
    <>
      <ul className="plain">{shown.map(show)}</ul>
      {shown.length < rows.length && (
        <Button press={() => showAll(true)}>{t.memory.showAll(numberText(rows.length))}</Button>
      )}
    </>
  )
}

/** A judgment as a list has it, or as a search finds it. */
type Shown = Pick<Found, 'recordId' | 'reasoning' | 'decision' | 'actionUser' | 'agent' | 'createdAt'> &
  Partial<Pick<Found, 'similarity' | 'content' | 'highlights'>>

interface JudgmentProps {
  judgment: Shown
  /** What its words are compared with. */
  question?: string
  /** Where it was decided. */
  place?: ReactNode
  isWeighed?: boolean
  /** What can be done with it. */
  actions?: ReactNode
  /** The id that a link within the page leads to. */
  anchor?: string
}

/** A judgment: why it was decided, what was reviewed, how like it is, who decided and when. */
export function Judgment({ judgment, question = '', place, isWeighed = false, actions, anchor }: JudgmentProps) {
  const { recordId, reasoning, content, highlights, decision, similarity, actionUser, agent, createdAt } = judgment
  return (
    <li className="judgment" id={anchor}>
      {reasoning === '' ? (
        <p className="muted">{t.memory.noReason}</p>
      ) : (
        <Folded text={reasoning}>
          <Highlighted text={reasoning} question={question} sentences={highlights} />
        </Folded>
      )}
      {content && (
        <AsSource title={t.memory.reviewed}>
          <Folded text={content}>
            <Highlighted text={content} question={question} sentences={highlights} />
          </Folded>
        </AsSource>
      )}
      <p className="verdict">
        {similarity !== undefined && (
          <>
            <Bar label={t.memory.similarity} share={similarity} />
            <span>{t.memory.similar(percentText(similarity))}</span>
          </>
        )}
        <Badge tone={toneOf(judgment)}>{decision}</Badge>
        {isWeighed && <Badge>{t.memory.weighed}</Badge>}
      </p>
      <p className="muted">
        <bdi>{agent ? t.memory.agent : (actionUser.name ?? actionUser.userId ?? t.none)}</bdi> · {timeText(createdAt)} ·{' '}
        {place && <>{place} · </>}
        <span className="id">{recordId}</span>
      </p>
      {actions}
    </li>
  )
}

const toneOf = (judgment: Shown) => (({ approve: 'good', reject: 'bad', neither: 'plain' }) as const)[sideOf(judgment)]
