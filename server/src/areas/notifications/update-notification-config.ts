import { oneGivenIssues } from '../../platform/errors.ts'
import { operation } from '../../platform/operation.ts'
import { REFUSES_NULL, Type } from '../../platform/schema.ts'
import {
  NotificationServiceChange,
  NotificationServiceConfig,
  notificationService,
} from '../workspaces/setting/notification-service.ts'
import { updateService } from '../workspaces/setting/service-config.ts'
import { settingState } from '../workspaces/setting/setting.ts'

/** Updates the fields that are sent and returns the whole config. */
export const updateNotificationConfig = operation({
  path: '/v2/workspace/notificationconfig/update',
  auth: 'apiKey',
  access: 'write',
  administers: settingState(notificationService.name),
  summary: 'Update the notification configuration',
  input: Type.Object(
    {
      useNotificationService: Type.Optional(Type.Boolean({ description: 'Switches the service on or off.' })),
      notificationServiceConfig: Type.Optional(NotificationServiceChange),
    },
    REFUSES_NULL,
  ),
  example: { useNotificationService: true },
  output: Type.Object({ useNotificationService: Type.Boolean(), notificationServiceConfig: NotificationServiceConfig }),
  errors: [],
  message: 'Notification configuration updated successfully.',
  check: (input) => oneGivenIssues(input, ['useNotificationService', 'notificationServiceConfig']),
}).run(async (context) => {
  const { useNotificationService: isOn, notificationServiceConfig: config } = context.input
  const after = await updateService(context, context.tenant, notificationService, { isOn, config })
  return { useNotificationService: after.isOn, notificationServiceConfig: after.config }
})
