import type { Config } from './config.ts'
import type { ApiKeyTenant, Services, WorkspaceTenant } from './context.ts'
import type { Db, Transaction } from './db/db.ts'
import type { ErrorStatus, Issue } from './errors.ts'
import type { Emit, Enqueue } from './event.ts'
import type { Credentials } from './http/authenticator.ts'
import type { Static, TObject, TSchema } from './schema.ts'

interface Tenants {
  apiKey: ApiKeyTenant
  workspace: WorkspaceTenant
  none: undefined
}
export type Auth = keyof Tenants
export type Access = 'read' | 'write'

/** The side effects of an operation with an API key: rows in its transaction. */
interface Effects {
  emit: Emit
  enqueue: Enqueue
}

interface Means {
  apiKey: Effects
  /** For an API key of the workspace. The handler must check that it belongs to the workspace. */
  workspace: { effectsOf(apiKey: string): Effects }
  none: object
}

/** What a handler knows about the HTTP request. */
export interface CallerRequest {
  id: string
  clientAddress: string
  /** Already checked, except in an operation without authentication. */
  credentials: Credentials
  /** Set for somebody at the console whose role sees no secrets. */
  hidesSecrets?: true
}

/** What a handler receives. In a writing operation `db` is its transaction; a reading operation has no effects. */
export type Context<Level extends Auth, Of extends Access, Input> = Services & {
  db: Of extends 'write' ? Transaction : Db
  tenant: Tenants[Level]
  input: Input
  request: CallerRequest
} & (Of extends 'write' ? Means[Level] : unknown)

/** One page of a list and the position after it, or null on the last page. */
export interface Page<Item> {
  data: Item
  next: string | null
}

type PageKey = 'pageToken' | 'nextPageToken'

/** A response that is sent while it is read; its chunks are read only as fast as the caller receives them. */
export interface Stream {
  contentType: string
  chunks: AsyncIterable<string>
}

/**
 * Reads the state that an administrative call changes, for its audit record; null: there is none. It holds no secret.
 */
export type StateReader = (about: AdministeredCall) => Promise<object | null>

/** An administrative call; `answer` is undefined before the handler has run. */
interface AdministeredCall {
  db: Db
  tenant: ApiKeyTenant | WorkspaceTenant | undefined
  input: Record<string, unknown>
  request: CallerRequest
  answer: unknown
}

/**
 * A value of an answer that is made when its JSON is written, and not before. Until then the process holds only what it
 * is made of, and what was made can go once it is written: a list of thousands never exists as a whole.
 */
export abstract class MadeLate<Value extends object> {
  /** About how many characters its JSON takes, with all that it holds. */
  abstract readonly estimatedBytes: number
  /** Makes the value; `JSON.stringify` calls it. It may be called again. */
  abstract toJSON(): Value
}

/** A value, or one that is made late. */
export type Late<Value> = Value extends object ? Value | MadeLate<Value> : Value

interface Declaration<
  Level extends Auth,
  Of extends Access,
  Input extends TObject,
  Output extends TSchema | null,
  Prepared = unknown,
> {
  /** The path, which is also the operation's address in the documentation. */
  path: `/v1/${string}` | `/v2/${string}` | `/console/api/${string}`
  /** An older path of the same operation. */
  twin?: `/v1/${string}` | `/v2/${string}`
  auth: Level
  /** `write` runs in one transaction and honours Idempotency-Key; `read` runs without a transaction. */
  access: Of
  summary: string
  description?: string
  input: Input
  /** The `data` of a typical call, which the API reference shows. Each operation of the API has one. */
  example?: Static<Input>
  /** The schema of `result.data`, or of the whole `result` if `bare`; null: the response has no `data`. */
  output: Output
  /** Error statuses beyond those that any operation with this authentication can return. */
  errors: ErrorStatus[]
  /** `result.message` of a success. */
  message: string
  /** The key of `result` that holds the token of the next page; the handler returns `{ data, next }`. */
  page?: PageKey
  /** The media types of a response that is streamed and has no envelope; the handler of the read returns a `Stream`. */
  stream?: string[]
  /** True: the answer of the read may be large although it has no pages. Few are made at a time (`Answers`). */
  large?: true
  /** True: `result` is the output itself, without status and message (the memory operations). */
  bare?: true
  /** The HTTP status of a success if it is not 200. */
  successStatus?: 202
  /**
   * Set where the operation administers, or shows a secret: each call leaves one audit record in its transaction. A
   * function reads what changes, before and after the handler, without secrets.
   */
  administers?: true | StateReader
  /** True: the handler leaves rows for the workers besides its events and jobs. */
  queues?: true
  /** True: `data` must be present although every parameter is optional. */
  requiresData?: true
  /** Rules between fields, checked after the schema. */
  check?: (input: Static<Input>) => Issue[]
  /**
   * Computes for long, with rests, what the handler needs of the input; it gets it as `prepared`. Others would wait for
   * a transaction meanwhile. Each statement on `db` is a transaction of its own, and stays where the handler fails.
   */
  prepare?: (input: Static<Input>, means: { db: Db; tenant: Tenants[Level] }) => Promise<Prepared>
  /** Who may call an operation without authentication. It throws before the body is read, after the rate limit. */
  gate?: (caller: Credentials, config: Config) => void
  /** Calls per minute and subject, counted across processes. */
  rateLimit?: { by: 'clientAddress' | 'workspace'; limit: (config: Config) => number; message: string }
}

