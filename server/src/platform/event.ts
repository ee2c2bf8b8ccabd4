import type { ApiKeyTenant, Services } from './context.ts'
import { type Db, isAftermath, type JsonValue, json, sql } from './db/db.ts'
import { randomId } from './id.ts'

/** What an in-transaction subscriber works with: the transaction of the change, its tenant, and the means to react. */
export interface ChangeContext extends Services {
  db: Db
  tenant: ApiKeyTenant
  emit: Emit
  enqueue: Enqueue
}

/** A kind of change. `public` kinds are kept as event rows and delivered to customers; others only cascade. */
export interface EventType<Payload> {
  readonly type: string
  readonly public: boolean
  /** Never set: carries the payload's type. */
  readonly payload?: Payload
}

/** A change that concerns this service alone: subscribers react in its transaction, nothing is kept. */
export const internalEvent = <Payload>(type: string): EventType<Payload> => ({ type, public: false })

/** What a public event says; the emitter builds every shape once. */
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

/** A change that customers can subscribe to: its row is written in the transaction of the change. */
export const publicEvent = <Payload extends PublicPayload>(type: string): EventType<Payload> => ({ type, public: true })

/** An event as stored: `payload` plus its id, which is stable over every delivery. */
export type Emitted<Payload> = Payload & { eventId: string }

/** Emits one event per payload, in as few statements as their size allows, and runs every subscriber before it answers. */
export type Emit = <Payload>(type: EventType<Payload>, payloads: Payload[]) => Promise<void>

/** Puts jobs into the transaction, one per payload; they run after its commit. */
export type Enqueue = <Payload extends object>(
  job: { readonly name: string; run(context: never, payload: Payload): Promise<void> },
  payloads: Payload[],
  runAt?: number,
) => Promise<void>

/** A reaction to one kind of event; `type` is null for reactions to every public event. */
export interface Subscription {
  readonly type: string | null
  readonly react: (context: ChangeContext, payloads: never[], type: string) => Promise<void>
}

/** Binds a reaction to a kind of event; it runs inside the transaction of the change, set-based over the payloads. */
export function on<Payload>(
  type: EventType<Payload>,
  react: (context: ChangeContext, payloads: Emitted<Payload>[]) => Promise<void>,
): Subscription {
  return { type: type.type, react }
}

/** Binds a reaction to every public event. */
export function onPublic(
  react: (context: ChangeContext, payloads: Emitted<PublicPayload>[], type: string) => Promise<void>,
): Subscription {
  return { type: null, react }
}

/** Makes `emit` for one transaction and tenant. */
export function createEmit(subscriptions: Subscription[], context: Omit<ChangeContext, 'emit'>): Emit {
  const emit: Emit = async (type, payloads) => {
    if (payloads.length === 0) return
    const emitted = payloads.map((payload) => ({ ...payload, eventId: randomId('msg_') }))
    // Both at once: the first statement of the reactions travels in the same packet.
    const outcomes = await Promise.allSettled([
      type.public && store(context, type.type, emitted as unknown as Emitted<PublicPayload>[]),
      react(type, emitted),
    ])
    const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    if (failures.length > 0) throw failures.find((failure) => !isAftermath(failure)) ?? failures[0]
  }

  async function react<Payload>(type: EventType<Payload>, emitted: Emitted<Payload>[]): Promise<void> {
    for (const subscription of subscriptions) {
      if (subscription.type !== type.type && !(subscription.type === null && type.public)) continue
      await subscription.react({ ...context, emit }, emitted as never[], type.type)
    }
  }

  return emit
}

async function store(
  { db, tenant }: Pick<ChangeContext, 'db' | 'tenant'>,
  type: string,
  events: Emitted<PublicPayload>[],
) {
  for (const rows of batches(events)) {
    await db.query(sql`
      insert into event (api_key, id, type, organization_id, document_id, advanced, basic, processed)
      select ${tenant.apiKey}, e.id, ${type}, e.organization_id, e.document_id, e.advanced, e.basic, e.processed
      from rows from (
        unnest(
          ${rows.map((row) => row.eventId)}::text[],
          ${rows.map((row) => row.organizationId)}::text[],
          ${rows.map((row) => row.documentId)}::text[]
        ),
        json_array_elements(${jsonArray(rows.map((row) => row.advanced))}::json),
        json_array_elements(${jsonArray(rows.map((row) => row.basic))}::json),
        json_array_elements(${jsonArray(rows.map((row) => row.processed))}::json)
      ) as e (id, organization_id, document_id, advanced, basic, processed)`)
  }
}

/** One JSON text: as an array of the database every quotation mark would be escaped here, and read again there. */
const jsonArray = (values: JsonValue[]) => `[${values.map(({ text }) => text).join(',')}]`

// However much JSON the events of a call are, a process holds only this much of it at a time.
const MAX_BATCH_LENGTH = 4 * 1024 * 1024

/** Rows for one statement each; no more is written as JSON than is asked for. */
function* batches(events: Emitted<PublicPayload>[]) {
  let rows: ReturnType<typeof toRow>[] = []
  let length = 0
  for (const event of events) {
    const row = toRow(event)
    rows.push(row)
    length += row.advanced.text.length + row.basic.text.length + row.processed.text.length
    if (length < MAX_BATCH_LENGTH) continue
    yield rows
    rows = []
    length = 0
  }
  if (rows.length > 0) yield rows
}

const toRow = (event: Emitted<PublicPayload>) => ({
  ...event,
  advanced: json(event.advanced),
  basic: json(event.basic),
  processed: json(event.processed),
})
