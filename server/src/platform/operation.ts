import type { Config } from './config.ts'
import type { ApiKeyTenant, Services, WorkspaceTenant } from './context.ts'
import type { Db } from './db/db.ts'
import type { ErrorStatus, Issue } from './errors.ts'
import type { Emit, Enqueue } from './event.ts'
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
  /** Of an API key that belongs to the workspace; the handler vouches for that. */
  workspace: { effectsOf(apiKey: string): Effects }
  none: object
}

/** What a handler gets. In a writing operation `db` is its transaction; a reading one has no effects. */
export type Context<Level extends Auth, Of extends Access, Input> = Services & {
  db: Db
  tenant: Tenants[Level]
  input: Input
  request: { id: string; clientAddress: string }
} & (Of extends 'write' ? Means[Level] : unknown)

/** One page of a list and the position after it, or null on the last page. */
export interface Page<Item> {
  data: Item
  next: string | null
}

type PageKey = 'pageToken' | 'nextPageToken'

/** An answer that is sent while it is read; its chunks are pulled as fast as the caller takes them. */
export interface Stream {
  contentType: string
  chunks: AsyncIterable<string>
}

interface Declaration<Level extends Auth, Of extends Access, Input extends TObject, Output extends TSchema | null> {
  /** The path, which is also the operation's address in the documentation. */
  path: `/v1/${string}` | `/v2/${string}`
  /** The same operation under its older path. */
  twin?: `/v1/${string}` | `/v2/${string}`
  auth: Level
  /** `write` runs in one transaction and honours Idempotency-Key; `read` runs without one. */
  access: Of
  summary: string
  description?: string
  input: Input
  /** The schema of `result.data`, or of the whole `result` when `bare`; null: the answer has no `data`. */
  output: Output
  /** Error statuses beyond those that any operation of its level can answer. */
  errors: ErrorStatus[]
  /** `result.message` of a success. */
  message: string
  /** The key of `result` that carries the token of the next page; the handler answers `{ data, next }`. */
  page?: PageKey
  /** The media types of an answer that is streamed instead of enveloped; the handler of a read answers a `Stream`. */
  stream?: string[]
  /** True: `result` is the output itself, without status and message (the memory operations). */
  bare?: true
  /** The HTTP status of a success when it is not 200. */
  successStatus?: 202
  /** True: the handler leaves rows that workers wait for, besides what it emits and enqueues. */
  queues?: true
  /** True: `data` must be present even though every parameter is optional. */
  requiresData?: true
  /** Rules between fields, judged after the schema. */
  check?: (input: Static<Input>) => Issue[]
  /** Calls per minute and subject, counted across processes. */
  rateLimit?: { by: 'clientAddress' | 'workspace'; limit: (config: Config) => number; message: string }
}

type Output<Schema extends TSchema | null> = Schema extends TSchema ? Static<Schema> : undefined
type Answer<Schema extends TSchema | null, Key, Media> = Media extends string[]
  ? Stream
  : Key extends PageKey
    ? Page<Output<Schema>>
    : Output<Schema>

/** An operation as the registry holds it; its name is its export's name. */
export interface Operation {
  readonly declaration: Omit<Declaration<Auth, Access, TObject, TSchema | null>, 'check'> & {
    check?: (input: never) => Issue[]
  }
  readonly run: (context: never) => Promise<unknown>
}

/**
 * Declares an operation: route, authentication, validation, transaction, reply, OpenAPI and the client's types derive
 * from this one literal. `.run` takes the handler; its types follow from the schemas.
 */
export function operation<
  const Level extends Auth,
  const Of extends Access,
  Input extends TObject,
  Schema extends TSchema | null,
  const Key extends PageKey | undefined = undefined,
  Media extends string[] | undefined = undefined,
>(declaration: Declaration<Level, Of, Input, Schema> & { page?: Key; stream?: Media }) {
  return {
    run(handler: (context: Context<Level, Of, Static<Input>>) => Promise<Answer<Schema, Key, Media>>): Operation {
      return { declaration, run: handler }
    },
  }
}

/** Operations by name, each under its area; one line per area in `operations.ts`. */
export type Registry = Record<string, Record<string, Operation>>

export interface NamedOperation extends Operation {
  readonly name: string
  readonly area: string
}

/** Every path that an operation answers at. */
export const pathsOf = ({ declaration: { path, twin } }: Operation): string[] => (twin ? [path, twin] : [path])

/** The registry as a list, in its own order. */
export function listOperations(registry: Registry): NamedOperation[] {
  return Object.entries(registry).flatMap(([area, operations]) =>
    Object.entries(operations).map(([name, { declaration, run }]) => ({ name, area, declaration, run })),
  )
}
