import { operation } from '../../platform/operation.ts'
import { Type } from '../../platform/schema.ts'
import { readService } from '../workspaces/setting/service-config.ts'
import { ActivityServiceConfig, activityService } from './activity-service.ts'

/** Returns the activity config, or only `isEnabled: false` if none was ever set. */
export const getActivityConfig = operation({
  path: '/v2/workspace/activityconfig/get',
  auth: 'apiKey',
  access: 'read',
  summary: 'Get the activity log configuration',
  input: Type.Object({}),
  example: {},
  output: Type.Object({
    activityServiceConfig: Type.Object({
      isEnabled: Type.Boolean(),
      ...Type.Partial(ActivityServiceConfig).properties,
    }),
  }),
  errors: [],
  message: 'Activity configuration retrieved successfully.',
}).run(async ({ db, tenant, secrets }) => {
  const { isOn, config, isConfigured } = await readService(db, tenant, secrets, activityService)
  return { activityServiceConfig: { isEnabled: isOn, ...(isConfigured && config) } }
})
