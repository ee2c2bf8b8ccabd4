import { hostname, userInfo } from 'node:os'
import { apiKeyOf } from '../../platform/context.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Administered, Caller } from '../../platform/http/administration.ts'
import { appendAudit } from './audit.ts'
import { changed, redacted } from './redact.ts'

/** Writes the audit record of a call, in the transaction of its change. */
export async function auditCall(db: Db, { path, call, input, answer, before, after }: Administered): Promise<void> {
  const { tenant, request } = call
  const { workspaceId: only, ...who } = call.caller ?? callerOf(tenant)
  await appendAudit(db, {
    ...who,
    address: request.clientAddress,
    requestId: request.id,
    action: path,
    workspaceId: tenant?.workspaceId ?? textOf(before, 'workspaceId') ?? textOf(after, 'workspaceId') ?? only,
    apiKey: apiKeyOf(tenant) ?? textOf(input, 'apiKey') ?? textOf(answer, 'apiKey') ?? null,
    detail: redacted(input),
    ...changed(before, after),
  })
}

/** Who calls the API: whose token it is. */
function callerOf(tenant: Administered['call']['tenant']): Caller {
  if (!tenant) return { actor: 'anybody', role: '', door: 'api', workspaceId: null }
  return 'apiKey' in tenant
    ? { actor: tenant.apiKey, role: 'apiKey', door: 'api', workspaceId: null }
    : { actor: tenant.workspaceId, role: 'workspace', door: 'api', workspaceId: null }
}

function textOf(values: unknown, field: string): string | undefined {
  const value = typeof values === 'object' && values !== null ? (values as Record<string, unknown>)[field] : undefined
  return typeof value === 'string' ? value : undefined
}

interface Command {
  /** What was run, such as `credentials reset`. */
  action: string
  /** Default: `command`. */
  door?: 'command' | 'start'
  detail?: Record<string, unknown>
  workspaceId?: string | null
  apiKey?: string | null
}

/** Writes the audit record of a command on the machine, in the transaction of its change. */
export const auditCommand = (db: Db, { detail = {}, workspaceId = null, apiKey = null, ...command }: Command) =>
  appendAudit(db, {
    actor: `${userOfTheMachine()}@${hostname()}`,
    role: 'machine',
    door: 'command',
    ...command,
    address: '',
    workspaceId,
    apiKey,
    detail: redacted(detail),
  })

/** The name of the user that runs this process; the number where it has no name. */
function userOfTheMachine(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}
