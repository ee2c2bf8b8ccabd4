import type { ApiKeyTenant } from '../../platform/context.ts'
import { dateRangeIssues } from '../../platform/date-range.ts'
import type { Db, Sql } from '../../platform/db/db.ts'
import { operation } from '../../platform/operation.ts'
import { requiredText, Type } from '../../platform/schema.ts'
import { directReadOf } from '../memory/judgment/direct-read.ts'
import { countJudgments, readJudgments, warnings } from '../memory/judgment/judgment.ts'
import { queriedText } from '../memory/judgment/judgment-text.ts'
import { missingPlace } from '../memory/judgment/place.ts'
import {
  clamp,
  indexFilters,
  placeAliases,
  placeInput,
  placeIssues,
  SearchFilters,
  scopeOf,
  unaliased,
} from '../memory/judgment/scope.ts'
import { citeKnowledge } from '../memory/knowledge/cited-knowledge.ts'
import { findJudgments } from '../memory/search/find-judgments.ts'
import { askedFor } from './answer/asked-for.ts'
import { Citation, citationsOf, evidenceOf, KnowledgeCitation, ruleOf } from './answer/citations.ts'
import { distinct, quotedAnswer, snippetOf } from './answer/evidence.ts'
import { writeAnswer } from './answer/written-answer.ts'

const MOST_QUOTED = 6
/** Judgments below this similarity are about something else (see `docs/memory.md`). */
const ON_TOPIC = 0.15
const DAY_MS = 86_400_000

/** Answers a question from past judgments and from rules, in quotes with their ids. */
export const askMemory = operation({
  path: '/v2/memory/ask',
  auth: 'apiKey',
  access: 'read',
  summary: 'Ask past judgments a question',
  description:
    'The answer is made of quotes. With a chat model (`CHAT_URL`) it is written, and used only if all it cites and quotes is true. Without judgments or rules on the question it is empty. Where the question names one reviewer in full, by a name of several words or an id such as `u-17`, only their judgments are searched; `warnings` says so.',
  input: Type.Object({
    question: requiredText('What to answer.'),
    ...placeInput,
    ...placeAliases,
    filters: Type.Optional(SearchFilters),
    recencyDays: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 365, description: 'Only judgments of the last so many times 24 hours.' }),
    ),
  }),
  output: Type.Object({
    answer: Type.String(),
    citations: Type.Array(Citation, { description: 'The judgments that the answer quotes.' }),
    knowledge: Type.Optional(Type.Array(KnowledgeCitation, { description: 'The rules that it quotes.' })),
    confidence: Type.Number({ description: 'How near the nearest judgment is to the question, 0 to 1; 0: no answer.' }),
    recordsSearched: Type.Integer({ description: 'How many judgments place and filters admit.' }),
    warnings: Type.Optional(warnings),
  }),
  errors: [],
  message: '',
  bare: true,
  check: ({ filters = {}, ...request }) => [
    ...placeIssues(unaliased(request), filters.annotationId),
    ...dateRangeIssues(filters.dateRange, 'filters.dateRange'),
  ],
}).run(async ({ db, tenant, input: request, chatModel, clock, ...services }) => {
  const { question, filters = {}, recencyDays, ...place } = unaliased(request)
  const query = queriedText(question)
  const from = recencyDays === undefined ? undefined : clock.now() - recencyDays * DAY_MS
  const scope = clamp(tenant, scopeOf(undefined, place), place)
  const ofThread = directReadOf(tenant, { ...place, filters }, scope)
  const isOpen = filters.reviewerId === undefined && !ofThread
  const asked = isOpen ? await askedFor(db, tenant, query, scope) : { warnings: [] }
  const reviewerId = filters.reviewerId ?? asked.reviewer?.userId
  const judged = {
    ...indexFilters({ ...filters, ...(reviewerId !== undefined && { reviewerId }) }),
    ...(from !== undefined && { from }),
  }
  const [{ found, totalInScope, warnings: why }, rules] = await Promise.all([
    ofThread
      ? readThread(db, tenant, ofThread)
      : findJudgments(db, tenant, services, { field: 'review', query, scope, filters: judged, limit: 2 * MOST_QUOTED }),
    citeKnowledge(db, tenant, query, place),
  ])
  // Without a reasoning there is nothing to quote.
  const near = found.filter(({ similarity, judgment }) => similarity >= ON_TOPIC && judgment.reasoning.trim() !== '')
  const evidence = [...distinct(near.map(evidenceOf), query).slice(0, MOST_QUOTED), ...rules.map(ruleOf)]
  // Judgments of a place prove that it exists.
  const { organizationId } = place
  const missing =
    near.length === 0 && organizationId !== undefined
      ? await missingPlace(db, tenant, { ...place, organizationId })
      : undefined
  if (evidence.length === 0 || missing !== undefined) {
    const nothing = { answer: '', citations: [], confidence: 0, recordsSearched: totalInScope }
    const said = missing === undefined ? [...asked.warnings, ...why] : [missing]
    return { ...nothing, ...(said.length > 0 && { warnings: said }) }
  }
  const written = chatModel && (await writeAnswer(chatModel, query, evidence))
  const isWritten = written && 'answer' in written
  const quoted = evidence.map(({ id, text }) => ({ id, snippet: snippetOf(text, query) }))
  const said = [...asked.warnings, ...why, ...(written && !isWritten ? [written.warning] : [])]
  return {
    answer: isWritten ? written.answer : quotedAnswer(query, evidence),
    ...citationsOf(isWritten ? written.citations : quoted, evidence, rules),
    confidence: Math.max(...near.map(({ similarity }) => similarity), near.length === 0 ? ON_TOPIC : 0),
    recordsSearched: totalInScope,
    ...(said.length > 0 && { warnings: said }),
  }
})

/** The judgments of a thread, all of which are on the question. */
async function readThread(db: Db, tenant: ApiKeyTenant, { condition, order }: { condition: Sql; order: Sql }) {
  const judgments = await readJudgments(db, tenant, { condition, order, limit: 2 * MOST_QUOTED })
  const found = judgments.map((judgment) => ({ judgment, similarity: 1 }))
  return { found, totalInScope: await countJudgments(db, tenant, condition), warnings: [] as string[] }
}
