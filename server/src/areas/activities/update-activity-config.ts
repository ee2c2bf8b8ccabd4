import { operation } from '../../platform/operation.ts'
import { REFUSES_NULL, Type } from '../../platform/schema.ts'
import { updateService } from '../workspaces/setting/service-config.ts'
import { settingState } from '../workspaces/setting/setting.ts'
import { ActivityServiceConfig, activityService } from './activity-service.ts'

const IsEnabled = Type.Boolean({ description: 'Switches activity logs on or off.' })
const Change = Type.Partial(Type.Object({ isEnabled: IsEnabled, ...ActivityServiceConfig.properties }), REFUSES_NULL)

/** Updates the fields that are sent and returns the whole config. */
export const updateActivityConfig = operation({
  path: '/v2/workspace/activityconfig/update',
  auth: 'apiKey',
  access: 'write',
  administers: settingState(activityService.name),
  summary: 'Update the activity log configuration',
  input: Type.Object({ activityServiceConfig: Change }),
  example: { activityServiceConfig: { isEnabled: true } },
  output: Type.Object({
    activityServiceConfig: Type.Object({ isEnabled: IsEnabled, ...ActivityServiceConfig.properties }),
  }),
  errors: [],
  message: 'Activity configuration updated successfully.',
  check: ({ activityServiceConfig: change }) =>
    Object.keys(Change.properties).some((field) => Object.hasOwn(change, field))
      ? []
      : [{ path: 'activityServiceConfig', message: 'must hold at least one field to update' }],
}).run(async (context) => {
  const { isEnabled, ...config } = context.input.activityServiceConfig
  const change = { isOn: isEnabled, config }
  const after = await updateService(context, context.tenant, activityService, change)
  return { activityServiceConfig: { isEnabled: after.isOn, ...after.config } }
})
