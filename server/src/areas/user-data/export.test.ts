import { expect, test } from 'vitest'
import { newWorkspace, startService } from '../../../test/running-service.ts'
import type { Db } from '../../platform/db/db.ts'
import { FIRST_KEY, keyOf } from '../../platform/id.ts'
import { exportNotifications, PAGE } from './export.ts'

test('a notification that is deleted while a page is read does not end the list', async () => {
  const service = await startService()
  const ws = await newWorkspace(service)
  const [organizationId, userId] = ['acme', 'ada']
  await ws.ok('/v2/users/add', { organizationId, users: [{ userId }] })
  await ws.ok('/v2/workspace/notificationconfig/update', { useNotificationService: true })
  const comment = { commentText: '{{ada}}', from: { userId: 'bob' } }
  await ws.ok('/v2/commentannotations/add', {
    organizationId,
    documentId: 'plan',
    createDocument: true,
    commentAnnotations: [{ commentData: Array.from({ length: PAGE + 5 }, () => comment) }],
  })
  const [first] = (await ws.ok('/v2/notifications/get', { organizationId, userId, order: 'asc' })).data
  const { database } = service
  const deleting = {
    async query(...statement: Parameters<Db['query']>) {
      const rows = await database.query(...statement)
      await ws.ok('/v2/notifications/delete', { organizationId, notificationIds: [first?.id ?? ''] })
      return rows
    },
  } as Db
  const subject = {
    organizationId,
    organizationKey: keyOf(organizationId),
    userId,
    userKey: keyOf(userId),
    maxBytes: 2 ** 20,
  }
  const tenant = { apiKey: ws.apiKey, workspaceId: ws.id }
  const { next } = await exportNotifications(deleting, tenant, subject, [0, FIRST_KEY])
  expect(next).not.toBeNull()
})
