import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, type Sql, sql, together } from '../../../platform/db/db.ts'
import { besides } from '../../../platform/db/narrowing.ts'
import { ApiError } from '../../../platform/errors.ts'
import { keyOf } from '../../../platform/id.ts'
import { assertFewBytes, mayBeMany, type NamedComments, type WantedComments } from '../comment/read-comments.ts'
import { keysOfPlace } from './place.ts'
import { loadThreads, readParts } from './read-threads.ts'
import { type Thread, type ThreadRow, threadColumns, toThread } from './thread.ts'

interface Selection {
  condition: Sql
  limit: number
  wanted: WantedComments
}

/** Locks threads against other changes, in the order of their keys, and reads them with the wanted comments. */
export async function lockThreads(
  db: Db,
  tenant: ApiKeyTenant,
  organizationKey: string,
  { condition, limit, wanted }: Selection,
): Promise<Thread[]> {
  const rows = await lockRows(db, tenant, organizationKey, condition, limit)
  return loadThreads(db, tenant, organizationKey, rows, wanted)
}

const lockRows = (db: Db, { apiKey }: ApiKeyTenant, organizationKey: string, condition: Sql, limit: number) =>
  db.query<ThreadRow>(sql`
    select ${threadColumns}
    from comment_annotation a
    where a.api_key = ${apiKey} and a.organization_key = ${organizationKey} and ${condition}
    order by a.key
    limit ${limit}
    for no key update`)

/** The names of a thread. */
interface ThreadAddress {
  organizationId: string
  documentId: string
  annotationId: string
}

/**
 * Locks one thread of a document, and reads it with the wanted comments and those that events show. Undefined if there
 * is none. Throws INVALID_ARGUMENT if these comments have more than 32 MiB.
 */
export async function lockThread(
  db: Db,
  tenant: ApiKeyTenant,
  address: ThreadAddress,
  wanted: NamedComments,
): Promise<Thread | undefined> {
  const { organizationKey, documentKey } = keysOfPlace(tenant, address)
  const key = keyOf(address.annotationId)
  // Sent first, so what is sent after it is read under the lock.
  const locked = lockRows(
    db,
    tenant,
    organizationKey,
    sql`a.key = ${key} and ${besides(sql`a.document_key = ${documentKey}`)}`,
    1,
  )
  const read = () => readParts(db, tenant, organizationKey, [key], wanted)
  const { commentIds = [] } = wanted
  if (!mayBeMany(commentIds)) {
    const [[row], parts] = await together([locked, read()])
    return row && toThread(row, parts(key))
  }
  const [row] = await locked
  if (!row) return undefined
  await assertFewBytes(db, tenant, { organizationKey, key, commentIds })
  return toThread(row, (await read())(key))
}

/** As `lockThread`, but throws NOT_FOUND. */
export async function requireThread(
  db: Db,
  tenant: ApiKeyTenant,
  address: ThreadAddress,
  commentIds: number[] = [],
): Promise<Thread> {
  const thread = await lockThread(db, tenant, address, { commentIds })
  if (!thread) throw new ApiError('NOT_FOUND', `There is no annotation ${address.annotationId} in the document.`)
  return thread
}
