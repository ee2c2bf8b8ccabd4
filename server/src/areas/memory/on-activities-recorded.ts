import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, sql, together } from '../../platform/db/db.ts'
import { on } from '../../platform/event.ts'
import { hexId, keyOf } from '../../platform/id.ts'
import { type ActivityDecision, activitiesRecorded, decisionsWithdrawn } from '../activities/activity-event.ts'
import { takeChanges } from './judgment/change-log.ts'
import { isIdentifier, objectOf } from './judgment/custom-data.ts'
import { decidingAgentOf, reviewerOf } from './judgment/judgment.ts'
import { lockPlaces } from './judgment/place.ts'
import { deleteJudgmentsWhere, type JudgmentDraft, recordJudgments } from './judgment/record-judgments.ts'

/** Records decisions of activity records under the record's id. A later version overwrites the judgment. */
export const rememberActivityDecisions = on(activitiesRecorded, async ({ db, tenant, wake }, decisions) => {
  const drafts = decisions.filter(({ decision }) => isIdentifier(decision)).map(judgmentOf)
  const places = await lockPlaces(db, tenant, drafts)
  const placed = drafts.filter((draft) => places.organization(draft) && places.document(draft))
  if (placed.length === 0) return
  await recordJudgments(db, tenant, await withFreeIds(db, tenant, placed))
  wake()
})

/** Deletes judgments whose activity records were withdrawn. */
export const forgetActivityDecisions = on(decisionsWithdrawn, async ({ db, tenant }, withdrawn) => {
  const rows = withdrawn.flatMap(({ organizationKey, activityId }) =>
    [activityId, otherIdOf(tenant, organizationKey, activityId)].map((id) => ({ organizationKey, key: keyOf(id) })),
  )
  const condition = sql`j.source = 'activity' and (j.key, j.organization_key) in (
    select *
    from unnest(
      ${rows.map(({ key }) => key)}::uuid[],
      ${rows.map(({ organizationKey }) => organizationKey)}::uuid[]))`
  await deleteJudgmentsWhere(db, tenant, condition)
})

function judgmentOf(told: ActivityDecision): JudgmentDraft {
  const { entityData } = told.content as { entityData?: unknown }
  const { content, contentType, confidence, agent, judgeType } = objectOf(entityData)
  const { featureType, targetEntityId } = told.record
  const decidedBy = decidingAgentOf(agent)
  return {
    recordId: told.activityId,
    organizationKey: told.organizationKey,
    documentKey: told.documentId === '' ? null : keyOf(told.documentId),
    annotationId: featureType === 'comment' && isIdentifier(targetEntityId) ? targetEntityId : null,
    decision: told.decision,
    reasoning: told.reasoning ?? '',
    content: typeof content === 'string' ? content : '',
    contentUserId: null,
    contentType: isIdentifier(contentType) ? contentType : String(featureType),
    confidence: typeof confidence === 'number' && confidence >= 0 && confidence <= 1 ? confidence : 1,
    judgeType: decidedBy || judgeType === 'agent' ? 'agent' : 'human',
    agent: decidedBy,
    reviewer: reviewerOf({ ...told.actor, name: told.actor.name ?? told.actor.userId }),
    createdAt: told.timestamp,
    source: 'activity',
  }
}

/** The id of a judgment if the activity's own id is taken. */
const otherIdOf = ({ apiKey }: ApiKeyTenant, organizationKey: string | null, activityId: string) =>
  `act_${hexId('activity', apiKey, `${organizationKey}/${activityId}`)}`

/**
 * An activity's id is unique in its organization, a judgment's in the API key. An activity whose id is taken gets
 * another. It locks out other changes to judgments until the commit, so that nobody takes an id meanwhile.
 */
async function withFreeIds(db: Db, tenant: ApiKeyTenant, drafts: JudgmentDraft[]): Promise<JudgmentDraft[]> {
  const otherId = ({ organizationKey, recordId }: JudgmentDraft) => otherIdOf(tenant, organizationKey, recordId)
  const candidates = drafts.flatMap((draft) => [draft.recordId, otherId(draft)])
  const [, taken] = await together([
    takeChanges(db, tenant, 0),
    db.query<{ id: string; organizationKey: string | null }>(sql`
      select record_id as id, organization_key as "organizationKey"
      from judgment
      where api_key = ${tenant.apiKey} and key = any(${candidates.map(keyOf)}::uuid[])`),
  ])
  const organizations = new Map(taken.map(({ id, organizationKey }) => [id, organizationKey]))
  return drafts.map((draft) => {
    const other = otherId(draft)
    const isFree = [undefined, draft.organizationKey].includes(organizations.get(draft.recordId))
    return isFree && !organizations.has(other) ? draft : { ...draft, recordId: other }
  })
}
