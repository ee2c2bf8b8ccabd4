import type { ApiKeyTenant, RenewedKeys, WorkspaceTenant } from '../../platform/context.ts'
import { type Db, sql } from '../../platform/db/db.ts'
import { ApiError, invalidField } from '../../platform/errors.ts'
import { checkStorable } from '../../platform/http/body/storable.ts'
import { inShare, type Share } from '../../platform/http/limits/bounds.ts'
import { compileInput } from '../../platform/http/validate.ts'
import { type NamedOperation, pathsOf, type Stream } from '../../platform/operation.ts'
import { type Static, Type } from '../../platform/schema.ts'
import type { ConsoleSession } from './access/console-caller.ts'
import { assertMay, callerOf } from './access/permit.ts'
import { rightsOf } from './access/role.ts'
import type { ConsoleOptions, Execute } from './fence/console-options.ts'
import type { ParsedCall } from './fence/console-request.ts'

const Input = Type.Object({
  apiKey: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  workspaceId: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  operation: Type.String({ maxLength: 200, description: 'Path of the operation.' }),
  data: Type.Optional(Type.Object({}, { additionalProperties: true })),
})

type Input = Static<typeof Input>

/** What was called, and its answer. */
export interface Answered {
  operation: NamedOperation
  answer: string | Stream
}

/**
 * Returns a function that runs an operation of the API as an API key or a workspace, if the session reaches it and its
 * role may. No token of the API is involved. The operation answers as it does to its own callers.
 */
export function createCallDoor({ operations, executorOf, database, services, bounds }: ConsoleOptions) {
  const byPath = new Map(operations.flatMap((operation) => pathsOf(operation).map((path) => [path, operation])))
  const executors = new Map<NamedOperation, Execute>()
  const readInput = compileInput(() => Input)
  return async (session: ConsoleSession, call: ParsedCall, share: Share): Promise<Answered> => {
    const input = readInput(call.parsed.data) as Input
    checkStorable({ apiKey: input.apiKey, workspaceId: input.workspaceId })
    const operation = byPath.get(input.operation)
    if (!operation) throw invalidField('operation', 'must be the path of an operation')
    assertMay(session, operation.declaration, services.config, input.data)
    const tenant = await tenantOf(database.checks, operation, input, session)
    const execute = executors.get(operation) ?? executorOf(operation)
    executors.set(operation, execute)
    const caller = callerOf(session, operation.declaration)
    const { console: _, ...request } = call.request
    const seesSecrets = rightsOf[session.role].includes('develop')
    const made = {
      ...call,
      tenant,
      request: { ...request, ...(!seesSecrets && { hidesSecrets: true as const }) },
      parsed: { data: input.data ?? {} },
      ...(caller && { caller }),
    }
    return inShare(bounds, operation, share, async () => ({ operation, answer: await execute(made) }))
  }
}

/** Whom the operation runs as. What the session does not reach counts as unknown. */
async function tenantOf(
  db: Db,
  { declaration: { auth } }: NamedOperation,
  { apiKey, workspaceId }: Input,
  { workspaceId: only }: ConsoleSession,
): Promise<ApiKeyTenant | WorkspaceTenant | undefined> {
  if (auth === 'none') return undefined
  if (apiKey !== undefined) {
    const [key] = await db.query<{ workspaceId: string; organizationKeys: RenewedKeys | null }>(sql`
      select workspace_id as "workspaceId", organization_keys as "organizationKeys"
      from api_key
      where id = ${apiKey} and not deleting`)
    const isReached =
      key && [null, key.workspaceId].includes(only) && [undefined, key.workspaceId].includes(workspaceId)
    if (!isReached) throw new ApiError('NOT_FOUND', 'API key not found.')
    const { workspaceId: id, organizationKeys } = key
    return auth === 'apiKey'
      ? { apiKey, workspaceId: id, organizationKeys: organizationKeys ?? undefined }
      : { workspaceId: id }
  }
  if (auth === 'apiKey') throw invalidField('apiKey', 'is required for this operation')
  if (workspaceId === undefined) throw invalidField('workspaceId', 'is required for this operation')
  const [workspace] = await db.query(sql`select id from workspace where id = ${workspaceId}`)
  if (!workspace || (only !== null && only !== workspaceId)) throw new ApiError('NOT_FOUND', 'Workspace not found.')
  return { workspaceId }
}
