import type { ApiKeyTenant, Services, WorkspaceTenant } from '../context.ts'
import { type Database, type Db, sql } from '../db/db.ts'
import { invalidArgument, invalidField } from '../errors.ts'
import { createEmit, type Emit, type Enqueue, type Subscription } from '../event.ts'
import { answersLarge, type CallerRequest, type NamedOperation, type Page, type Stream } from '../operation.ts'
import { createEnqueue } from '../work/job.ts'
import { ownTurn, restAfter } from '../yield.ts'
import { parseJson } from './body/parse-json.ts'
import { runOnce } from './idempotency.ts'
import { compileIgnoredFields } from './ignored-fields.ts'
import { type JsonAnswer, jsonAnswer } from './json-answer.ts'
import { checkStorable, compileInput, withListLimit } from './validate.ts'

/** A call that has passed authentication and its rate limit. */
export interface Call {
  tenant: ApiKeyTenant | WorkspaceTenant | undefined
  /** The body as sent; empty when there is none. */
  body: string
  idempotencyKey: string | undefined
  request: CallerRequest
  /** Who calls by another door than the API: the call leaves an audit record whatever the operation is. */
  caller?: Caller
  /** Set once the body is read: the fields that are ignored, as the header `x-ignored-fields` names them. */
  ignoredFields?: string
  /** Set when the handler has emitted an event or enqueued a job that workers must process. */
  leavesWork?: boolean
}

/** Who stands in the audit record of a call that came through the console or from the service itself. */
export interface Caller {
  actor: string
  role: string
  door: string
  workspaceId: string | null
}

/** What an audit record is made of. */
export interface Administered {
  path: string
  call: Pick<Call, 'tenant' | 'request' | 'caller'>
  input: unknown
  answer: unknown
  before: object | null
  after: object | null
}

interface Dependencies {
  database: Database
  /** Writes the audit record of a call, in the transaction of its change. */
  audit: (db: Db, administered: Administered) => Promise<void>
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
  const { administers, path } = declaration
  const readInput = inputReader(operation, services)

  function run(db: Db, call: Call, input: unknown): Promise<unknown> {
    const { tenant, request } = call
    const context = { ...services, db, tenant, input, request }
    return operation.run((declaration.access === 'read' ? context : { ...context, ...writeContext(db, call) }) as never)
  }

  async function handle(db: Db, call: Call, input: unknown): Promise<string> {
    const answer = await (isAudited(call) ? runAudited(db, call, input) : run(db, call, input))
    return JSON.stringify({ result: envelope(declaration, answer) })
  }

  const isAudited = (call: Call): boolean => administers !== undefined || call.caller !== undefined

  async function runAudited(db: Db, call: Call, input: unknown): Promise<unknown> {
    const about = { db, tenant: call.tenant, input: input as Record<string, unknown> }
    const read = typeof administers === 'function' ? administers : async () => null
    // What is read before is then what the handler changes.
    if (typeof administers === 'function')
      await db.query(sql`select pg_advisory_xact_lock(hashtextextended(${lockOf(call)}, 0))`)
    const before = await read({ ...about, answer: undefined })
    const answer = await run(db, call, input)
    await audit(db, { path, call, input, answer, before, after: await read({ ...about, answer }) })
    return answer
  }

  /** A read leaves its record first, in a transaction of its own. */
  const auditRead = (call: Call, input: unknown) =>
    database.transaction((db) => audit(db, { path, call, input, answer: undefined, before: null, after: null }))

  function writeContext(db: Db, call: Call): object {
    const { tenant } = call
    if (!tenant) return {}
    if ('apiKey' in tenant) return effectsOf(db, tenant, call)
    return { effectsOf: (apiKey: string) => effectsOf(db, { ...tenant, apiKey }, call) }
  }

  function effectsOf(db: Db, tenant: ApiKeyTenant, call: Call): { enqueue: Enqueue; emit: Emit } {
    const enqueue = createEnqueue(db, tenant, services)
    const emit = createEmit(subscriptions, { ...services, db, tenant, enqueue })
    return {
      enqueue: (...args) => markingWork(call, enqueue(...args)),
      emit: (type, payloads) => markingWork(call, emit(type, payloads)),
    }
  }

