import type { ApiKeyTenant, WorkspaceTenant } from '../context.ts'
import type { Db } from '../db/db.ts'
import { lockByName } from '../db/list-lock.ts'
import type { CallerRequest, NamedOperation } from '../operation.ts'
import { knownFields } from './body/known-fields.ts'

/** Who stands in the audit record of a call that came through the console or from the service itself. */
export interface Caller {
  actor: string
  role: string
  door: string
  workspaceId: string | null
}

/** Whom a call is for and who makes it, as far as an audit record tells. */
export interface AuditedCall {
  tenant: ApiKeyTenant | WorkspaceTenant | undefined
  request: CallerRequest
  /** Who calls by another door than the API: the call leaves an audit record whatever the operation is. */
  caller?: Caller
}

/** What an audit record is made of. */
export interface Administered {
  path: string
  call: AuditedCall
  input: unknown
  /** Undefined for a read. */
  answer: unknown
  before: object | null
  after: object | null
}

/** Writes the audit record of a call, in the transaction of its change. */
export type Audit = (db: Db, administered: Administered) => Promise<void>

/** The audit of an operation's calls. A call that is not covered costs no statement. */
export function createAdministration({ declaration }: NamedOperation, audit: Audit) {
  const { administers, path } = declaration
  // A field that the operation does not know changes nothing, and may hold anything.
  const knownOf = (input: unknown) => knownFields(declaration.input, input) as Record<string, unknown>
  const read = typeof administers === 'function' ? administers : undefined
  return {
    /** Whether a call leaves a record. */
    covers: ({ caller }: AuditedCall): boolean => administers !== undefined || caller !== undefined,

    /** Runs a change and writes its record, with what stood there before and after. */
    async change<Answer>(db: Db, call: AuditedCall, sent: unknown, run: () => Promise<Answer>): Promise<Answer> {
      const { tenant, request } = call
      const input = knownOf(sent)
      const about = { db, tenant, request, input }
      if (read) await lock(db, call)
      const before = (await read?.({ ...about, answer: undefined })) ?? null
      const answer = await run()
      const after = (await read?.({ ...about, answer })) ?? null
      await audit(db, { path, call, input, answer, before, after })
      return answer
    },

    /** Writes the record of a read, which stands before anything is shown. */
    read: (db: Db, call: AuditedCall, sent: unknown) =>
      audit(db, { path, call, input: knownOf(sent), answer: undefined, before: null, after: null }),
  }
}

/**
 * Changes of one workspace, and those of the installation, run one after another: what is read before is then what the
 * handler changes. A call without a tenant makes a workspace, and waits for nobody.
 */
async function lock(db: Db, { tenant, caller }: AuditedCall): Promise<void> {
  if (!(tenant ?? caller)) return
  await lockByName(db, `administration ${tenant?.workspaceId ?? ''}`)
}
