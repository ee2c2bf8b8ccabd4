import { json, sql } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'
import { redact } from '../activities/log/redact.ts'
import { type EraseBatch, pseudonymOf, type Scope } from './erasure.ts'

/**
 * The most events that are read at once, about the most bytes as they are stored, and the most as texts: what repeats
 * itself is stored in a hundredth of its length. At least one event is read.
 */
const PAGE = 500
const PAGE_BYTES = 256 * 1024
const PAGE_TEXT_BYTES = 2 * 1024 * 1024

/**
 * So few users the database looks for itself. It takes its time for each; the process takes the same for any number.
 */
const FEW = 8

interface Shapes {
  advanced: { data?: { actionUser?: unknown } }
  basic: object
  processed: { commentTextFrom?: unknown }
}

interface StoredEvent extends Shapes {
  id: string
  organizationId: string
  isNaming: boolean
}

/**
 * Erases the users in events, which are kept for redelivery: pseudonyms replace users, and what they wrote is left out.
 * No index knows whom an event names, so all events are read, the oldest first.
 */
export const eraseEvents: EraseBatch = async ({ db, tenant, secrets }, scope, after) => {
  const events = await db.query<StoredEvent>(sql`
    select id, organization_id as "organizationId", naming.is as "isNaming",
      case when naming.is then advanced end as advanced, case when naming.is then basic end as basic,
      case when naming.is then processed end as processed
    from (
      select *
      from (
        select *, sum(octet_length(advanced::text) + octet_length(basic::text) + octet_length(processed::text))
          over (order by id) as text_bytes
        from (
          select *, row_number() over (order by id) as number,
            -- Of what is compressed, the compressed size: to learn the other of all would take too long.
            sum(pg_column_size(advanced) + pg_column_size(basic) + pg_column_size(processed))
              over (order by id) as bytes
          from (
            select *
            from event
            where api_key = ${tenant.apiKey} and id > ${after}
            order by id
            limit ${PAGE}
          ) p
        ) n
        where number = 1 or bytes <= ${PAGE_BYTES}
      ) s
      where number = 1 or text_bytes <= ${PAGE_TEXT_BYTES}
    ) e
    cross join lateral (
      select ${scope.userIds.length > FEW} or exists (
        select
        from unnest(${scope.userIds}::text[]) as u (id)
        where strpos(e.advanced::text || e.basic::text || e.processed::text, to_jsonb(u.id)::text) > 0
      ) as is
      offset 0
    ) naming
    order by id`)
  const ids = new Set(scope.userIds)
  const pseudonyms = new Map(scope.userIds.map((userId) => [userId, pseudonymOf({ tenant, secrets }, userId).userId]))
  const naming = events.filter((event) => event.isNaming && isWithin(event, scope) && names(event, ids))
  const redacted = naming.map((event) => ({ id: event.id, ...withoutUsers(event, pseudonyms) }))
  await db.query(sql`
    update event v
    set advanced = r.advanced, basic = r.basic, processed = r.processed
    from unnest(
      ${redacted.map(({ id }) => id)}::text[],
      ${redacted.map(({ advanced }) => json(advanced))}::json[],
      ${redacted.map(({ basic }) => json(basic))}::json[],
      ${redacted.map(({ processed }) => json(processed))}::json[]
    ) as r (id, advanced, basic, processed)
    where v.api_key = ${tenant.apiKey} and v.id = r.id`)
  return events.at(-1)?.id ?? false
}

/** Whether one of the ids stands anywhere in a value. */
function names(value: unknown, ids: Set<string>): boolean {
  if (typeof value === 'string') return ids.has(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some((item) => names(item, ids))
}

const isWithin = ({ organizationId }: StoredEvent, { organizationKeys }: Scope) =>
  organizationKeys === null || organizationKeys.includes(keyOf(organizationId))

function withoutUsers(event: Shapes, pseudonyms: Map<string, string>): Shapes {
  const isErased = (user: unknown) => pseudonyms.has((user as { userId?: string } | undefined)?.userId ?? '')
  const { advanced, basic, processed } = event
  // The author of the text can differ from the actor.
  const withoutText = isErased(processed.commentTextFrom) ? { ...processed, commentText: '' } : processed
  const shapes = { advanced, basic, processed: withoutText }
  const isAuthorErased = isErased(advanced.data?.actionUser)
  return redact(shapes, (userId) => pseudonyms.get(userId), isAuthorErased) as Shapes
}
