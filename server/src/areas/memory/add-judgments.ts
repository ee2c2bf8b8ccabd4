import { lastById, memoize, resultsOf } from '../../platform/bulk.ts'
import type { ApiKeyTenant } from '../../platform/context.ts'
import { together } from '../../platform/db/db.ts'
import { meanwhile } from '../../platform/db/meanwhile.ts'
import { ApiError, type Issue } from '../../platform/errors.ts'
import { keyOf, newActivityId } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, itemResult, mapOf, type Static, Type } from '../../platform/schema.ts'
import { organizationKeyOf } from '../organizations/organization-key.ts'
import { reviewerOf } from './judgment/judgment.ts'
import { JudgmentItem } from './judgment/judgment-item.ts'
import { lockPlaces, type Place } from './judgment/place.ts'
import { type JudgmentDraft, recordJudgments } from './judgment/record-judgments.ts'

const Input = Type.Object({
  organizationId: Type.Optional(identifier('Organization of the judgments that name none.')),
  documentId: Type.Optional(identifier('Document of the judgments that name none; requires `organizationId`.')),
  judgments: Type.Array(JudgmentItem),
})
type Input = Static<typeof Input>

/** Imports judgments: each is recorded, or overwrites the one with its `recordId`, so an import can be repeated. */
export const addJudgments = operation({
  path: '/v2/memory/judgments/add',
  auth: 'apiKey',
  access: 'write',
  summary: 'Import judgments',
  input: Input,
  example: {
    organizationId: 'example',
    documentId: 'home-page',
    judgments: [
      {
        recordId: 'review-1',
        decision: 'reject',
        reasoning: 'The claim has no source. Name the test, or leave it out.',
        content: 'Headline: "The quietest motor on the market"',
        contentUserId: 'iris',
        actionUser: { userId: 'nadia', name: 'Nadia Quist' },
      },
    ],
  },
  output: Type.Object({ results: mapOf(itemResult(), 'One result per record id.') }),
  errors: ['NOT_FOUND'],
  message: '',
  bare: true,
  check: issuesOf,
}).run(async ({ db, tenant, input }) => {
  const placeOf = placeReader(tenant)
  const drafts = lastById(
    input.judgments.map((judgment) => toDraft(judgment, placeOf(effective(input, judgment)))),
    ({ recordId }) => recordId,
  )
  const outer = placeOf(effective(input, {}))
  const places = await lockPlaces(db, tenant, [outer, ...drafts.values()])
  if (!places.organization(outer)) throw missing('organization', input.organizationId)
  if (!places.document(outer)) throw missing('document', input.documentId)
  const isPlaced = (draft: JudgmentDraft) => places.organization(draft) && places.document(draft)
  const toResult = (id: string) => {
    const draft = drafts.get(id)
    if (draft && isPlaced(draft)) return { success: true, message: 'Added Successfully' }
    const what = draft && places.organization(draft) ? 'Document' : 'Organization'
    return { success: false, message: `${what} does not exist` }
  }
  const placed = [...drafts.values()].filter(isPlaced)
  const [, results] = await together([
    recordJudgments(db, tenant, placed),
    meanwhile(placed, () => resultsOf(drafts.keys(), toResult)),
  ])
  return { results }
})

interface PlaceIds {
  organizationId?: string | undefined
  documentId?: string | undefined
}

/**
 * The ids of a judgment. If its organization differs from the request's, it does not inherit the request's document.
 */
function effective(input: PlaceIds, judgment: PlaceIds) {
  const organizationId = judgment.organizationId ?? input.organizationId
  const inherited = organizationId === input.organizationId ? input.documentId : undefined
  return { organizationId, documentId: judgment.documentId ?? inherited }
}

function issuesOf({ judgments, ...outer }: Input): Issue[] {
  const needed = (path: string) => ({ path, message: 'is required with documentId' })
  const lacks = ({ organizationId, documentId }: ReturnType<typeof effective>) =>
    documentId !== undefined && organizationId === undefined
  if (lacks(effective(outer, {}))) return [needed('organizationId')]
  return judgments.flatMap((judgment, index) =>
    lacks(effective(outer, judgment)) ? [needed(`judgments[${index}].organizationId`)] : [],
  )
}

/**
 * Returns a function that makes the keys of places. Most judgments of a call share a place, whose key it makes once.
 */
function placeReader(tenant: ApiKeyTenant) {
  const organizationKey = memoize((id: string) => organizationKeyOf(tenant, id))
  const documentKey = memoize(keyOf)
  return ({ organizationId, documentId }: PlaceIds): Place => ({
    organizationKey: organizationId === undefined ? null : organizationKey(organizationId),
    documentKey: documentId === undefined ? null : documentKey(documentId),
  })
}

function toDraft(judgment: JudgmentItem, place: Place): JudgmentDraft {
  const { recordId = newActivityId(), agent = null, actionUser, annotationId = null, createdAt = null } = judgment
  const { decision, reasoning, content = '', contentUserId = null, contentType = null, confidence = 1 } = judgment
  const judgeType = judgment.judgeType ?? (agent ? 'agent' : 'human')
  const said = { decision, reasoning, content, contentUserId, contentType, confidence }
  const reviewer = reviewerOf(actionUser)
  return { recordId, ...place, annotationId, ...said, judgeType, agent, reviewer, createdAt, source: 'import' }
}

const missing = (what: string, id: string | undefined) => new ApiError('NOT_FOUND', `There is no ${what} ${id}.`)