  function markingWork(call: Call, work: Promise<void>): Promise<void> {
    call.leavesWork = true
    return work
  }

  return async (call) => {
    const input = await readInput(call)
    if (declaration.access === 'read' && isAudited(call)) await auditRead(call, input)
    if (declaration.stream) return (await run(database, call, input)) as Stream
    if (declaration.access === 'read') return toAnswer(declaration, await run(database, call, input))
    const answer = await database.transaction((db) => {
      const { tenant, idempotencyKey } = call
      if (!tenant || idempotencyKey === undefined) return handle(db, call, input)
      const owner = 'apiKey' in tenant ? tenant.apiKey : tenant.workspaceId
      const idempotent = { key: idempotencyKey, owner, operation: declaration.path, body: call.body }
      return runOnce(db, services.secrets, idempotent, () => handle(db, call, input))
    })
    if (call.leavesWork || declaration.queues) wakeWorkers()
    return answer
  }
}

/** Administrative changes of one workspace, and those of the installation, run one after another. */
const lockOf = ({ tenant }: Call): string => `administration ${tenant?.workspaceId ?? ''}`

/** The answer of a read. A large one is made in a turn of its own. */
async function toAnswer(declaration: NamedOperation['declaration'], data: unknown): Promise<JsonAnswer> {
  if (answersLarge(declaration)) await ownTurn()
  return jsonAnswer(envelope(declaration, data))
}

/** Returns a function that parses, validates and checks the body of a call. */
function inputReader({ declaration }: NamedOperation, { config }: Services): (call: Call) => Promise<unknown> {
  const validate = compileInput(withListLimit(declaration.input, config.listLimit))
  const ignoredFieldsOf = compileIgnoredFields(declaration.input)
  return async (call) => {
    const pause = pauses(call.body)
    const parsed = await parseBody(call.body, declaration.requiresData === true)
    await pause?.()
    const data = storableData(parsed)
    await pause?.()
    const input = validate(data)
    await pause?.()
    call.ignoredFields = ignoredFieldsOf(data)
    await pause?.()
    const issues = declaration.check?.(input as never) ?? []
    await pause?.()
    if (issues.length > 0) throw invalidArgument(issues)
    return input
  }
}

/** A body of more characters gives other requests turns between the steps of its reading. */
const LARGE_BODY = 64 * 1024

/** A pause to be made after each step of reading a large body; undefined for others. */
export function pauses(body: { length: number }): (() => Promise<void>) | undefined {
  if (body.length <= LARGE_BODY) return undefined
  let since = performance.now()
  return async () => {
    await restAfter(since)
    since = performance.now()
  }
}

/** Parses a body; throws INVALID_ARGUMENT unless it is an object with the key `data`. */
async function parseBody(body: string, required: boolean): Promise<Record<string, unknown>> {
  if (body === '') {
    if (required) throw invalidField('data', 'is required')
    return { data: {} }
  }
  const parsed = await readJson(body)
  if (!isObject(parsed)) throw invalidField('', 'the body must be an object with the key data')
  if (!Object.hasOwn(parsed, 'data')) throw invalidField('data', 'is required')
  return parsed
}

/** Returns `data`, an object that can be stored; throws INVALID_ARGUMENT for anything else, beside it too. */
function storableData({ data, ...others }: Record<string, unknown>): unknown {
  if (!isObject(data)) throw invalidField('data', 'must be an object')
  checkStorable(data)
  checkStorable(others)
  return data
}

async function readJson(body: string): Promise<unknown> {
  try {
    return await parseJson(body)
  } catch {
    throw invalidField('', 'the body is not valid JSON')
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function envelope(declaration: NamedOperation['declaration'], answer: unknown): Record<string, unknown> {
  if (declaration.bare) return answer as Record<string, unknown>
  const { message, page, output } = declaration
  if (page) {
    const { data, next } = answer as Page<unknown>
    return { status: 'success', message, data, [page]: next }
  }
  return { status: 'success', message, ...(output && { data: answer ?? null }) }
}
