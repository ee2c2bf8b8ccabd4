import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Api } from '../../../../client/src/index.ts'
import { useRead } from '../../door/tenant.tsx'
import { t } from '../../strings.ts'
import { FilterForm, type Filters, TextField, useFilters, withoutEmpty } from '../../ui/filters.tsx'
import { Badge, Bar, Facts, Panel, Warnings } from '../../ui/show.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { numberText, percentText, timeText } from '../../ui/text.ts'
import { PlaceFields } from '../place-fields.tsx'
import { SIDES, sideOf } from '../sides.ts'
import { anchorOf, Evidence, type Found, type Suggestion } from './evidence.tsx'
import { Rules } from './rules.tsx'

type Search = NonNullable<Parameters<Api['memory']['searchJudgments']>[0]>

const NEAREST = 50
const OF_A_SIDE = 20

/** Asks the decision memory: what it would decide, and the past judgments for and against it. */
export function Ask() {
  const [{ query = '', organizationId = '', documentId = '' }] = useFilters()
  return (
    <>
      <FilterForm submit={t.memory.ask}>
        <TextField label={t.memory.query} name="query" value={query} required rows={2} />
        <PlaceFields organizationId={organizationId} documentId={documentId} />
      </FilterForm>
      {query === '' ? <Empty what={t.memory.noQuery} next={t.memory.noQueryNext} /> : <Answer />}
    </>
  )
}

/** What the address asks, as both operations take it. */
function useQuestion() {
  const [{ query = '', organizationId, documentId }] = useFilters()
  return { query, ...withoutEmpty({ organizationId, documentId }) }
}

function Answer() {
  const question = useQuestion()
  const suggestion = useRead(['suggestion', question], (api, options) => api.memory.suggestDecision(question, options))
  return <Loaded query={suggestion}>{(given) => <Given suggestion={given} />}</Loaded>
}

function Given({ suggestion }: { suggestion: Suggestion }) {
  const { query } = useQuestion()
  const evidence = useEvidence(suggestion)
  return (
    <>
      <Suggested suggestion={suggestion} found={evidence.data?.found ?? []} />
      <Loaded query={evidence}>
        {({ found, warnings }) => (
          <>
            {/* The suggestion rests on the same search, so it has often said the same. */}
            <Warnings warnings={warnings.filter((warning) => !suggestion.warnings?.includes(warning))} />
            {/* Without both, the absent suggestion has said all. */}
            {(found.length > 0 || suggestion.primary !== null) && (
              <Evidence key={query} found={found} suggestion={suggestion} question={query} />
            )}
          </>
        )}
      </Loaded>
    </>
  )
}

/**
 * What the suggestion rests on: the judgments of its scope whose content is nearest, and the nearest of a side that
 * these hold few of. With them those whose reasoning is nearest, which help where there is no suggestion.
 */
function useEvidence(suggestion: Suggestion) {
  const question = useQuestion()
  const scope = suggestion.primary?.scope
  const asked = { ...question, ...(scope && { scope }) }
  return useRead(['evidence', asked], async (api, options) => {
    const search = (more: Search) => api.memory.searchJudgments({ ...asked, includeContent: true, ...more }, options)
    const [byReasoning, byContent] = await Promise.all([
      search({ embeddingType: 'review', limit: NEAREST }),
      search({ embeddingType: 'content', limit: NEAREST }),
    ])
    const ofSides = await Promise.all(
      sidesShortIn(byContent.results).map((side) =>
        search({ embeddingType: 'content', limit: OF_A_SIDE, filters: { side } }),
      ),
    )
    const found = [byReasoning, byContent, ...ofSides].flatMap(({ results }) => results)
    return { found: merged(found), warnings: byReasoning.warnings ?? [] }
  })
}

/** The sides of which a search may find more: it has found few of them, and not all that there is. */
function sidesShortIn(found: Found[]) {
  if (found.length < NEAREST) return []
  return SIDES.filter((side) => found.filter((judgment) => sideOf(judgment) === side).length < OF_A_SIDE)
}

/** Each judgment once, the most similar first: as the first search found it, which tells what to highlight. */
function merged(found: Found[]): Found[] {
  const byId = new Map<string, Found>()
  for (const judgment of found) {
    const before = byId.get(judgment.recordId) ?? judgment
    byId.set(judgment.recordId, { ...before, similarity: Math.max(before.similarity, judgment.similarity) })
  }
  return [...byId.values()].sort((a, b) => b.similarity - a.similarity)
}

function Suggested({ suggestion, found }: { suggestion: Suggestion; found: Found[] }) {
  const { primary, conflict, warnings = [], knowledge = [] } = suggestion
  return (
    <>
      <Warnings warnings={warnings} />
      {primary === null && <Empty what={t.memory.noSuggestion} next={t.memory.noSuggestionNext} />}
      <div className="columns">
        {primary && <Side title={t.memory.suggested} side={primary} found={found} />}
        {conflict && <Side title={t.memory.conflict} side={conflict} found={found} />}
      </div>
      {knowledge.length > 0 && (
        <Panel title={t.knowledge.bearing}>
          <Rules rules={knowledge.map((rule) => ({ ...rule, name: rule.fileName }))} />
        </Panel>
      )}
    </>
  )
}

interface SideProps {
  title: string
  side: NonNullable<Suggestion['primary']>
  found: Found[]
}

function Side({ title, side, found }: SideProps) {
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
      <Lines title={t.memory.caveats} lines={caveats} show={(line) => <Caveat line={line} found={found} />} />
      <Lines title={t.memory.inputs} lines={basis.inputs.map(({ label }) => label)} />
    </Panel>
  )
}

/** Names a judgment by who decided it and when, where the line names it by its id, and leads to it. */
function Caveat({ line, found }: { line: string; found: Found[] }) {
  return line.split(/(\s)/).map((word) => {
    const named = found.find(({ recordId }) => recordId === word)
    if (!named) return word
    const { recordId, actionUser, createdAt } = named
    const name = actionUser.name ?? actionUser.userId ?? t.none
    return (
      <Link key={recordId} to="." search={(before: Filters) => before} hash={anchorOf(recordId)}>
        {t.memory.of} <bdi>{name}</bdi>, {timeText(createdAt)},
      </Link>
    )
  })
}

interface LinesProps {
  title: string
  lines: string[]
  show?: (line: string) => ReactNode
}

function Lines({ title, lines, show = (line) => line }: LinesProps) {
  if (lines.length === 0) return null
  return (
    <section>
      <h3>{title}</h3>
      <ul>
        {lines.map((line) => (
          <li key={line} className="told">
            {show(line)}
          </li>
        ))}
      </ul>
    </section>
  )
}
