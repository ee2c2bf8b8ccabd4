import { operation } from '../../platform/operation.ts'
import { Type } from '../../platform/schema.ts'

/** Returns the doors that are open besides a link and the token of a workspace. Anybody may ask. */
export const getDoors = operation({
  path: '/console/api/session/doors',
  auth: 'none',
  access: 'read',
  summary: 'Get the ways to sign in',
  input: Type.Object({}),
  output: Type.Object({
    password: Type.Boolean(),
    operatorToken: Type.Boolean(),
    oidc: Type.Union([Type.String(), Type.Null()], { description: 'What its button is named after; null: none.' }),
  }),
  errors: [],
  message: 'Ways to sign in retrieved.',
}).run(async ({ config: { passwordSignIn, operatorToken, oidcIssuer, oidcName } }) => ({
  password: passwordSignIn === 'on',
  operatorToken: operatorToken !== undefined,
  oidc: oidcIssuer === undefined ? null : oidcName,
}))
