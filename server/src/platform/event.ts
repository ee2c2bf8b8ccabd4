import { withFields } from './bulk.ts'
import type { ApiKeyTenant, Services } from './context.ts'
import { type JsonValue, json, sql, type Transaction, together } from './db/db.ts'
import { randomId } from './id.ts'

/** What a subscriber works with inside the transaction: that transaction, its tenant, and the means to react. */
export interface ChangeContext extends Services {
  db: Transaction
  tenant: ApiKeyTenant
  emit: Emit
  enqueue: Enqueue
  /** Called by a reaction that has left rows for the workers: they are woken after the commit. */
  wake: () => void
  /**
   * What several reactions of one transaction need: the first call for `what` reads it, later ones share the result.
   */
  once<T>(what: string, read: () => Promise<T>): Promise<T>
}

/**
 * A kind of change. Events of `public` kinds are stored as rows and delivered to customers; the others only cascade.
 */
export interface EventType<Payload> {
  readonly type: string
  readonly public: boolean
  /** Never set; carries the type of the payload. */
  readonly payload?: Payload
}

/** A change that only this service reacts to: subscribers run in its transaction, and no row is stored. */
export const internalEvent = <Payload>(type: string): EventType<Payload> => ({ type, public: false })

/** The content of a public event. The emitter builds each of its shapes once. */
export interface PublicPayload {
  organizationId: string
  documentId: string | null
  /** The body for advanced endpoints, without `event` and `webhookId`. */
  advanced: Record<string, unknown>
  /** The body for the basic raw URL, without `webhookId`. */
  basic: Record<string, unknown>
  /** The body for the basic processed URL, without `webhookId`. */
  processed: Record<string, unknown>
}

/** A change that customers can subscribe to. Its row is written in the transaction of the change. */
export const publicEvent = <Payload extends PublicPayload>(type: string): EventType<Payload> => ({ type, public: true })

/** A stored event: `payload` plus its id, which every delivery shares. */
export type Emitted<Payload> = Payload & { eventId: string }

/** Emits one event per payload, in as few statements as their size allows. Returns after every subscriber has run. */
export interface Emit {
  <Payload>(type: EventType<Payload>, payloads: Payload[]): Promise<void>
  /** Reads what the reactions to an event will need. A handler calls it beside its own first statements. */
  ahead<Payload>(type: EventType<Payload>): Promise<void>
}

/** Enqueues jobs in the transaction, one per payload; they run after its commit. */
export type Enqueue = <Payload extends object>(
  job: { readonly name: string; run(context: never, payload: Payload): Promise<void> },
  payloads: Payload[],
  runAt?: number,
) => Promise<void>

/** A reaction to one kind of event; `type` is null for a reaction to every public event. */
export interface Subscription {
  readonly type: string | null
  readonly react: (context: ChangeContext, payloads: never[], type: string, found: Promise<unknown>) => Promise<void>
  /** Reads by `once` what `react` needs whatever the payloads are. */
  readonly ahead?: (context: ChangeContext) => Promise<unknown>
  /**
   * Reads what `react` gets as `found`. It begins beside the reactions before this one, and depends on none of them.
   */
  readonly find?: (context: ChangeContext, payloads: never[]) => Promise<unknown>
}

/** Declares a reaction to a kind of event. It runs in the transaction of the change, on all payloads at once. */
export function on<Payload>(
  type: EventType<Payload>,
  react: (context: ChangeContext, payloads: Emitted<Payload>[]) => Promise<void>,
  reads: Pick<Subscription, 'ahead'> = {},
): Subscription {
  return { type: type.type, react, ...reads }
}

/** Declares a reaction whose reads do not wait for the reactions before it: `react` gets what `find` has found. */
export function onFinding<Payload, Found>(
  type: EventType<Payload>,
  find: (context: ChangeContext, payloads: Emitted<Payload>[]) => Promise<Found>,
  react: (context: ChangeContext, found: Found) => Promise<void>,
): Subscription {
  return {
    type: type.type,
    find,
    react: async (context, _payloads, _type, found) => react(context, (await found) as Found),
  }
}

/** Declares a reaction to every public event. */
export function onPublic(
  react: (context: ChangeContext, payloads: Emitted<PublicPayload>[], type: string) => Promise<void>,
): Subscription {
  return { type: null, react }
}

