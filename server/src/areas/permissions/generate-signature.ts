import { operation } from '../../platform/operation.ts'
import { identifier, nullable, Type } from '../../platform/schema.ts'
import { accessRole } from './access/grant.ts'
import { signPermissions } from './provider/permission-signature.ts'
import { resourceType } from './resource.ts'

// Nullable where the others are optional: the signature covers the values as sent, nulls included.
const PermissionData = Type.Object({
  userId: identifier('Id of the user.'),
  resourceId: identifier('Id of the document, folder or organization.'),
  type: resourceType,
  hasAccess: Type.Boolean({ description: 'Whether the user has access.' }),
  accessRole: Type.Optional(nullable(accessRole)),
  expiresAt: Type.Optional(
    nullable(Type.Number({ description: 'Epoch milliseconds, after which access is validated again.' })),
  ),
})

/** Signs the response of a permission provider, exactly as it was sent. */
export const generateSignature = operation({
  path: '/v2/auth/generate_signature',
  auth: 'apiKey',
  access: 'read',
  summary: 'Sign permissions',
  description:
    'For backends only. The signature is the lower-case hex HMAC-SHA256, keyed by the auth token of the API key, over ' +
    'the canonical JSON (RFC 8785) of `permissions` as sent: unknown fields, units and the order of the list count.',
  input: Type.Object({ permissions: Type.Array(PermissionData) }),
  example: {
    permissions: [{ userId: 'iris', resourceId: 'poster', type: 'document', hasAccess: true, accessRole: 'viewer' }],
  },
  output: Type.Object({ signature: Type.String({ pattern: '^[0-9a-f]{64}$' }) }),
  errors: [],
  message: 'Signature generated successfully.',
}).run(async ({ db, tenant, secrets, input }) => ({
  signature: await signPermissions(db, tenant, secrets, input.permissions),
}))
