import canonicalize from 'canonicalize'
import { invalidField } from './errors.ts'
import type { Secrets } from './secret.ts'

/** What a page token is good for: one operation, of one tenant, with the same filters (in any order of keys). */
export interface PageScope {
  operation: string
  tenant: string
  filters: unknown
}

/** Opaque, tamper-proof positions in a list. */
export interface PageTokens {
  /** The token that leads to the page after `position`, any JSON value. */
  seal(scope: PageScope, position: unknown): string
  /** The position in a token; INVALID_ARGUMENT naming `pageToken` unless it was sealed for this very scope. */
  open(scope: PageScope, token: string): unknown
}

/** Makes page tokens: the position encrypted, with the scope as authenticated data. */
export function createPageTokens(secrets: Secrets): PageTokens {
  return {
    seal: (scope, position) => secrets.seal(JSON.stringify(position), contextOf(scope)),
    open(scope, token) {
      const context = contextOf(scope)
      try {
        return JSON.parse(secrets.open(token, context))
      } catch {
        throw invalidField('pageToken', 'must be the token of a page of this operation with the same filters')
      }
    },
  }
}

const contextOf = ({ operation, tenant, filters }: PageScope) =>
  `page ${canonicalize([operation, tenant, filters ?? null])}`