/** Creates `emit` for one transaction and tenant. Without `wake`, the workers find at their next poll what is left. */
export function createEmit(
  subscriptions: Subscription[],
  given: Omit<ChangeContext, 'emit' | 'once' | 'wake'> & Partial<Pick<ChangeContext, 'wake'>>,
): Emit {
  const known = new Map<string, Promise<unknown>>()
  function once<T>(what: string, read: () => Promise<T>): Promise<T> {
    const result = (known.get(what) as Promise<T> | undefined) ?? read()
    known.set(what, result)
    return result
  }

  async function emitEach<Payload>(type: EventType<Payload>, payloads: Payload[]): Promise<void> {
    if (payloads.length === 0) return
    if (!type.public) return emitAll(type, payloads)
    const attributes = { 'messaging.operation.name': 'publish', 'messaging.batch.message_count': payloads.length }
    await context.tracing.span(`publish ${type.type}`, { kind: 'producer', attributes }, () => emitAll(type, payloads))
  }

  async function emitAll<Payload>(type: EventType<Payload>, payloads: Payload[]): Promise<void> {
    const emitted = payloads.map(
      (payload) => withFields(payload as object, { eventId: randomId('msg_') }) as Emitted<Payload>,
    )
    // Concurrently: the first statement of the reactions travels in the same packet.
    const stored = type.public
      ? store(context, type.type, emitted as unknown as Emitted<PublicPayload>[])
      : Promise.resolve()
    await together([stored, react(type, emitted)])
  }

  const reactionsTo = (event: EventType<unknown>) =>
    subscriptions.filter(({ type }) => type === event.type || (type === null && event.public))

  async function react<Payload>(type: EventType<Payload>, emitted: Emitted<Payload>[]): Promise<void> {
    const reactions = reactionsTo(type).map((reaction) => {
      const found = reaction.find?.(context, emitted as never[]) ?? NOTHING
      // It is heard when its reaction is due, unless one before it has failed.
      found.catch(() => {})
      return { reaction, found }
    })
    for (const { reaction, found } of reactions) await reaction.react(context, emitted as never[], type.type, found)
  }

  const emit: Emit = Object.assign(emitEach, {
    ahead: async (type: EventType<unknown>) => {
      await together(reactionsTo(type).map((reaction) => reaction.ahead?.(context) ?? NOTHING))
    },
  })
  const context: ChangeContext = { wake: () => {}, emit, once, ...given }
  return emit
}

const NOTHING: Promise<unknown> = Promise.resolve()

async function store(
  { db, tenant, tracing }: Pick<ChangeContext, 'db' | 'tenant' | 'tracing'>,
  type: string,
  events: Emitted<PublicPayload>[],
) {
  for (const { rows, length } of batches(events)) {
    const statement = sql`
      insert into event (
        api_key, id, type, organization_id, document_id, advanced, basic, processed, traceparent)
      select ${tenant.apiKey}, e.id, ${type}, e.organization_id, e.document_id, e.advanced, e.basic, e.processed,
        ${tracing.current()}::text
      from rows from (
        unnest(
          ${rows.map((row) => row.eventId)}::text[],
          ${rows.map((row) => row.organizationId)}::text[],
          ${rows.map((row) => row.documentId)}::text[]
        ),
        json_array_elements(${jsonArray(rows.map((row) => row.advanced))}::json),
        json_array_elements(${jsonArray(rows.map((row) => row.basic))}::json),
        json_array_elements(${jsonArray(rows.map((row) => row.processed))}::json)
      ) as e (id, organization_id, document_id, advanced, basic, processed)`
    if (length <= MAX_SENT_LENGTH) db.send(statement)
    else await db.query(statement)
  }
}

/** One JSON text. As a database array every quotation mark would be escaped here and parsed again there. */
const jsonArray = (values: JsonValue[]) => `[${values.map(({ text }) => text).join(',')}]`

// Limits the JSON that a process holds at a time, however large the events of a call are.
const MAX_BATCH_LENGTH = 4 * 1024 * 1024
// The caller waits for more, so that it does not make the next meanwhile.
const MAX_SENT_LENGTH = 64 * 1024

/** Yields the rows of one statement at a time; JSON is written only as it is requested. */
function* batches(events: Emitted<PublicPayload>[]) {
  let rows: ReturnType<typeof toRow>[] = []
  let length = 0
  for (const event of events) {
    const row = toRow(event)
    rows.push(row)
    length += row.advanced.text.length + row.basic.text.length + row.processed.text.length
    if (length < MAX_BATCH_LENGTH) continue
    yield { rows, length }
    rows = []
    length = 0
  }
  if (rows.length > 0) yield { rows, length }
}

const toRow = (event: Emitted<PublicPayload>) => ({
  ...event,
  advanced: json(event.advanced),
  basic: json(event.basic),
  processed: json(event.processed),
})
