import { runsBySize } from '../../../platform/bulk.ts'
import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, type Sql, sql } from '../../../platform/db/db.ts'
import { ApiError } from '../../../platform/errors.ts'
import { bytesOf, CHANGE_BYTES, CHANGE_BYTES_TEXT } from '../../../platform/record-size.ts'
import { shownBytes, type WantedComments } from '../comment/read-comments.ts'
import { heldBytes } from './held-bytes.ts'
import { readThreads } from './read-threads.ts'
import type { Thread } from './thread.ts'

/** The most threads that one call may update or delete, in all organizations. */
const MAX_THREADS = 10_000
/**
 * The most pairs of a thread and a user that one call may subscribe, mark or admit. Each is a row, and most an event.
 */
const MAX_PAIRS = 10_000
/** The most bytes that one call may read of the threads that it updates or deletes. It takes some ten seconds. */
const MAX_READ_BYTES = 256 * 1024 * 1024
const BATCH_THREADS = 1_000
const BATCH_BYTES = 2 * 1024 * 1024
/** A person of a thread takes as much time as so many bytes of comments. */
const PERSON_BYTES = 1024

interface Reading {
  wanted: WantedComments
  /** By how many bytes the change may make each thread larger, besides people. Default: 0. */
  growth?: number
}

interface Selection extends Reading {
  /** On `comment_annotation a`. */
  condition: Sql
  /** The users whom the change subscribes, marks or admits in each thread, by lists. */
  named?: (readonly unknown[] | undefined)[]
  /** What the call has selected so far, in organizations before this one. It grows. */
  counted?: { threads: number; bytes: number }
}

/** Threads that are changed together, and of how many of the call. */
interface Batch {
  threads: Thread[]
  total: number
}

/**
 * Locks the threads that match against other changes, in the order of their keys, and reads them batch by batch: at
 * most 1,000 threads, and about 2 MiB of records and comments or 2,000 people, or one thread. Each batch holds the
 * process while it is changed. Throws FAILED_PRECONDITION if more than 10,000 match or make as many pairs with users,
 * if they may grow by more than 32 MiB in all, if what is read of them has more than 256 MiB, or if all comments are to
 * be read of a thread that has more than 32 MiB of them.
 */
export async function* lockThreadBatches(
  db: Db,
  tenant: ApiKeyTenant,
  organizationKey: string,
  { condition, named = [], growth = 0, wanted, counted = { threads: 0, bytes: 0 } }: Selection,
): AsyncGenerator<Batch> {
  const locked = await db.query<Size>(sql`
    select a.key, ${sizesIn(tenant, organizationKey)}
    from comment_annotation a
    where a.api_key = ${tenant.apiKey} and a.organization_key = ${organizationKey} and ${condition}
    order by a.key
    limit ${MAX_THREADS + 1}
    for no key update`)
  counted.threads += locked.length
  if (counted.threads > MAX_THREADS) {
    throw new ApiError(
      'FAILED_PRECONDITION',
      `The filters match more than ${MAX_THREADS} annotations; narrow them. Nothing was changed.`,
    )
  }
  const lists = named.map((list = []) => list)
  const users = lists.reduce((sum, list) => sum + list.length, 0)
  if (locked.length * users > MAX_PAIRS) {
    throw new ApiError(
      'FAILED_PRECONDITION',
      `The ${locked.length} matching annotations and the ${users} users make more than ${MAX_PAIRS} pairs; narrow them. Nothing was changed.`,
    )
  }
  if (locked.length * growth > CHANGE_BYTES) {
    throw new ApiError(
      'FAILED_PRECONDITION',
      `The ${locked.length} matching annotations would repeat the update in more than ${CHANGE_BYTES_TEXT}; narrow them. Nothing was changed.`,
    )
  }
  counted.bytes += await bytesToRead(db, tenant, organizationKey, locked, wanted)
  if (counted.bytes > MAX_READ_BYTES) {
    throw new ApiError(
      'FAILED_PRECONDITION',
      `The ${counted.threads} matching annotations have more than 256 MiB in all, with 1 KiB more for each of their people; narrow them. Nothing was changed.`,
    )
  }
  const reading = { wanted, growth: growth + bytesOf(lists) + users * PERSON_BYTES }
  for await (const threads of readBatches(db, tenant, organizationKey, locked, reading)) {
    yield { threads, total: locked.length }
  }
}

