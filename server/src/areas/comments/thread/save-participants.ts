import { withFields } from '../../../platform/bulk.ts'
import type { ApiKeyTenant } from '../../../platform/context.ts'
import { json, sql, type Transaction } from '../../../platform/db/db.ts'
import { ApiError } from '../../../platform/errors.ts'
import { keyOf } from '../../../platform/id.ts'
import { CHANGE_BYTES, CHANGE_BYTES_TEXT, exceeds } from '../../../platform/record-size.ts'
import { holdRemovals, isRemoved } from '../../permissions/access/removed-user.ts'
import type { Participant } from './participant.ts'

/** A thread with its participants, and these as they are stored. */
interface Attended {
  key: string
  id: string
  participants: Participant[]
  storedParticipants: Participant[]
}

/**
 * Sends a statement that writes the participants of threads that are new or that the transaction has locked, but those
 * that are stored so. A removed user is not subscribed. From then on removals from the organization wait for the
 * transaction: they end what it writes to their users. Throws FAILED_PRECONDITION if the people of a thread would have
 * more than 32 MiB.
 */
export function saveParticipants(
  db: Transaction,
  tenant: ApiKeyTenant,
  organizationKey: string,
  threads: Attended[],
): void {
  if (threads.length === 0) return
  threads.forEach(assertPeopleFit)
  // First of all: a removal that waits for a row has what a lock later would wait for.
  holdRemovals(db, tenant, organizationKey)
  const rows = threads.flatMap(({ key, participants, storedParticipants }) => {
    const stored = new Set(storedParticipants)
    return participants
      .filter((participant) => !stored.has(participant))
      .map((participant) => withFields(participant, { key, userKey: keyOf(participant.person.userId) }))
  })
  if (rows.length === 0) return
  db.send(sql`
    insert into comment_participant (
      api_key, organization_key, annotation_key, user_key, person, is_author, is_mentioned, subscription, viewed_at)
    select ${tenant.apiKey}, ${organizationKey}, p.annotation_key, p.user_key, p.person, p.is_author, p.is_mentioned,
      case when p.subscription = 'off' or not ${isRemoved(tenant.apiKey, sql`${organizationKey}::uuid`, sql`p.user_key`)}
        then p.subscription end,
      p.viewed_at
    -- With the limit, which the planner does not know, it expects one row, and keeps the plan.
    from (
      select *
      from unnest(
        ${rows.map(({ key }) => key)}::uuid[],
        ${rows.map(({ userKey }) => userKey)}::uuid[],
        ${rows.map(({ person }) => json(person))}::jsonb[],
        ${rows.map(({ isAuthor }) => isAuthor)}::boolean[],
        ${rows.map(({ isMentioned }) => isMentioned)}::boolean[],
        ${rows.map(({ subscription }) => subscription)}::text[],
        ${rows.map(({ viewedAt }) => viewedAt)}::bigint[]
      ) as p (annotation_key, user_key, person, is_author, is_mentioned, subscription, viewed_at)
      limit ${rows.length}::bigint
    ) p
    on conflict (api_key, organization_key, annotation_key, user_key) do update
    set person = excluded.person, is_author = excluded.is_author, is_mentioned = excluded.is_mentioned,
      subscription = excluded.subscription, viewed_at = excluded.viewed_at`)
}

/** As many people have at most 28 MiB. */
const FEW_PEOPLE = 2_000

/** Each change of a thread reads all of its people. */
function assertPeopleFit({ id, participants, storedParticipants }: Attended): void {
  if (participants.length <= Math.max(FEW_PEOPLE, storedParticipants.length)) return
  if (!exceeds(participants, CHANGE_BYTES)) return
  throw new ApiError(
    'FAILED_PRECONDITION',
    `The people of the annotation ${id} would have more than ${CHANGE_BYTES_TEXT} in all. Nothing was changed.`,
  )
}

/**
 * Sends a statement that deletes who is no longer among the participants of threads that the transaction has locked.
 */
export function dropParticipants(
  db: Transaction,
  tenant: ApiKeyTenant,
  organizationKey: string,
  threads: Attended[],
): void {
  const gone = threads.flatMap(({ key, participants, storedParticipants }) => {
    const stay = new Set(participants.map(({ person }) => person.userId))
    return storedParticipants
      .filter(({ person }) => !stay.has(person.userId))
      .map(({ person }) => ({ key, userKey: keyOf(person.userId) }))
  })
  if (gone.length === 0) return
  db.send(sql`
    delete from comment_participant p
    using unnest(${gone.map(({ key }) => key)}::uuid[], ${gone.map(({ userKey }) => userKey)}::uuid[]) as g (key, user_key)
    where p.api_key = ${tenant.apiKey} and p.organization_key = ${organizationKey} and p.annotation_key = g.key
      and p.user_key = g.user_key`)
}
