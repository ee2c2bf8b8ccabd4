import { groupBy, withFields } from '../../../platform/bulk.ts'
import type { ApiKeyScope, ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, json, type Sql, sql, type Transaction } from '../../../platform/db/db.ts'
import { ApiError } from '../../../platform/errors.ts'
import { keyOf } from '../../../platform/id.ts'
import { CHANGE_BYTES, CHANGE_BYTES_TEXT, exceeds } from '../../../platform/record-size.ts'
import { holdRemovals, isRemoved } from '../../permissions/access/removed-user.ts'
import type { User } from '../../users/user.ts'
import type { Comment } from '../comment/comment.ts'
import type { AnnotationRecord } from './annotation.ts'

/** A user whom a thread concerns. */
export interface Participant {
  person: User
  isAuthor: boolean
  isMentioned: boolean
  /** Null: never subscribed; off: unsubscribed on request, so that taking part does not subscribe the user again. */
  subscription: 'auto' | 'manual' | 'off' | null
  /** When the user last saw the thread. */
  viewedAt: number | null
}

/** What a user is to the comments of a thread. */
export type Roles = Pick<Participant, 'isAuthor' | 'isMentioned'>

interface Parts {
  record: AnnotationRecord
  participants: Participant[]
}

/**
 * The participants after these comments were added or edited. Their authors, and mentioned and assigned users, are
 * subscribed unless they unsubscribed. `left` has those whom other edits or deletions took a role, with what they still
 * are. Others stay as they are. Of whom nothing changes, the object that was given is returned.
 */
export function participantsOf(
  { record, participants }: Parts,
  comments: Comment[] = [],
  left: ReadonlyMap<string, Roles> = NOBODY,
): Participant[] {
  const before = new Map(participants.map((known) => [known.person.userId, known]))
  const all = new Map(
    participants.map((known) => {
      const after = { ...known, ...left.get(known.person.userId) }
      return [known.person.userId, isNamed(after) ? subscribed(after) : after]
    }),
  )
  function add(person: User, role: Partial<Roles>, seenAt: number | null = null) {
    const known = all.get(person.userId) ?? { person, ...NO_ROLE }
    const viewedAt = seenAt === null ? known.viewedAt : Math.max(seenAt, known.viewedAt ?? 0)
    all.set(person.userId, subscribed({ ...known, ...role, viewedAt }))
  }
  add(record.from, { isAuthor: true })
  if (record.assignedTo) add(record.assignedTo, {})
  for (const { from, to, createdAt } of comments) {
    add(from, { isAuthor: true }, createdAt)
    for (const person of to) add(person, { isMentioned: true })
  }
  return Array.from(all, ([userId, after]) => {
    const known = before.get(userId)
    return known && isSame(known, after) ? known : after
  })
}

const NOBODY: ReadonlyMap<string, Roles> = new Map()

/** The participants after a change of a thread that was read with all of its comments. */
export const participantsOfAll = (thread: Parts & { comments: Comment[] }): Participant[] =>
  participantsOf(thread, thread.comments, new Map(thread.participants.map(({ person }) => [person.userId, NO_ROLES])))

/** No role. */
export const NO_ROLES: Roles = { isAuthor: false, isMentioned: false }

const isNamed = ({ isAuthor, isMentioned }: Roles) => isAuthor || isMentioned

const subscribed = (participant: Participant): Participant => ({
  ...participant,
  subscription: participant.subscription ?? 'auto',
})

const isSame = (one: Participant, other: Participant) =>
  one.isAuthor === other.isAuthor &&
  one.isMentioned === other.isMentioned &&
  one.subscription === other.subscription &&
  one.viewedAt === other.viewedAt

/** The time of the newest comment. Who has viewed a thread at that time or later has seen all of it. */
export const newestCommentAt = (comments: Comment[], before = 0): number =>
  comments.reduce((latest, { createdAt }) => Math.max(latest, createdAt), before)

/**
 * The participants after comments were added: others have not seen them, even if they bear a time before a view.
 * `newestAt` is the time of the newest comment of all.
 */
export function withUnseen(participants: Participant[], newestAt: number, added: Comment[]): Participant[] {
  if (added.length === 0) return participants
  const authors = new Set(added.map(({ from }) => from.userId))
  return participants.map((participant) => {
    const { person, viewedAt } = participant
    const hadSeenAll = viewedAt !== null && viewedAt >= newestAt && !authors.has(person.userId)
    return hadSeenAll ? { ...participant, viewedAt: newestAt - 1 } : participant
  })
}

/** A participant without any role. */
export const NO_ROLE = { ...NO_ROLES, subscription: null, viewedAt: null }

interface ParticipantRow extends Participant {
  key: string
}

/** Reads the participants of threads, by the key of the thread. */
export async function readParticipants(
  db: Db,
  tenant: ApiKeyScope,
  organizationKey: string,
  annotationKeys: string[] | Sql,
): Promise<Map<string, Participant[]>> {
  const rows = await db.query<ParticipantRow>(sql`
    select annotation_key as key, person, is_author as "isAuthor", is_mentioned as "isMentioned", subscription,
      viewed_at as "viewedAt"
    from comment_participant
    where api_key = ${tenant.apiKey} and organization_key = ${organizationKey}
      and annotation_key = any(${annotationKeys}::uuid[])
    order by annotation_key, user_key`)
  return groupBy(rows, ({ key }) => key)
}

/** Reads at most so many participants of each thread, by the key of the thread. */
export const readSomeParticipants =
  (most: number): typeof readParticipants =>
  async (db, tenant, organizationKey, annotationKeys) => {
    const rows = await db.query<ParticipantRow>(sql`
      select p.annotation_key as key, person, is_author as "isAuthor", is_mentioned as "isMentioned", subscription,
        viewed_at as "viewedAt"
      from unnest(${annotationKeys}::uuid[]) as k (key)
      cross join lateral (
        select *
        from comment_participant
        where api_key = ${tenant.apiKey} and organization_key = ${organizationKey} and annotation_key = k.key
        order by user_key
        limit ${most}
      ) p
      order by p.annotation_key, p.user_key`)
    return groupBy(rows, ({ key }) => key)
  }

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
