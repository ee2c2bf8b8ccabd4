import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Api } from '../../../../client/src/index.ts'
import { useRead } from '../../door/tenant.tsx'
import { t } from '../../strings.ts'
import { valuesOf } from '../../ui/action.tsx'
import { FilterForm, type Filters, TextField, useFilters, withoutEmpty } from '../../ui/filters.tsx'
import { Bar, Panel, Warnings } from '../../ui/show.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { numberText, percentText } from '../../ui/text.ts'
import { PlaceFields } from '../place-fields.tsx'
import { type Found, Judgment } from './evidence.tsx'
import { Rules } from './rules.tsx'

type Answered = Awaited<ReturnType<Api['insights']['askMemory']>>

const DAY_MS = 86_400_000
/** So many judgments are read to tell of those that are quoted, which are the nearest. */
const READ = 50

/** A question to past judgments and rules: the answer in quotes, what each is quoted from, and a follow-up. */
export function Answers() {
  const [{ question = '', organizationId = '', documentId = '', days = '' }] = useFilters()
  return (
    <>
      <FilterForm submit={t.memory.ask}>
        <TextField label={t.answers.question} name="question" value={question} required rows={2} />
        <PlaceFields organizationId={organizationId} documentId={documentId} />
        <TextField label={t.answers.days} name="days" value={days} type="number" />
      </FilterForm>
      {question === '' ? <Empty what={t.answers.nothing} next={t.answers.nothingNext} /> : <Answer />}
    </>
  )
}

function Answer() {
  const [{ question = '', organizationId, documentId, days }] = useFilters()
  const place = withoutEmpty({ organizationId, documentId })
  const key = { question, days, ...place }
  const answer = useRead(['answer', key], (api, options) =>
    api.insights.askMemory({ question, ...place, ...(days && { recencyDays: Number(days) }) }, options),
  )
  const found = useRead(['quoted', key], (api, options) => {
    const filters = days ? { filters: { dateRange: { start: Date.now() - Number(days) * DAY_MS } } } : {}
    return api.memory.searchJudgments(
      { query: question, ...place, ...filters, limit: READ, includeContent: true },
      options,
    )
  })
  return (
    <Loaded query={answer}>
      {(given) =>
        given.answer === '' ? (
          <>
            <Warnings warnings={given.warnings} />
            <Empty what={t.answers.noAnswer} next={t.answers.noAnswerNext(numberText(given.recordsSearched))} />
          </>
        ) : (
          <Given answer={given} found={found.data?.results ?? []} question={question} />
        )
      }
    </Loaded>
  )
}

function Given({ answer, found, question }: { answer: Answered; found: Found[]; question: string }) {
  const { citations, knowledge = [], confidence, recordsSearched, warnings } = answer
  const sources = useRead(['knowledge'], (api, options) => api.knowledge.listKnowledge({}, options))
  const nameOf = (sourceId: string) => sources.data?.find(({ id }) => id === sourceId)?.fileName ?? ''
  const rules = knowledge.map((rule) => ({ ...rule, name: nameOf(rule.sourceId), text: rule.snippet }))
  return (
    <>
      <Warnings warnings={warnings} />
      <Panel title={t.answers.answer} actions={<ToSuggestion question={question} />}>
        <p className="told answer">{withLinks(answer)}</p>
        <p className="verdict">
          {citations.length > 0 && <Nearest similarity={confidence} />}
          <span className="muted">{t.answers.searched(numberText(recordsSearched))}</span>
        </p>
        <FollowUp question={question} />
      </Panel>
      <div className="columns">
        {citations.length > 0 && (
          <Panel title={t.answers.quotes}>
            <ul className="plain">
              {citations.map(({ recordId, snippet }) => (
                <Quoted
                  key={recordId}
                  {...{ recordId, snippet, question }}
                  anchor={anchorOf(answer, recordId)}
                  found={found}
                />
              ))}
            </ul>
          </Panel>
        )}
        {rules.length > 0 && (
          <Panel title={t.answers.rules}>
            <Rules rules={rules} />
          </Panel>
        )}
      </div>
    </>
  )
}

const Nearest = ({ similarity }: { similarity: number }) => (
  <>
    {t.answers.nearest} <Bar label={t.answers.nearest} share={similarity} /> {t.memory.similar(percentText(similarity))}
  </>
)

interface QuotedProps {
  recordId: string
  snippet: string
  question: string
  anchor: string
  found: Found[]
}

/**
 * The judgment that is quoted, or the quote alone while the judgment is not known. How similar the search found it is
 * left out: quotes are chosen by more than that.
 */
function Quoted({ recordId, snippet, question, anchor, found }: QuotedProps) {
  const judgment = found.find((each) => each.recordId === recordId)
  if (judgment) {
    const { similarity: _, ...quoted } = judgment
    return <Judgment judgment={quoted} {...{ question, anchor }} />
  }
  return (
    <li className="judgment" id={anchor}>
      <p className="told">{snippet}</p>
      <p className="muted id">{recordId}</p>
    </li>
  )
}

const anchorOf = ({ citations }: Answered, id: string) =>
  `quote-${citations.findIndex(({ recordId }) => recordId === id) + 1}`

/** The answer as text. The id of each quote leads to the judgment below, or to the source of the rule. */
function withLinks(answer: Answered): ReactNode[] {
  return answer.answer.split(/(\[[^\]\n]+\])/).map((piece, index) => {
    // Pieces never move, so their position names them.
    const key = `${index}`
    const id = piece.slice(1, -1)
    const rule = answer.knowledge?.find(({ ruleId, sourceId }) => (ruleId ?? sourceId) === id)
    if (rule) {
      const search = ({ key }: Filters) => withoutEmpty({ key, view: 'knowledge', source: rule.sourceId })
      return (
        <Link key={key} to="." search={search}>
          {piece}
        </Link>
      )
    }
    if (!answer.citations.some(({ recordId }) => recordId === id)) return piece
    return (
      <Link key={key} to="." search={(before: Filters) => before} hash={anchorOf(answer, id)}>
        {piece}
      </Link>
    )
  })
}

const ToSuggestion = ({ question }: { question: string }) => (
  <Link
    to="."
    search={(before: Filters) => withoutEmpty({ ...before, view: 'ask', query: question, question: undefined })}
  >
    {t.answers.decide}
  </Link>
)

/** Asks further. The question so far goes with it, because the service remembers none. */
function FollowUp({ question }: { question: string }) {
  const [, change] = useFilters()
  return (
    <form
      className="filters"
      onSubmit={(event) => {
        const { followUp = '' } = valuesOf(event)
        change({ question: `${question}\n${followUp}` }, { resetScroll: true })
      }}
    >
      <TextField key={question} label={t.answers.followUp} name="followUp" required />
      <button type="submit">{t.answers.askFollowUp}</button>
      <span className="muted">{t.answers.followUpHelp}</span>
    </form>
  )
}