type Output<Schema extends TSchema | null> = Schema extends TSchema ? Batched<Static<Schema>> : undefined

/**
 * A list may also be read in batches, as the caller takes them (`wholeList`). Its items may be made late, and so may
 * those of a map of lists.
 */
type Batched<Data> = Data extends (infer Item)[]
  ? Late<Item>[] | AsyncIterable<Late<Item>[]>
  : Data extends Record<string, (infer Item)[]>
    ? Record<string, Late<Item>[]>
    : Data
type Answer<Schema extends TSchema | null, Key, Media> = Media extends string[]
  ? Stream
  : Key extends PageKey
    ? Page<Output<Schema>>
    : Output<Schema>

/** An operation in the registry; its name is the name of its export. */
export interface Operation {
  readonly declaration: Omit<Declaration<Auth, Access, TObject, TSchema | null>, 'check' | 'prepare'> & {
    check?: (input: never) => Issue[]
    prepare?: (input: never, means: never) => Promise<unknown>
  }
  readonly run: (context: never) => Promise<unknown>
}

/**
 * Declares an operation. Route, authentication, validation, transaction, response, OpenAPI and the client's types
 * derive from this one literal. `.run` takes the handler, whose types follow from the schemas.
 */
export function operation<
  const Level extends Auth,
  const Of extends Access,
  Input extends TObject,
  Schema extends TSchema | null,
  const Key extends PageKey | undefined = undefined,
  Media extends string[] | undefined = undefined,
  Prepared = undefined,
>(declaration: Declaration<Level, Of, Input, Schema, Prepared> & { page?: Key; stream?: Media }) {
  type Given = Context<Level, Of, Static<Input>> & { prepared: Prepared }
  return {
    run(handler: (context: Given) => Promise<Answer<Schema, Key, Media>>): Operation {
      return { declaration, run: handler }
    },
  }
}

/** Operations by name, grouped by area; each area is one line in `operations.ts`. */
export type Registry = Record<string, Record<string, Operation>>

/** An operation of the registry. */
export interface NamedOperation extends Operation {
  readonly name: string
  readonly area: string
}

/** Whether the answer may be large: a page, a stream, or what the declaration says to be so. */
export const answersLarge = ({ access, page, large, stream }: Operation['declaration']): boolean =>
  access === 'read' && Boolean(page ?? large ?? stream)

/** Whether callers may send an Idempotency-Key: with a write, where it is known who they are. */
export const takesIdempotencyKey = ({ access, auth }: Operation['declaration']): boolean =>
  access === 'write' && auth !== 'none'

/** Every path of an operation. */
export const pathsOf = ({ declaration: { path, twin } }: Operation): string[] => (twin ? [path, twin] : [path])

/** The registry as a list, in its order. */
export function listOperations(registry: Registry): NamedOperation[] {
  return Object.entries(registry).flatMap(([area, operations]) =>
    Object.keys(operations).map((name) => namedOperation(area, operations, name)),
  )
}

/** An operation of an area. */
export function namedOperation<Name extends string>(
  area: string,
  operations: Record<Name, Operation>,
  name: Name,
): NamedOperation {
  const { declaration, run } = operations[name]
  return { name, area, declaration, run }
}
