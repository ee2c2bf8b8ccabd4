import { useState } from 'react'
import type { Api } from '../../../../client/src/index.ts'
import { t } from '../../strings.ts'
import { Folded } from '../../ui/folded.tsx'
import { Highlighted } from '../../ui/highlighted.tsx'
import { AsSource, Badge, Bar, Panel } from '../../ui/show.tsx'
import { Empty } from '../../ui/states.tsx'
import { numberText, percentText, timeText } from '../../ui/text.ts'

export type Suggestion = Awaited<ReturnType<Api['memory']['suggestDecision']>>
export type Found = Awaited<ReturnType<Api['memory']['searchJudgments']>>['results'][number]

export const SIDES = ['approve', 'reject'] as const
type Taken = (typeof SIDES)[number] | 'neither'

/** The decisions that count for a side, as the service counts them. */
const APPROVING = ['approve', 'approved', 'accept', 'accepted', 'agree', 'endorse', 'document_approved']
const REJECTING = ['reject', 'rejected', 'disagree', 'document_rejected']

/** The side that a judgment takes in a suggestion. */
export function sideOf({ decision }: Found): Taken {
  const name = decision.trim().toLowerCase()
  if (APPROVING.includes(name)) return 'approve'
  return REJECTING.includes(name) ? 'reject' : 'neither'
}

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

/** So many of a side are shown at first: below them a phone shows the other side. */
const FIRST = 10

function Judgments({ title, rows, question, weighed }: JudgmentsProps) {
  const [areAllShown, showAll] = useState(false)
  const shown = areAllShown ? rows : rows.slice(0, FIRST)
  return (
    <Panel title={`${title} (${numberText(rows.length)})`}>
      {rows.length === 0 && <p className="muted">{t.memory.noneOnSide}</p>}
      <ul className="plain">
        {shown.map((row) => (
          <Judgment key={row.recordId} judgment={row} question={question} isWeighed={weighed.has(row.recordId)} />
        ))}
      </ul>
      {shown.length < rows.length && (
        <button type="button" onClick={() => showAll(true)}>
          {t.memory.showAll(numberText(rows.length))}
        </button>
      )}
    </Panel>
  )
}

interface JudgmentProps {
  judgment: Found
  question: string
  isWeighed?: boolean
  /** The id that a link within the page leads to. */
  anchor?: string
}

/** A judgment as a search finds it: why it was decided, what was reviewed, how like it is, who decided and when. */
export function Judgment({ judgment, question, isWeighed = false, anchor }: JudgmentProps) {
  const { recordId, reasoning, content, highlights, decision, similarity, actionUser, agent, createdAt } = judgment
  return (
    <li className="judgment" id={anchor}>
      <Folded text={reasoning}>
        <Highlighted text={reasoning} question={question} sentences={highlights} />
      </Folded>
      {content && (
        <AsSource title={t.memory.reviewed}>
          <Folded text={content}>
            <Highlighted text={content} question={question} sentences={highlights} />
          </Folded>
        </AsSource>
      )}
      <p className="verdict">
        <Bar label={t.memory.similarity} share={similarity} />
        <span>{percentText(similarity)}</span>
        <Badge tone={toneOf(judgment)}>{decision}</Badge>
        {isWeighed && <Badge>{t.memory.weighed}</Badge>}
      </p>
      <p className="muted">
        {agent ? t.memory.agent : (actionUser.name ?? actionUser.userId ?? t.none)} · {timeText(createdAt)} ·{' '}
        <span className="id">{recordId}</span>
      </p>
    </li>
  )
}

const toneOf = (judgment: Found) => (({ approve: 'good', reject: 'bad', neither: 'plain' }) as const)[sideOf(judgment)]
