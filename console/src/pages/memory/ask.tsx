import { useRead } from '../../door/tenant.tsx'
import { t } from '../../strings.ts'
import { FilterForm, TextField, useFilters } from '../../ui/filters.tsx'
import { Badge, Bar, Facts, Panel, Warnings } from '../../ui/show.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { numberText, percentText } from '../../ui/text.ts'
import { Evidence, type Suggestion } from './evidence.tsx'
import { Rules } from './rules.tsx'

const LIMIT = 30

/** Asks the decision memory: what it would decide, and the past judgments for and against it. */
export function Ask() {
  const [{ query = '', organizationId = '', documentId = '' }] = useFilters()
  return (
    <>
      <FilterForm submit={t.memory.ask}>
        <TextField label={t.memory.query} name="query" value={query} required rows={2} />
        <TextField label={t.organizationId} name="organizationId" value={organizationId} />
        <TextField label={t.documentId} name="documentId" value={documentId} />
      </FilterForm>
      {query === '' ? <Empty what={t.memory.noQuery} next={t.memory.noQueryNext} /> : <Answer />}
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
    api.memory.searchJudgments({ ...question, limit: LIMIT, includeContent: true }, options),
  )
  return (
    <Loaded query={suggestion}>
      {(given) => (
        <>
          <Suggested suggestion={given} />
          <Loaded query={evidence}>
            {({ results, warnings = [] }) => (
              <>
                {/* The suggestion rests on the same search, so it has often said the same. */}
                <Warnings warnings={warnings.filter((warning) => !given.warnings?.includes(warning))} />
                <Evidence found={results} suggestion={given} question={question.query} />
              </>
            )}
          </Loaded>
        </>
      )}
    </Loaded>
  )
}

function Suggested({ suggestion: { primary, conflict, warnings = [], knowledge = [] } }: { suggestion: Suggestion }) {
  return (
    <>
      <Warnings warnings={warnings} />
      {primary === null && <Empty what={t.memory.noSuggestion} next={t.memory.noSuggestionNext} />}
      <div className="columns">
        {primary && <Side title={t.memory.suggested} side={primary} />}
        {conflict && <Side title={t.memory.conflict} side={conflict} />}
      </div>
      {knowledge.length > 0 && (
        <Panel title={t.knowledge.bearing}>
          <Rules rules={knowledge.map((rule) => ({ ...rule, name: rule.fileName }))} />
        </Panel>
      )}
    </>
  )
}

function Side({ title, side }: { title: string; side: NonNullable<Suggestion['primary']> }) {
  const { recommendation, confidence, basedOn, basedOnTotal, scopeLabel, topReasons, uniqueReviewers, caveats, basis } =
    side
  return (
    <Panel title={title}>
      <p className="verdict">
        <Badge tone={recommendation === 'approve' ? 'good' : 'bad'}>{t.memory[recommendation]}</Badge>
        <Bar label={t.memory.confidence} share={confidence} />
        <strong>{percentText(confidence)}</strong> <span className="muted">{t.memory.confidence}</span>
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
      <Lines title={t.memory.inputs} lines={basis.inputs.map(({ label }) => label)} />
    </Panel>
  )
}

function Lines({ title, lines }: { title: string; lines: string[] }) {
  if (lines.length === 0) return null
  return (
    <section>
      <h3>{title}</h3>
      <ul>
        {lines.map((line) => (
          <li key={line} className="told">
            {line}
          </li>
        ))}
      </ul>
    </section>
  )
}
