import { eraseUsers } from '../src/areas/activities/log/erase-users.ts'
import { type Sql, sql } from '../src/platform/db/db.ts'
import { keyOf } from '../src/platform/id.ts'
import { newWorkspace, type Service } from './running-service.ts'

/** The key of the organization that the log belongs to. */
export const acme = keyOf('acme')

/** An activity as sent. Its snapshot holds values that test the canonical form. */
export const activity = (id: string, more: object = {}) => ({
  id,
  featureType: 'comment',
  actionType: 'comment.add',
  actionUser: { userId: 'ada', name: 'Ada' },
  entityData: { text: `about ${id}`, ratio: 0.1, big: 1e21, none: null },
  ...more,
})

export type TestLog = Awaited<ReturnType<typeof newLog>>

/**
 * A workspace with an empty activity log of the organization acme, and calls to write it, verify it and tamper with it.
 */
export async function newLog(service: Service) {
  const ws = await newWorkspace(service)
  const tenant = { apiKey: ws.apiKey, workspaceId: ws.id }
  await ws.ok('/v2/workspace/activityconfig/update', { activityServiceConfig: { isEnabled: true } })
  const create = { documentId: 'plan', createOrganization: true, createDocument: true }
  const add = (activities: object[], organizationId = 'acme') =>
    ws.ok('/v2/activities/add', { organizationId, ...create, activities })
  await add([])
  const mine = sql`api_key = ${ws.apiKey} and organization_key = ${acme}`
  const tamper = (statement: Sql) => service.database.query(statement)
  return {
    ws,
    tenant,
    add,
    update: (id: string, actionIcon: string) =>
      ws.ok('/v2/activities/update', { organizationId: 'acme', activities: [{ id, actionIcon }] }),
    remove: (id: string) => ws.ok('/v2/activities/delete', { organizationId: 'acme', activityIds: [id] }),
    /** Runs one step of the erasure of a user, as the job does. */
    erase: (userId: string) =>
      service.database.transaction((db) =>
        eraseUsers({ db, tenant, secrets: service.app.services.secrets }, { userKeys: [keyOf(userId)] }),
      ),
    verify: async (more: object = {}) =>
      (await ws.ok('/v2/activities/verify', { organizationId: 'acme', ...more })).data,
    /** SQL condition: a row belongs to this log. */
    mine,
    tamper,
    /** Changes an entry directly in the database. */
    set: (position: number, assignment: Sql) =>
      tamper(sql`update activity_entry set ${assignment} where ${mine} and position = ${position}`),
  }
}

/**
 * A log with entries 1 to 7, to tamper with: three records, a new version of the first, a change of the second, the
 * third deleted, a fourth.
 */
export async function newFilledLog(service: Service): Promise<TestLog> {
  const log = await newLog(service)
  await log.add([activity('a'), activity('b'), activity('c')])
  await log.add([activity('a', { actionType: 'comment.update' })])
  await log.update('b', 'pen')
  await log.remove('c')
  await log.add([activity('d')])
  return log
}
