import { operation } from '../../platform/operation.ts'
import { Type } from '../../platform/schema.ts'
import { readService } from '../workspaces/setting/service-config.ts'
import { PermissionProviderConfig, permissionProvider } from './provider/permission-provider.ts'

/** Returns the permission provider, with defaults for what was never set. */
export const getPermissionProviderConfig = operation({
  path: '/v2/workspace/permissionproviderconfig/get',
  auth: 'apiKey',
  access: 'read',
  summary: 'Get the permission provider configuration',
  input: Type.Object({}),
  example: {},
  output: Type.Object({ usePermissionProvider: Type.Boolean(), permissionProviderConfig: PermissionProviderConfig }),
  errors: [],
  message: 'Permission provider configuration retrieved successfully.',
}).run(async ({ db, tenant, secrets }) => {
  const { isOn, config } = await readService(db, tenant, secrets, permissionProvider)
  return { usePermissionProvider: isOn, permissionProviderConfig: config }
})
