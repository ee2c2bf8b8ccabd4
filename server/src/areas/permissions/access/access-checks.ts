import type { ApiKeyTenant } from '../../../platform/context.ts'
import { coalesceReads } from '../../../platform/db/coalesce-reads.ts'
import type { Db } from '../../../platform/db/db.ts'
import { type AccessCheck, type Decision, decide } from './access.ts'

/** Access checks outside of a transaction. Concurrent calls about the same organization share one statement. */
export interface AccessChecks {
  /** Decides every check, in their order. */
  decide(tenant: ApiKeyTenant, organizationKey: string, checks: AccessCheck[]): Promise<Decision[]>
}

declare module '../../../platform/context.ts' {
  interface Services {
    accessChecks: AccessChecks
  }
}

/** A call with more checks gets a statement of its own, so that small calls do not wait for it. */
const MAX_SHARED_CHECKS = 10
/** The most calls that one statement serves. */
const MAX_CALLS = 32

interface Call {
  tenant: ApiKeyTenant
  organizationKey: string
  checks: AccessCheck[]
}

/** Creates the access checks of a process. */
export function createAccessChecks(db: Db): AccessChecks {
  const decideTogether = coalesceReads((_key, calls: Call[]) => decideAll(db, calls), MAX_CALLS)
  return {
    decide: (tenant, organizationKey, checks) =>
      checks.length <= MAX_SHARED_CHECKS
        ? decideTogether(`${tenant.apiKey} ${organizationKey}`, { tenant, organizationKey, checks })
        : decide(db, tenant, organizationKey, checks),
  }
}

/** The decisions of each call; all calls are about one organization. */
async function decideAll(db: Db, calls: Call[]): Promise<Decision[][]> {
  const [first] = calls
  if (!first) return []
  const all = calls.flatMap(({ checks }) => checks)
  const decisions = await decide(db, first.tenant, first.organizationKey, all)
  return calls.map(({ checks }) => decisions.splice(0, checks.length))
}
