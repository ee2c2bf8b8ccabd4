import { operation } from '../../platform/operation.ts'
import { identifier, nullable, oneOf, requiredText, Type } from '../../platform/schema.ts'
import { SCOPES } from './judgment/indexed-judgment.ts'
import { warnings } from './judgment/judgment.ts'
import { comparedText } from './judgment/judgment-text.ts'
import { missingPlace } from './judgment/place.ts'
import { memoryScopeOf, placeIssues, ScopeName, scopeIssues, scopeOf } from './judgment/scope.ts'
import { CitedKnowledge, citeKnowledge, withFreshness } from './knowledge/cited-knowledge.ts'
import { Basis } from './search/basis.ts'
import { gatherEvidence } from './search/gather-evidence.ts'
import { suggest } from './search/suggest.ts'

const Suggestion = Type.Object({
  recommendation: oneOf(['approve', 'reject'], 'What similar judgments decided.'),
  confidence: Type.Number({ description: 'Meant as the probability that the recommendation is followed.' }),
  basedOn: Type.Integer({
    description: 'How many similar judgments that were weighed decided as it recommends.',
  }),
  basedOnTotal: Type.Integer({
    description:
      'How many similar judgments were weighed, those included that decided otherwise and lower the confidence.',
  }),
  scope: ScopeName,
  scopeLabel: Type.String(),
  topReasons: Type.Array(Type.String()),
  uniqueReviewers: Type.Integer({ description: 'How many people decided as it recommends.' }),
  caveats: Type.Array(Type.String(), { description: 'What speaks against trusting it.' }),
  supportingRecordIds: Type.Array(Type.String(), {
    description: 'The judgments that it rests on: those weighed that decided as it recommends, the nearest first.',
  }),
  basis: Basis,
})

/**
 * Suggests a decision for a new item from similar ones. Tries scopes from the narrowest that the ids name to the
 * widest that may answer. In an organization or a document that does not exist there is nothing.
 */
export const suggestDecision = operation({
  path: '/v2/memory/suggest',
  auth: 'apiKey',
  access: 'read',
  summary: 'Suggest a decision',
  description:
    'The narrowest scope whose judgments support a suggestion answers: the document, the organization, then all organizations of the API key. `scope` says which; with `apiKey`, `topReasons` and `caveats` may quote other organizations. `widestScope` stops before that.',
  input: Type.Object({
    query: requiredText('The item to decide on.'),
    contentUserId: Type.Optional(
      identifier(
        'Id of the user who wrote the item. Their earlier items then count, as far as that helped before; without it, or ' +
          'with `MEMORY_AUTHORS=off`, they do not.',
      ),
    ),
    organizationId: Type.Optional(
      identifier('The judgments of this organization come before those of the whole API key.'),
    ),
    documentId: Type.Optional(
      identifier('The judgments of this document come before those of its organization; requires `organizationId`.'),
    ),
    widestScope: Type.Optional(
      oneOf(
        [...SCOPES],
        'The widest scope that may answer: `organization` requires `organizationId`, and `document` requires `documentId` too. Default: `apiKey`.',
      ),
    ),
  }),
  example: { query: 'Photo of a bridge without alt text', organizationId: 'example' },
  output: Type.Object({
    primary: nullable(Suggestion),
    conflict: nullable(Suggestion),
    knowledge: Type.Optional(
      Type.Array(CitedKnowledge, { description: 'Rules that bear on the item; absent if there are none.' }),
    ),
    warnings: Type.Optional(warnings),
  }),
  errors: [],
  message: '',
  bare: true,
  check: (input) => [...placeIssues(input), ...scopeIssues(input.widestScope, input)],
}).run(async ({ db, tenant, input, ...services }) => {
  const { widestScope = 'apiKey' } = input
  const scopes = SCOPES.slice(SCOPES.indexOf(scopeOf(undefined, input)), SCOPES.indexOf(widestScope) + 1).map(
    (name) => ({ name, place: memoryScopeOf(tenant, name, input) }),
  )
  const query = comparedText(input.query)
  const { evidence, knowledge } = await services.knownKeys.confirmed(db, tenant, async (known) => {
    const [evidence, knowledge] = await Promise.all([
      gatherEvidence(db, tenant, services, { query, author: input.contentUserId, scopes, known }),
      known.hasKnowledge ? citeKnowledge(db, tenant, query, input) : [],
    ])
    return { evidence, knowledge, stamp: evidence.stamp }
  })
  const { why, ...suggested } = suggest(evidence, evidence.now)
  // Judgments of a place prove that it exists.
  const isProved = evidence.scope === scopes[0]?.name && suggested.primary !== null
  const missing = isProved ? undefined : await missingPlace(db, tenant, input)
  if (missing !== undefined) return { primary: null, conflict: null, warnings: [missing] }
  const warnings = [...evidence.warnings, ...(why === undefined ? [] : [why])]
  return {
    ...withFreshness(suggested, knowledge, evidence.now),
    ...(knowledge.length > 0 && { knowledge }),
    ...(warnings.length > 0 && { warnings }),
  }
})
