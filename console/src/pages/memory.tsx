import type { Api } from '../../../client/src/index.ts'
import { useRead } from '../door/tenant.tsx'
import { t } from '../strings.ts'
import { FilterForm, TextField, useFilters } from '../ui/filters.tsx'
import { Badge, Bar, Facts, Heading, Panel } from '../ui/show.tsx'
import { Empty, Loaded } from '../ui/states.tsx'
import { numberText, percentText, timeText } from '../ui/text.ts'

type Suggestion = Awaited<ReturnType<Api['memory']['suggestDecision']>>
type Found = Awaited<ReturnType<Api['memory']['searchJudgments']>>['results'][number]

const LIMIT = 20

/** Asks the decision memory: what it would decide, and the past judgments for and against it. */
export function Page() {
  const [{ query = '', organizationId = '', documentId = '' }] = useFilters()
  return (
    <>
      <Heading title={t.memory.title} about={t.memory.about} />
      <FilterForm submit={t.memory.ask}>
        <TextField label={t.memory.query} name="query" value={query} required />
        <TextField label={t.organizationId} name="organizationId" value={organizationId} />
        <TextField label={t.documentId} name="documentId" value={documentId} />
      </FilterForm>
      {query === '' ? <Empty what={t.memory.noQuery} next={t.memory.noQueryNext} /> : <Answer />}
      <Size />
    </>
  )
}

/** What the address asks, as both operations take it. */
function useQuestion() {
  const [{ query = '', organizationId, documentId }] = useFilters()
  return { query, ...(organizationId && { organizationId }), ...(documentId && { documentId }) }
}

function Answer() {
  const question = useQuestion()
  const suggestion = useRead(['suggestion', question], (api, options) => api.memory.suggestDecision(question, options))
  const evidence = useRead(['evidence', question], (api, options) =>
    api.memory.searchJudgments({ ...question, limit: LIMIT }, options),
  )
  return (
    <Loaded query={suggestion}>
      {(given) => (
        <>
          <Suggested suggestion={given} />
          <Loaded query={evidence}>{({ results }) => <Evidence found={results} suggestion={given} />}</Loaded>
        </>
      )}
    </Loaded>
  )
}

function Suggested({ suggestion: { primary, conflict, warnings = [] } }: { suggestion: Suggestion }) {
  return (
    <>
      {warnings.map((warning) => (
        <p key={warning} className="wait" role="status">
          {warning}
        </p>
      ))}
      {primary === null && <Empty what={t.memory.noSuggestion} next={t.memory.noSuggestionNext} />}
      <div className="columns">
        {primary && <Side title={t.memory.suggested} side={primary} />}
        {conflict && <Side title={t.memory.conflict} side={conflict} />}
      </div>
    </>
  )
}

function Side({ title, side }: { title: string; side: NonNullable<Suggestion['primary']> }) {
  const { recommendation, confidence, basedOn, basedOnTotal, scopeLabel, topReasons, uniqueReviewers, caveats } = side
  return (
    <Panel title={title}>
      <p>
        <Badge tone={recommendation === 'approve' ? 'good' : 'bad'}>{t.memory[recommendation]}</Badge>{' '}
        <Bar label={t.memory.confidence} share={confidence} /> {percentText(confidence)}
      </p>
      <Facts
        facts={[
          [t.memory.basedOn, t.memory.ofTotal(numberText(basedOn), numberText(basedOnTotal))],
          [t.memory.scope, scopeLabel],
          [t.memory.reviewers, numberText(uniqueReviewers)],
        ]}
      />
      <Lines title={t.memory.reasons} lines={topReasons} />
      <Lines title={t.memory.caveats} lines={caveats} />
    </Panel>
  )
}

function Lines({ title, lines }: { title: string; lines: string[] }) {
  if (lines.length === 0) return null
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {lines.map((line) => (
          <li key={line} className="told">
            {line}
          </li>
        ))}
      </ul>
    </>
  )
}

/** The nearest past judgments: those for the suggestion, those against it, and the others, side by side. */
function Evidence({ found, suggestion: { primary, conflict } }: { found: Found[]; suggestion: Suggestion }) {
  if (found.length === 0) return <Empty what={t.memory.nothing} next={t.memory.nothingNext} />
  const supports = ({ recordId }: Found) => primary?.supportingRecordIds.includes(recordId) ?? false
  const opposes = ({ recordId }: Found) => conflict?.supportingRecordIds.includes(recordId) ?? false
  return (
    <div className="columns">
      <Judgments title={t.memory.supporting} rows={found.filter(supports)} />
      <Judgments title={t.memory.opposing} rows={found.filter(opposes)} />
      <Judgments title={t.memory.others} rows={found.filter((each) => !supports(each) && !opposes(each))} />
    </div>
  )
}

function Judgments({ title, rows }: { title: string; rows: Found[] }) {
  if (rows.length === 0) return null
  return (
    <Panel title={`${title} (${rows.length})`}>
      <ul className="plain">
        {rows.map((row) => (
          <Judgment key={row.recordId} judgment={row} />
        ))}
      </ul>
    </Panel>
  )
}

function Judgment({ judgment }: { judgment: Found }) {
  const { reasoning, decision, similarity, actionUser, createdAt, scope } = judgment
  return (
    <li>
      <p className="told">{reasoning}</p>
      <p>
        <Bar label={t.memory.similarity} share={similarity} /> {percentText(similarity)} · {decision} ·{' '}
        {actionUser.name ?? actionUser.userId ?? t.none} · {timeText(createdAt)} · {scope}
      </p>
    </li>
  )
}

/** How much the memory holds, and how far its embeddings are. */
function Size() {
  const query = useRead(['memory', 'size'], (api, options) => api.memory.getMemoryStats({}, options))
  return (
    <Panel title={t.memory.size}>
      <Loaded query={query}>
        {({ totalActivities, embedding }) => (
          <Facts
            facts={[
              [t.memory.judgments, numberText(totalActivities)],
              [t.memory.model, embedding?.model ?? t.memory.noModel],
              [t.memory.embedded, embedding && numberText(embedding.embedded)],
              [t.memory.toEmbed, embedding && numberText(embedding.pending)],
            ]}
          />
        )}
      </Loaded>
    </Panel>
  )
}
