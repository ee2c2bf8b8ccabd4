import { operation } from '../../platform/operation.ts'
import { nullable, oneOf, Type } from '../../platform/schema.ts'
import { databaseTime } from '../comments/place.ts'
import { indexCache } from './index-cache.ts'
import type { Neighbours } from './indexed-judgment.ts'
import { readJudgmentsByKey } from './judgment.ts'
import { admits, clamp, placeInput, placeIssues, ScopeName, scopeOf } from './scope.ts'
import { type Suggestions, suggest } from './suggest.ts'

const SCOPES = ['document', 'organization', 'apiKey'] as const

const Suggestion = Type.Object({
  recommendation: oneOf(['approve', 'reject'], 'What similar judgments decided.'),
  confidence: Type.Number({ description: 'Meant as the probability that the recommendation is followed.' }),
  basedOn: Type.Integer({ description: 'How many judgments were used.' }),
  scope: ScopeName,
  scopeLabel: Type.String(),
  topReasons: Type.Array(Type.String()),
  uniqueReviewers: Type.Integer(),
  caveats: Type.Array(Type.String(), { description: 'What speaks against trusting it.' }),
  supportingRecordIds: Type.Array(Type.String(), { description: 'The judgments that it rests on, the nearest first.' }),
})

/** Suggests a decision for a new item from similar ones; tried from the narrowest scope that the ids name to the widest. */
export const suggestDecision = operation({
  path: '/v2/memory/suggest',
  auth: 'apiKey',
  access: 'read',
  summary: 'Suggest a decision',
  input: Type.Object({
    query: Type.String({ minLength: 1, description: 'The item to decide on.' }),
    ...placeInput,
  }),
  output: Type.Object({ primary: nullable(Suggestion), conflict: nullable(Suggestion) }),
  errors: [],
  message: '',
  bare: true,
  check: (ids) => placeIssues(ids),
}).run(async ({ db, tenant, input, config, metrics }) => {
  const index = await indexCache({ config, metrics }).find(db, tenant, admits({}))
  const now = await databaseTime(db)

  async function suggestIn(scopeName: ScopeName): Promise<Suggestions> {
    const scope = clamp(scopeName, input)
    const neighbours = index.neighbours(input.query, scope)
    return suggest({ ...(await withReasons(neighbours, scope)), scope: scopeName }, now)
  }

  async function withReasons({ votes, ...counts }: Neighbours, scope: ReturnType<typeof clamp>) {
    const keys = votes.map(({ recordId }) => recordId)
    const byKey = await readJudgmentsByKey(db, tenant, keys, admits(scope))
    const reasoned = votes.flatMap((vote) => {
      const judgment = byKey.get(vote.recordId)
      return judgment ? [{ ...vote, recordId: judgment.recordId, reasoning: judgment.reasoning }] : []
    })
    return { votes: reasoned, ...counts }
  }

  for (const scopeName of SCOPES.slice(SCOPES.indexOf(scopeOf(undefined, input)))) {
    const suggestions = await suggestIn(scopeName)
    if (suggestions.primary) return suggestions
  }
  return { primary: null, conflict: null }
})
