import canonicalize from 'canonicalize'
import { invalidField } from './errors.ts'
import type { Secrets } from './secret.ts'

/** The scope of a page token: one operation of one tenant with the same filters, whatever the order of their keys. */
interface PageScope {
  operation: string
  tenant: string
  filters: unknown
}

/** Opaque, tamper-proof positions in a list. */
export interface PageTokens {
  /** Returns the token of the page after `position`, which is any JSON value. */
  seal(scope: PageScope, position: unknown): string
  /** Returns the position in a token; INVALID_ARGUMENT naming `pageToken` unless it was made for the same scope. */
  open(scope: PageScope, token: string): unknown
}

/** Creates page tokens: the position encrypted, with the scope as authenticated data. */
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
