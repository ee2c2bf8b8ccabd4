import { DAY_MS, dateRangeIssues } from '../../platform/date-range.ts'
import { operation } from '../../platform/operation.ts'
import { requiredText, Type } from '../../platform/schema.ts'
import { directReadOf } from '../memory/judgment/direct-read.ts'
import { warnings } from '../memory/judgment/judgment.ts'
import { comparedText } from '../memory/judgment/judgment-text.ts'
import { missingPlace } from '../memory/judgment/place.ts'
import {
  indexFilters,
  memoryScopeOf,
  placeAliases,
  placeInput,
  placeIssues,
  SearchFilters,
  scopeOf,
  unaliased,
} from '../memory/judgment/scope.ts'
import { citeKnowledge } from '../memory/knowledge/cited-knowledge.ts'
import { answerFrom } from './answer/answer-from.ts'
import { askedFor } from './answer/asked-for.ts'
import { Citation, citationsOf, judgmentEvidence, KnowledgeCitation, ruleEvidence } from './answer/evidence.ts'
import { judgmentsOn } from './answer/judgments-on.ts'
import { quoteOf } from './answer/quote.ts'
import { quotedJudgments } from './answer/quoted-judgments.ts'

/** The confidence of an answer that quotes rules alone. */
const BY_RULES = 0.15

/** Answers a question from past judgments and from rules, in quotes with their ids. */
export const askMemory = operation({
  path: '/v2/memory/ask',
  auth: 'apiKey',
  access: 'read',
  summary: 'Ask past judgments a question',
  description:
    'The answer is made of quotes. With a chat model (`CHAT_URL`) it is written, and used only if all it cites and quotes is true. Without judgments or rules on the question it is empty, and `warnings` says why. Where it names what was judged rather than what judgments say, those on that `content` are quoted; `warnings` says so. Where the question names one reviewer in full, by a name of several words or an id such as `u-17`, only their judgments are searched; `warnings` says so.',
  input: Type.Object({
    question: requiredText('What to answer.'),
    ...placeInput,
    ...placeAliases,
    filters: Type.Optional(SearchFilters),
    recencyDays: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 365,
        description: 'Only judgments of the last so many times 24 hours; it beats `filters.dateRange`.',
      }),
    ),
  }),
  example: { question: 'What do we say about claims without a source?', organizationId: 'example' },
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
}).run(async ({ db, tenant, input, chatModel, clock, ...services }) => {
  const { question, filters = {}, recencyDays, ...place } = unaliased(input)
  const query = comparedText(question)
  const dateRange = recencyDays === undefined ? filters.dateRange : { start: clock.now() - recencyDays * DAY_MS }
  const scope = memoryScopeOf(tenant, scopeOf(undefined, place), place)
  const thread = directReadOf(tenant, { ...place, filters }, scope)
  const isOpen = filters.reviewerId === undefined && !thread
  const asked = isOpen ? await askedFor(db, tenant, query, scope) : { names: [], warnings: [] }
  const reviewerId = filters.reviewerId ?? asked.reviewer?.userId
  const judged = indexFilters({
    ...filters,
    ...(dateRange && { dateRange }),
    ...(reviewerId !== undefined && { reviewerId }),
  })
  const [judgments, rules] = await Promise.all([
    judgmentsOn(db, tenant, services, { question: query, scope, filters: judged, names: asked.names, thread }),
    citeKnowledge(db, tenant, query, place),
  ])
  const { found, subject, totalInScope: recordsSearched } = judgments
  const none = (warnings: string[]) => ({ answer: '', citations: [], confidence: 0, recordsSearched, warnings })
  // Judgments of a place prove that it exists.
  const missing = found.length === 0 ? await missingPlace(db, tenant, place) : undefined
  if (missing !== undefined) return none([missing])

  const quoted = await quotedJudgments(found, subject)
  const evidence = [
    ...quoted.map(({ judgment, quote }) => judgmentEvidence(judgment, quote.snippet)),
    ...rules.map((rule) => ruleEvidence(rule, quoteOf(rule.text, subject).snippet)),
  ]
  const searched = [...asked.warnings, ...judgments.warnings]
  if (evidence.length === 0) return none([...searched, judgments.whyNone])

  const { answer, cited, warnings: written } = await answerFrom(evidence, query, chatModel)
  const warnings = [...searched, ...written]
  return {
    answer,
    ...citationsOf(cited, evidence),
    confidence: quoted.length === 0 ? BY_RULES : Math.max(...quoted.map(({ similarity }) => similarity)),
    recordsSearched,
    ...(warnings.length > 0 && { warnings }),
  }
})
