import { asBytes } from '../../../platform/db/column-types.ts'
import { type Db, sql } from '../../../platform/db/db.ts'
import type { Secrets } from '../../../platform/secret.ts'
import type { Chunk } from './chunk.ts'
import { CHUNK_FORM, pack, unpack } from './pack-chunk.ts'
import { isNewer, OTHERS_KEPT_MS, storedFormat } from './stored-form.ts'

/** Bytes of a chunk that are read as one row. */
const PIECE = 48 * 1024

/** The change numbers of the judgments of a chunk: all judgments whose number lies between them, both included. */
export interface ChunkRange {
  first: number
  last: number
}

/** A chunk that is stored. */
export interface StoredChunk extends ChunkRange {
  judgments: number
  /** False if it is torn, not known to be whole, or of another form or master key. */
  isReadable: boolean
  /** Whether it must be made again. */
  isDue: boolean
}

type Key = Pick<Secrets, 'currentKeyId' | 'sealBytes' | 'openBytes'>

const formatOf = (secrets: Key) => storedFormat(CHUNK_FORM, secrets)

/**
 * SQL condition on `judgment_chunk c`: it must be made again. One of a newer form or of another master key is left
 * alone for a day: processes that run side by side would make it again in turn. Later it is made, also after a way
 * back.
 */
const isDue = (secrets: Key) => sql`(c.judgments < 0 or (c.format <> ${formatOf(secrets)} and (
  c.made_at < now_ms() - ${OTHERS_KEPT_MS}::bigint or not ${isNewer(sql`c.format`, CHUNK_FORM, 'or the same')})))`

const contextOf = (apiKey: string, { first, last }: ChunkRange) => `judgment-chunk:${apiKey}:${first}:${last}`

/** The last change of an API key, and its chunks in their order. */
export async function listChunks(
  db: Db,
  apiKey: string,
  secrets: Key,
): Promise<{ change: number; chunks: StoredChunk[] }> {
  const rows = await db.query<{ change: number; first: number | null } & Omit<StoredChunk, 'first'>>(sql`
    select l.change, c.first, c.last, c.judgments, c.judgments >= 0 and c.format = ${formatOf(secrets)} as "isReadable",
      ${isDue(secrets)} as "isDue"
    from judgment_log l
    left join judgment_chunk c on c.api_key = l.api_key
    where l.api_key = ${apiKey}
    order by c.first`)
  const chunks = rows.flatMap(({ change: _, first, ...rest }) => (first === null ? [] : [{ first, ...rest }]))
  return { change: rows[0]?.change ?? 0, chunks }
}

/** Reads a chunk; undefined if it is not there any more, or cannot be read. */
export async function readChunk(db: Db, apiKey: string, range: ChunkRange, secrets: Key): Promise<Chunk | undefined> {
  // In pieces, because a large row is copied several times.
  const pieces = await db.query<{ piece: Buffer }>(sql`
    select ${asBytes(sql`substring(c.sealed from p.at + 1 for ${PIECE})`)} as piece
    from judgment_chunk c
    cross join lateral generate_series(0, greatest(length(c.sealed), 1) - 1, ${PIECE}) p (at)
    where c.api_key = ${apiKey} and c.first = ${range.first} and c.last = ${range.last} and c.judgments >= 0
      and c.format = ${formatOf(secrets)}
    order by p.at`)
  if (!pieces[0]) return undefined
  const sealed = pieces.map(({ piece }) => piece)
  try {
    return unpack(secrets.openBytes(sealed, contextOf(apiKey, range)))
  } catch {
    await tearChunk(db, apiKey, range)
    return undefined
  }
}

/** A chunk that cannot be read is made again. */
async function tearChunk(db: Db, apiKey: string, { first, last }: ChunkRange): Promise<void> {
  await db.query(sql`
    update judgment_chunk
    set judgments = -1, sealed = ''
    where api_key = ${apiKey} and first = ${first} and last = ${last}`)
}

/**
 * Stores a chunk in place of the one that begins with the same change. Three statements, so that it holds no judgment
 * that is deleted meanwhile: writers who began before the first have ended after the second, and the third sees what
 * they did. Those who begin later see the chunk and tear it.
 */
export async function storeChunk(db: Db, apiKey: string, range: ChunkRange, chunk: Chunk, secrets: Key): Promise<void> {
  const { first, last } = range
  const sealed = secrets.sealBytes(pack(chunk), contextOf(apiKey, range))
  await db.query(sql`
    insert into judgment_chunk (api_key, first, last, judgments, format, sealed, made_at)
    values (${apiKey}, ${first}, ${last}, -2, ${formatOf(secrets)}, ${sealed}, now_ms())
    on conflict (api_key, first) do update
      set last = excluded.last, judgments = excluded.judgments, format = excluded.format, sealed = excluded.sealed,
        made_at = excluded.made_at`)
  await db.query(sql`select 1 as waited from judgment_log where api_key = ${apiKey} for update`)
  await db.query(sql`
    update judgment_chunk c
    set judgments = ${chunk.rows.createdAt.length}
    where c.api_key = ${apiKey} and c.first = ${first} and c.last = ${last} and c.judgments = -2
      and (
        select count(*)
        from judgment j
        where j.api_key = ${apiKey} and j.change between ${first}::bigint and ${last}::bigint
      ) = ${chunk.rows.createdAt.length}`)
}

/** Deletes a chunk whose judgments are all gone. */
export async function deleteChunk(db: Db, apiKey: string, { first }: ChunkRange): Promise<void> {
  await db.query(sql`delete from judgment_chunk where api_key = ${apiKey} and first = ${first}`)
}

/** An API key to look after, and the last change when it was last looked after. */
export interface ChunkClaim {
  apiKey: string
  seen: number
}

/**
 * Claims an API key that has `enough` new changes, or a chunk to be made again, until `until`; undefined if there is
 * none. What a process that died had claimed is claimed again after that.
 */
export async function claimChunking(
  db: Db,
  secrets: Key,
  { now, until, enough }: { now: number; until: number; enough: number },
): Promise<ChunkClaim | undefined> {
  const [claim] = await db.query<ChunkClaim>(sql`
    insert into judgment_chunking as k (api_key, change, due_at)
    select l.api_key, 0, ${until}::bigint
    from judgment_log l
    left join judgment_chunking d on d.api_key = l.api_key
    where coalesce(d.due_at, 0) <= ${now}::bigint
      and (
        l.change - coalesce(d.change, 0) >= ${enough}
        or exists (
          select
          from judgment_chunk c
          where c.api_key = l.api_key and ${isDue(secrets)}
        )
      )
    limit 1
    on conflict (api_key) do update set due_at = excluded.due_at where k.due_at <= ${now}::bigint
    returning k.api_key as "apiKey", k.change as seen`)
  return claim
}

/** Ends a claim: `seen` is the last change that needs no chunk any more, `dueAt` when to look again. */
export async function endChunking(db: Db, { apiKey, seen }: ChunkClaim, dueAt: number): Promise<void> {
  await db.query(sql`
    update judgment_chunking set change = ${seen}, due_at = ${dueAt}::bigint where api_key = ${apiKey}`)
}
