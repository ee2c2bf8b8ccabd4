import { clearedByNull, httpUrl, REFUSES_NULL, type Static, Type, text } from '../../../platform/schema.ts'
import type { ServiceKind } from '../../workspaces/setting/service-config.ts'

/** The URL where the customer answers for permissions, and the token that is sent to it. */
export const PermissionProviderConfig = Type.Object({
  permissionProviderUrl: Type.Union([Type.Literal(''), httpUrl('An http(s) URL.')], {
    description: 'An http(s) URL, or empty for none.',
  }),
  authToken: text('The token sent to the permission provider.'),
})

const { permissionProviderUrl, authToken } = PermissionProviderConfig.properties

/** An update of it: null empties a field. */
export const PermissionProviderChange = Type.Object(
  { permissionProviderUrl: clearedByNull(permissionProviderUrl), authToken: clearedByNull(authToken) },
  REFUSES_NULL,
)

/** The permission provider of an API key. */
export const permissionProvider: ServiceKind<Static<typeof PermissionProviderConfig>> = {
  name: 'permission-provider',
  schema: PermissionProviderConfig,
  defaults: { permissionProviderUrl: '', authToken: '' },
  secretFields: ['authToken'],
  seed: () => ({}),
}
