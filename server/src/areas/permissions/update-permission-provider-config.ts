import { oneGivenIssues } from '../../platform/errors.ts'
import { operation } from '../../platform/operation.ts'
import { REFUSES_NULL, Type } from '../../platform/schema.ts'
import { updateService } from '../workspaces/setting/service-config.ts'
import { settingState } from '../workspaces/setting/setting.ts'
import {
  PermissionProviderChange,
  PermissionProviderConfig,
  permissionProvider,
} from './provider/permission-provider.ts'

/** Changes what is sent and returns the whole config. */
export const updatePermissionProviderConfig = operation({
  path: '/v2/workspace/permissionproviderconfig/update',
  auth: 'apiKey',
  access: 'write',
  administers: settingState(permissionProvider.name),
  summary: 'Update the permission provider configuration',
  input: Type.Object(
    {
      usePermissionProvider: Type.Optional(Type.Boolean({ description: 'Switches the service on or off.' })),
      permissionProviderConfig: Type.Optional(PermissionProviderChange),
    },
    REFUSES_NULL,
  ),
  example: {
    usePermissionProvider: false,
    permissionProviderConfig: { permissionProviderUrl: 'https://app.example.com/permissions' },
  },
  output: Type.Object({ usePermissionProvider: Type.Boolean(), permissionProviderConfig: PermissionProviderConfig }),
  errors: [],
  message: 'Permission provider configuration updated successfully.',
  check: (input) => [
    ...oneGivenIssues(input, ['usePermissionProvider', 'permissionProviderConfig']),
    // A header carries it.
    ...(/[^ -~]/.test(input.permissionProviderConfig?.authToken ?? '')
      ? [{ path: 'permissionProviderConfig.authToken', message: 'must be visible ASCII characters and spaces' }]
      : []),
  ],
}).run(async (context) => {
  const { usePermissionProvider: isOn, permissionProviderConfig: config } = context.input
  const url = config?.permissionProviderUrl
  if (url) context.outbound.assertUrl(url, 'permissionProviderConfig.permissionProviderUrl')
  const after = await updateService(context, context.tenant, permissionProvider, { isOn, config })
  return { usePermissionProvider: after.isOn, permissionProviderConfig: after.config }
})
