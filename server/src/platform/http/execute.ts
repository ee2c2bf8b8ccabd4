import type { ApiKeyTenant, Services, WorkspaceTenant } from '../context.ts'
import type { Database, Db, Transaction } from '../db/db.ts'
import { createEmit, type Emit, type Enqueue, type Subscription } from '../event.ts'
import type { NamedOperation, Page, Stream } from '../operation.ts'
import { createEnqueue } from '../work/job.ts'
import { type Audit, type AuditedCall, createAdministration } from './administration.ts'
import { inputReader, type Sent } from './body/read-input.ts'
import { runOnce } from './idempotency.ts'
import { type JsonAnswer, jsonAnswer } from './json-answer.ts'

/** A call that has passed authentication and its rate limit. */
export interface Call extends AuditedCall, Sent {
  idempotencyKey: string | undefined
  /**
   * Set where the tenant is only presumed, while its credentials are checked: the tenant that they are for. Until it is
   * known nothing is committed, and nothing answered.
   */
  confirmation?: Promise<Call['tenant']> | undefined
  /** Set when the handler, or a reaction to its events, has left rows for the workers. */
  leavesWork?: boolean
}

/** What a call asks, and what was computed of it. */
interface Asked {
  input: unknown
  prepared: unknown
}

export interface Dependencies {
  database: Database
  audit: Audit
  services: Services
  subscriptions: Subscription[]
  /** Called after a commit that may have left work for the workers. */
  wakeWorkers: () => void
}

/**
 * Compiles an operation into a function from call to response: parse, validate, transaction, handler, envelope or
 * stream.
 */
export function createExecutor(
  operation: NamedOperation,
  dependencies: Dependencies,
): (call: Call) => Promise<JsonAnswer | Stream> {
  const { database, services, subscriptions, wakeWorkers, audit } = dependencies
  const { declaration } = operation
  const administration = createAdministration(operation, audit)
  const readInput = inputReader(operation, services)

  function run(db: Db, call: Call, { input, prepared }: Asked, effects = {}): Promise<unknown> {
    const { tenant, request } = call
    // The services last: to add fields to a copy of them takes ten times as long. The compiler refuses a service that
    // has the name of one of the fields before them.
    return operation.run({ db, tenant, input, prepared, request, ...effects, ...services } as never)
  }

  async function handle(db: Transaction, call: Call, asked: Asked): Promise<string> {
    const work = () => run(db, call, asked, writeContext(db, call))
    const answer = await (administration.covers(call) ? administration.change(db, call, asked.input, work) : work())
    return JSON.stringify({ result: envelope(declaration, answer) })
  }

  function write(db: Transaction, call: Call, asked: Asked): Promise<string> {
    const { tenant, idempotencyKey } = call
    if (!tenant || idempotencyKey === undefined) return handle(db, call, asked)
    const owner = ownerOf(tenant)
    const idempotent = { key: idempotencyKey, owner, operation: declaration.path, body: call.body }
    return runOnce(db, services.secrets, idempotent, () => handle(db, call, asked))
  }

  function writeContext(db: Transaction, call: Call): object {
    const { tenant } = call
    if (!tenant) return {}
    if ('apiKey' in tenant) return effectsOf(db, tenant, call)
    return { effectsOf: (apiKey: string) => effectsOf(db, { ...tenant, apiKey }, call) }
  }

  function effectsOf(db: Transaction, tenant: ApiKeyTenant, call: Call): { enqueue: Enqueue; emit: Emit } {
    const wake = () => {
      call.leavesWork = true
    }
    const enqueue = createEnqueue(db, tenant, services, wake)
    return { enqueue, emit: createEmit(subscriptions, { db, tenant, enqueue, wake, ...services }) }
  }

  return async (call) => {
    const input = await readInput(call)
    const prepared = await declaration.prepare?.(input as never, { db: database.work, tenant: call.tenant } as never)
    const asked = { input, prepared }
    if (declaration.access === 'read' && administration.covers(call))
      await database.transaction((db) => administration.read(db, call, input))
    const owner = call.tenant && ownerOf(call.tenant)
    const db = owner === undefined ? database : database.readsOf(owner)
    if (declaration.stream) return (await run(db, call, asked)) as Stream
    if (declaration.access === 'read') return jsonAnswer(envelope(declaration, await run(db, call, asked)))
    const answer = await database.transaction((db) => confirmed(call, write(db, call, asked)), owner)
    if (call.leavesWork || declaration.queues) wakeWorkers()
    return answer
  }
}

/** Whose data a call is on, and whose share of the process it takes. */
export const ownerOf = (tenant: ApiKeyTenant | WorkspaceTenant): string =>
  'apiKey' in tenant ? tenant.apiKey : tenant.workspaceId

function envelope(declaration: NamedOperation['declaration'], answer: unknown): Record<string, unknown> {
  if (declaration.bare) return answer as Record<string, unknown>
  const { message, page, output } = declaration
  if (page) {
    const { data, next } = answer as Page<unknown>
    return { status: 'success', message, data, [page]: next }
  }
  return { status: 'success', message, ...(output && { data: answer ?? null }) }
}

/**
 * Executes a call, that of a presumed tenant while its credentials are checked: rejects if they are refused. If they
 * are for a tenant that is no longer the presumed one, the call is executed again, and only that counts.
 */
export async function executeConfirmed(
  execute: (call: Call) => Promise<JsonAnswer | Stream>,
  call: Call,
): Promise<JsonAnswer | Stream> {
  const answer = execute(call)
  answer.catch(() => {})
  const tenant = (await call.confirmation) ?? call.tenant
  return tenant === call.tenant ? answer : execute({ ...call, tenant })
}

/** Throws after the work, so that it is not committed, unless the tenant is the one that its credentials are for. */
async function confirmed<T>({ tenant, confirmation }: Call, work: Promise<T>): Promise<T> {
  const done = await work
  if (confirmation && (await confirmation) !== tenant) throw new Error('The tenant has changed.')
  return done
}
