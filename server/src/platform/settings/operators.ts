import type { Issue } from '../errors.ts'
import { type Static, Type } from '../schema.ts'
import { ISSUER, ROLE_OF_VALUE, SCOPE, TOKEN } from './setting-formats.ts'

/** The settings of the console and of those who run the installation. */
export const operatorSettings = {
  CONSOLE: Type.Enum(['on', 'read-only', 'off'], {
    default: 'on',
    description: 'Whether the console at `/console/` is served, and whether it may change anything.',
  }),
  OPERATOR_TOKEN: Type.Optional(
    Type.String({
      format: TOKEN,
      minLength: 16,
      maxLength: 200,
      orFile: true,
      unit: 'token',
      otherwise: 'required with `WORKSPACE_CREATE=token`',
      description:
        "The operator's token (16 to 200 characters). It creates workspaces, signs in to the console, and calls the console's operations as `Authorization: Bearer`. See `docs/operators.md`.",
    }),
  ),
  PASSWORD_SIGN_IN: Type.Enum(['on', 'off'], {
    default: 'on',
    description: 'Whether operators may sign in to the console with a password. Links stay possible.',
  }),
  OIDC_ISSUER: Type.Optional(
    Type.String({
      format: ISSUER,
      unit: 'URL',
      otherwise: 'no sign-in by OpenID Connect',
      description:
        'The OpenID Connect issuer that operators sign in with. It needs `PUBLIC_URL`. See `docs/operators.md`.',
    }),
  ),
  OIDC_CLIENT_ID: Type.Optional(
    Type.String({
      maxLength: 200,
      unit: 'text',
      otherwise: 'required with `OIDC_ISSUER`',
      description: 'The id under which the issuer knows this server.',
    }),
  ),
  OIDC_CLIENT_SECRET: Type.Optional(
    Type.String({
      maxLength: 1000,
      orFile: true,
      unit: 'text',
      otherwise: 'none: the issuer knows a public client',
      description: 'The secret that the issuer gave to this server.',
    }),
  ),
  OIDC_NAME: Type.String({
    default: 'single sign-on',
    maxLength: 60,
    unit: 'text',
    description: 'What the button for the issuer says after `Sign in with`.',
  }),
  OIDC_SCOPE: Type.Array(Type.String({ format: SCOPE, maxLength: 100 }), {
    default: ['openid', 'email', 'profile'],
    unit: 'scopes',
    description: 'What is asked of the issuer. `openid` and `email` are needed; some issuers give groups for a scope.',
  }),
  OIDC_ROLE_CLAIM: Type.Optional(
    Type.String({
      maxLength: 200,
      unit: 'name of a claim',
      otherwise: 'the role that the invitation gave',
      description:
        'The claim that says which role a person has, such as `groups`, or `realm_access.roles` for one inside another. People who were not invited may sign in then.',
    }),
  ),
  OIDC_ROLES: Type.Array(Type.String({ format: ROLE_OF_VALUE }), {
    default: [],
    unit: '`value=role` list',
    description: 'The roles that the values of `OIDC_ROLE_CLAIM` give. Of several the most powerful counts.',
  }),
  OIDC_ALLOW: Type.Array(Type.String({ format: 'CIDR range' }), {
    default: [],
    unit: 'CIDR ranges',
    description:
      'Private addresses that requests to the issuer may reach, besides those of `OUTBOUND_ALLOW`. Webhooks may not reach them.',
  }),
}

const group = Type.Object(operatorSettings)
type Values = Static<typeof group> & { PUBLIC_URL?: string; WORKSPACE_CREATE: string }

/** What is wrong between these settings. An `unread` secret is given, but its file has a fault. */
export function operatorFaults(values: Values, unread: string[]): Issue[] {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_ROLE_CLAIM, OIDC_ROLES, OIDC_SCOPE, PUBLIC_URL } = values
  const issues: Issue[] = []
  const fault = (path: string, message: string) => issues.push({ path, message })
  if (values.WORKSPACE_CREATE === 'token' && !values.OPERATOR_TOKEN && !unread.includes('OPERATOR_TOKEN')) {
    fault('OPERATOR_TOKEN', 'is required with WORKSPACE_CREATE=token; make one with: openssl rand -base64 32')
  }
  if (OIDC_ISSUER && !OIDC_CLIENT_ID) fault('OIDC_CLIENT_ID', 'is required with OIDC_ISSUER')
  if (OIDC_ISSUER && !PUBLIC_URL) fault('PUBLIC_URL', 'is required with OIDC_ISSUER, which sends people back to it')
  if (OIDC_CLIENT_ID && !OIDC_ISSUER) fault('OIDC_ISSUER', 'is required with OIDC_CLIENT_ID')
  if (OIDC_ROLE_CLAIM && OIDC_ROLES.length === 0) fault('OIDC_ROLES', 'is required with OIDC_ROLE_CLAIM')
  if (!OIDC_ROLE_CLAIM && OIDC_ROLES.length > 0) fault('OIDC_ROLE_CLAIM', 'is required with OIDC_ROLES')
  if (!OIDC_SCOPE.some((scope) => scope.split(' ').includes('openid'))) fault('OIDC_SCOPE', 'must contain openid')
  return issues
}
