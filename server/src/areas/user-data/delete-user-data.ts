import { sql } from '../../platform/db/db.ts'
import { keyOf, randomId } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, Type } from '../../platform/schema.ts'
import { organizationKeyOf } from '../organizations/organization-key.ts'
import { deleteUserDataBatch, TASK_COUNT } from './delete-user-data.job.ts'

/** Starts the deletion of all data of users. Jobs complete it in the background. */
export const deleteUserData = operation({
  path: '/v2/users/data/delete',
  twin: '/v1/users/data/delete',
  auth: 'apiKey',
  access: 'write',
  administers: true,
  summary: "Delete users' data",
  description:
    'Takes their access, their comments, reactions, recordings and notifications, and mentions of them. Activities ' +
    'stay under a pseudonym. The answer comes at once; `users/data/delete/status` tells how far it is. Name many users ' +
    'in one call: each call reads all events that are kept.',
  input: Type.Object({
    userIds: Type.Array(identifier('Id of a user.')),
    organizationIds: Type.Optional(
      Type.Array(identifier('Id of an organization.'), { description: 'Omitted: every organization.' }),
    ),
  }),
  example: { userIds: ['kim'] },
  output: Type.Object({
    jobId: Type.String(),
    tasksCount: Type.Integer({ description: 'How many tasks the deletion consists of.' }),
  }),
  errors: [],
  message: 'Data deletion process has been initiated.',
  successStatus: 202,
}).run(async ({ db, tenant, input, enqueue }) => {
  const { organizationIds } = input
  const userIds = [...new Set(input.userIds)]
  const jobId = randomId('del_')
  const tasksCount = userIds.length === 0 || organizationIds?.length === 0 ? 0 : TASK_COUNT
  const organizationKeys = organizationIds
    ? [...new Set(organizationIds.flatMap((id) => [keyOf(id), organizationKeyOf(tenant, id)]))]
    : null
  await db.query(sql`
    insert into user_data_deletion (api_key, id, user_ids, organization_keys, task_count)
    values (${tenant.apiKey}, ${jobId}, ${tasksCount === 0 ? [] : userIds}::text[], ${organizationKeys}::uuid[],
      ${tasksCount})`)
  if (tasksCount > 0) await enqueue(deleteUserDataBatch, [{ deletionId: jobId }])
  return { jobId, tasksCount }
})