/** Locks the threads that meet a condition on `comment_annotation a`, in the order of their keys. It reads nothing. */
export const lockThreadsThat = (db: Db, { apiKey }: ApiKeyTenant, organizationKey: string, condition: Sql) =>
  db.query(sql`
    select
    from comment_annotation a
    where a.api_key = ${apiKey} and a.organization_key = ${organizationKey} and ${condition}
    order by a.key
    for no key update`)

/** Reads threads batch by batch, as `lockThreadBatches` does. The transaction has locked them. */
export async function* readThreadBatches(
  db: Db,
  tenant: ApiKeyTenant,
  organizationKey: string,
  keys: string[],
  reading: Reading,
): AsyncGenerator<Thread[]> {
  yield* readBatches(db, tenant, organizationKey, await sizesOf(db, tenant, organizationKey, keys), reading)
}

async function* readBatches(
  db: Db,
  tenant: ApiKeyTenant,
  organizationKey: string,
  sizes: Size[],
  { wanted, growth = 0 }: Reading,
): AsyncGenerator<Thread[]> {
  if (wanted === 'all' && sizes.some(({ comments }) => comments > CHANGE_BYTES)) {
    const message = `An annotation has more than ${CHANGE_BYTES_TEXT} of comments. Nothing was changed.`
    throw new ApiError('FAILED_PRECONDITION', message)
  }
  for (const batch of batchesOf(sizes, growth)) yield readThreads(db, tenant, organizationKey, batch, wanted)
}

/** How many bytes are read of threads. What the comments that events show have is looked up only if it may matter. */
async function bytesToRead(
  db: Db,
  tenant: ApiKeyTenant,
  organizationKey: string,
  sizes: Size[],
  wanted: WantedComments,
): Promise<number> {
  const others = sizes.reduce((sum, size) => sum + size.others, 0)
  const comments = sizes.reduce((sum, size) => sum + size.comments, 0)
  if (wanted === 'all' || others + comments <= MAX_READ_BYTES) return others + comments
  const keys = sizes.map(({ key }) => key)
  return others + (await shownBytes(db, tenant, organizationKey, keys))
}

interface Size {
  key: string
  /** The bytes of all comments. */
  comments: number
  /** Those of its record, its people and the ids of its reactions. */
  others: number
}

/** SQL: what the thread `a` holds. */
const sizesIn = ({ apiKey }: ApiKeyTenant, organizationKey: string): Sql => sql`
  (
    select coalesce(sum(size), 0)::bigint
    from comment
    where api_key = ${apiKey} and organization_key = ${organizationKey} and annotation_key = a.key
  ) as comments,
  coalesce(a.size, 0) + ${heldBytes({ apiKey, organizationKey, perPerson: PERSON_BYTES })} as others`

/** What threads hold, in the order of the keys. */
export const sizesOf = (db: Db, tenant: ApiKeyTenant, organizationKey: string, keys: string[]): Promise<Size[]> =>
  db.query<Size>(sql`
    select k.key, ${sizesIn(tenant, organizationKey)}
    from unnest(${keys}::uuid[]) with ordinality as k (key, position)
    left join comment_annotation a
      on a.api_key = ${tenant.apiKey} and a.organization_key = ${organizationKey} and a.key = k.key
    order by k.position`)

/** The keys in batches that are read together. */
export const batchesOf = (sizes: Size[], growth = 0): string[][] =>
  runsBySize(sizes, ({ comments, others }) => comments + others + growth, {
    maxItems: BATCH_THREADS,
    maxSize: BATCH_BYTES,
  }).map((run) => run.map(({ key }) => key))
