import { createEmit, type PublicPayload, publicEvent } from '../src/platform/event.ts'
import { createEnqueue } from '../src/platform/work/job.ts'
import { createWorkerWakeup } from '../src/platform/work/wakeup.ts'
import { subscriptions } from '../src/subscriptions.ts'
import type { Service, TestWorkspace } from './running-service.ts'

/**
 * Emits public events of one type as an operation of the API key would: in one transaction, then wakes the workers if
 * that has left work. Returns whether it has.
 */
export async function emitEvents(
  { app: { services }, database }: Service,
  { apiKey, id }: Pick<TestWorkspace, 'apiKey' | 'id'>,
  type: string,
  payloads: Partial<PublicPayload>[] = [{}],
): Promise<boolean> {
  const tenant = { apiKey, workspaceId: id }
  let leavesWork = false
  const wake = () => {
    leavesWork = true
  }
  await database.transaction(async (db) => {
    const enqueue = createEnqueue(db, tenant, services, wake)
    const emit = createEmit(subscriptions, { ...services, db, tenant, enqueue, wake })
    await emit(publicEvent<PublicPayload>(type), payloads.map(toPayload))
  })
  if (leavesWork) createWorkerWakeup(database, services.log)()
  return leavesWork
}

const toPayload = (payload: Partial<PublicPayload>): PublicPayload => ({
  organizationId: 'org-1',
  documentId: 'doc-1',
  advanced: { actionType: 'add', source: 'comment', platform: 'sdk', data: { n: 1 } },
  basic: { actionType: 'added', notificationSource: 'comment', platform: 'sdk' },
  processed: { actionType: 'added', notificationSource: 'comment', commentText: 'Hello' },
  ...payload,
})
