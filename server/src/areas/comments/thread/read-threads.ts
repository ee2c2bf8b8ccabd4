import type { ApiKeyScope } from '../../../platform/context.ts'
import { type Db, sql, together } from '../../../platform/db/db.ts'
import { readComments, type ThreadComments, type WantedComments } from '../comment/read-comments.ts'
import {
  type InlineComments,
  type PackedComment,
  readInlineComments,
  unpacked,
} from '../comment/read-inline-comments.ts'
import { readParticipants } from './read-participants.ts'
import { type Thread, type ThreadParts, type ThreadRow, threadColumns, toThread } from './thread.ts'
import { readReactions } from './thread-reactions.ts'

/**
 * Reads the comments, participants and reactions of threads of one organization, in three statements for any number of
 * threads. With a map by key, those comments are read. `readPeople` reads the participants; default: all.
 */
export async function loadThreads(
  db: Db,
  tenant: ApiKeyScope,
  organizationKey: string,
  rows: ThreadRow[],
  wanted: Wanted,
  readPeople = readParticipants,
): Promise<Thread[]> {
  if (rows.length === 0) return []
  const keys = rows.map(({ key }) => key)
  const parts = await readParts(db, tenant, organizationKey, keys, wanted, readPeople)
  return rows.map((row) => toThread(row, parts(row.key)))
}

/** Reads the threads with these keys, in the order of the keys, with their parts, all at once. */
export async function readThreads(
  db: Db,
  tenant: ApiKeyScope,
  organizationKey: string,
  keys: string[],
  wanted: WantedComments,
): Promise<Thread[]> {
  const [rows, parts] = await together([
    db.query<ThreadRow>(sql`
      select ${threadColumns}
      from comment_annotation a
      where a.api_key = ${tenant.apiKey} and a.organization_key = ${organizationKey} and a.key = any(${keys}::uuid[])
      order by a.key`),
    readParts(db, tenant, organizationKey, keys, wanted),
  ])
  return rows.map((row) => toThread(row, parts(row.key)))
}

/** Comments of a thread to read, and what it has of them in all. */
export interface ShownComments extends InlineComments, Omit<ThreadComments, 'rows'> {}

type Wanted = WantedComments | Map<string, ShownComments>

/** Returns what is stored of each thread besides its row, by key. */
export async function readParts(
  db: Db,
  tenant: ApiKeyScope,
  organizationKey: string,
  keys: string[],
  wanted: Wanted,
  readPeople = readParticipants,
): Promise<(key: string) => ThreadParts> {
  const [comments, participants, reactions] = await together([
    wanted instanceof Map
      ? readInlineComments(db, tenant, organizationKey, wanted).then((read) => withCounts(read, wanted))
      : readComments(db, tenant, organizationKey, keys, wanted),
    readPeople(db, tenant, organizationKey, keys),
    readReactions(db, tenant, organizationKey, keys),
  ])
  return (key) => ({
    comments: comments.get(key),
    participants: participants.get(key),
    reactions: reactions.get(key),
  })
}

const withCounts = (read: Map<string, PackedComment[]>, shown: Map<string, ShownComments>) =>
  new Map(
    Array.from(shown, ([key, { commentsCount, newestAt }]) => {
      const rows = (read.get(key) ?? []).map(unpacked)
      return [key, { rows, commentsCount, newestAt }] as const
    }),
  )
