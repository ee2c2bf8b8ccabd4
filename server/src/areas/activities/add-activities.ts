import { withFields } from '../../platform/bulk.ts'
import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, together } from '../../platform/db/db.ts'
import { ApiError } from '../../platform/errors.ts'
import { operation } from '../../platform/operation.ts'
import { oversizedItems } from '../../platform/record-size.ts'
import { Type } from '../../platform/schema.ts'
import type { Secrets } from '../../platform/secret.ts'
import { lookUpPeople, type People } from '../comments/comment/person.ts'
import { ensurePlace, placeOrCreateInput } from '../comments/thread/place.ts'
import { isSystemActor } from '../users/system-actor.ts'
import { readService } from '../workspaces/setting/service-config.ts'
import { ActivityInput } from './activity.ts'
import { emitDecisions } from './activity-event.ts'
import { activityService } from './activity-service.ts'
import { templateIssues } from './display-message.ts'
import { recordActivities } from './record-activities.ts'

const OFF =
  'Activity logs are not enabled for this API key. Enable them via POST /v2/workspace/activityconfig/update with ' +
  'activityServiceConfig.isEnabled: true.'
const MESSAGE = 'Activity(s) added successfully.'

/** Writes records to the activity log, all or none. A record with an existing id is overwritten. */
export const addActivities = operation({
  path: '/v2/activities/add',
  auth: 'apiKey',
  access: 'write',
  summary: 'Add activities',
  input: Type.Object({ ...placeOrCreateInput, activities: Type.Array(ActivityInput) }),
  example: {
    organizationId: 'example',
    documentId: 'landing-page',
    createDocument: true,
    activities: [
      {
        id: 'published-1',
        featureType: 'custom',
        actionType: 'published',
        actionUser: { userId: 'nadia', name: 'Nadia Quist' },
        targetEntityId: 'landing-page',
        displayMessageTemplate: '{{actionUser.name}} published version {{version}}',
        displayMessageTemplateData: { version: '3' },
      },
    ],
  },
  output: Type.Object({ success: Type.Boolean(), message: Type.String() }),
  errors: ['FAILED_PRECONDITION', 'NOT_FOUND'],
  message: MESSAGE,
  check: ({ activities }) => [
    ...activities.flatMap(({ featureType, targetEntityId }, index) =>
      featureType === 'custom' && targetEntityId === undefined
        ? [{ path: `activities[${index}].targetEntityId`, message: 'is required when featureType is custom' }]
        : [],
    ),
    ...oversizedItems('activities', activities),
    ...templateIssues(activities),
  ],
}).run(async ({ db, tenant, input, secrets, emit }) => {
  const unnamed = input.activities.filter(isUnnamed).map(({ actionUser }) => actionUser.userId)
  const [, { organizationKey: key, organizationId: id, documentId }, people] = await together([
    requireLog(db, tenant, secrets),
    ensurePlace(db, tenant, input),
    lookUpPeople(db, tenant, unnamed),
  ])
  const activities = input.activities.map((activity) => ({ documentId, activity: withName(activity, people) }))
  const written = await recordActivities({ db, tenant, secrets }, { key, id }, activities)
  await emitDecisions(emit, { key, id }, written)
  return { success: true, message: MESSAGE }
})

/** FAILED_PRECONDITION if the activity log of the API key is off. */
async function requireLog(db: Db, tenant: ApiKeyTenant, secrets: Secrets): Promise<void> {
  const { isOn } = await readService(db, tenant, secrets, activityService)
  if (!isOn) throw new ApiError('FAILED_PRECONDITION', OFF)
}

/** Whether the name of the actor was left out, other than on purpose. */
const isUnnamed = ({ actionUser, isActivityResolverUsed }: ActivityInput) =>
  actionUser.name === undefined && !isActivityResolverUsed && !isSystemActor(actionUser)

/** The activity with the name that the actor has now, for the log says who it was then. */
function withName(activity: ActivityInput, people: People): ActivityInput {
  if (!isUnnamed(activity)) return activity
  const { userId } = activity.actionUser
  const name = people.find(userId)?.name ?? userId
  return withFields(activity, { actionUser: withFields(activity.actionUser, { name }) })
}
