import { operation } from '../../platform/operation.ts'
import { Type } from '../../platform/schema.ts'
import { NotificationServiceConfig, notificationService } from '../workspaces/setting/notification-service.ts'
import { readService } from '../workspaces/setting/service-config.ts'

/** Returns the notification config, with defaults for what was never set. */
export const getNotificationConfig = operation({
  path: '/v2/workspace/notificationconfig/get',
  auth: 'apiKey',
  access: 'read',
  summary: 'Get the notification configuration',
  input: Type.Object({}),
  example: {},
  output: Type.Object({ useNotificationService: Type.Boolean(), notificationServiceConfig: NotificationServiceConfig }),
  errors: [],
  message: 'Notification configuration retrieved successfully.',
}).run(async ({ db, tenant, secrets }) => {
  const { isOn, config } = await readService(db, tenant, secrets, notificationService)
  return { useNotificationService: isOn, notificationServiceConfig: config }
})
