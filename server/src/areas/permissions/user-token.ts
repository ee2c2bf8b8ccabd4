import type { ApiKeyTenant } from '../../platform/context.ts'
import type { Context } from '../../platform/operation.ts'
import { Type } from '../../platform/schema.ts'

const LIFETIME_SECONDS = 48 * 3600

/** The response with a token. */
export const UserToken = Type.Object({
  token: Type.String({
    description: 'A JWT (RS256) for 48 hours; its public key is published at /.well-known/jwks.json.',
  }),
})

/** The user of a token, as its claims describe them. */
export interface TokenUser {
  userId: string
  name?: string | undefined
  email?: string | undefined
  isAdmin?: boolean | undefined
  organizationId?: string | undefined
}

type IssueContext = Pick<Context<'none', 'write', unknown>, 'db' | 'tokenSigner' | 'clock' | 'config'>

/** Issues a token to a user of an API key. The audience is the key, the subject the user. */
export async function issueUserToken(
  { db, tokenSigner, clock, config }: IssueContext,
  { apiKey }: Pick<ApiKeyTenant, 'apiKey'>,
  user: TokenUser,
): Promise<{ token: string }> {
  const iat = Math.floor(clock.now() / 1000)
  const { isAdmin = false, ...claims } = user
  const token = await tokenSigner.sign(db, {
    ...claims,
    isAdmin,
    apiKey,
    sub: user.userId,
    aud: apiKey,
    ...(config.publicUrl !== undefined && { iss: config.publicUrl }),
    iat,
    exp: iat + LIFETIME_SECONDS,
  })
  return { token }
}
