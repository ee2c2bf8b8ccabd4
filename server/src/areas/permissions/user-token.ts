import type { ApiKeyScope } from '../../platform/context.ts'
import { TOKEN_LIFETIME_SECONDS } from '../../platform/keys/signing-key.ts'
import type { Context } from '../../platform/operation.ts'
import { Type } from '../../platform/schema.ts'

const DEFAULT_ISSUER = 'precedent'

/** The response with a token. */
export const UserToken = Type.Object({
  token: Type.String({
    description:
      'A JWT (RS256) for 48 hours; its public key is published at /.well-known/jwks.json. Its audience (`aud`) is the API key.',
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
  { apiKey }: ApiKeyScope,
  user: TokenUser,
): Promise<{ token: string }> {
  const iat = Math.floor(clock.now() / 1000)
  const { userId, name, email, organizationId, isAdmin = false } = user
  const token = await tokenSigner.sign(db, {
    userId,
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email }),
    ...(organizationId !== undefined && { organizationId }),
    isAdmin,
    apiKey,
    sub: userId,
    aud: apiKey,
    iss: config.publicUrl ?? DEFAULT_ISSUER,
    iat,
    exp: iat + TOKEN_LIFETIME_SECONDS,
  })
  return { token }
}
