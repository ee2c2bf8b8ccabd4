import { createHash, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Services } from '../../platform/context.ts'
import { type Database, type Db, isWithoutParent, sql } from '../../platform/db/db.ts'
import { ApiError } from '../../platform/errors.ts'
import { CallConcurrency } from '../../platform/http/limits/call-limits.ts'
import { type Http, type HttpReply, mountUpload, type Upload } from '../../platform/http/upload.ts'
import { KeyTurns } from '../../platform/turns/key-turns.ts'
import type { MimeType } from './reading/reading.ts'
import { looksLike } from './reading/sniff.ts'
import { FILE_PATH, type FileLink, openFileLink, UPLOAD_PATH } from './source/file-links.ts'
import { dropParts, PART_BYTES, readParts, storePart } from './source/file-parts.ts'

/** Files of one API key that arrive at a time: each takes the memory of a part, and all its parts in the database. */
const UPLOADS = { perKey: 4, patienceMs: 10_000 }
/** Files of one API key that are sent at a time: each holds a part until its reader takes it. */
const DOWNLOADS = 16

/**
 * Serves the addresses of uploads and downloads. Their tokens are all the credentials that they take. They lead nowhere
 * while their API key is disabled.
 */
export function mountKnowledgeFiles(http: Http, database: Database, services: Services): void {
  const { secrets, clock } = services
  const uploads = new KeyTurns(UPLOADS)
  const downloads = new CallConcurrency(DOWNLOADS)
  const linkOf = async (query: unknown) => {
    const link = openFileLink(query, secrets, clock.now())
    if (!link || !(await isEnabled(database, link)))
      throw new ApiError('PERMISSION_DENIED', 'This address is not valid, or has expired.')
    return link
  }
  mountUpload(http, UPLOAD_PATH, async (upload) => {
    const link = await linkOf(upload.query)
    if (link.what !== 'upload') throw new ApiError('PERMISSION_DENIED', 'This address is not that of an upload.')
    await uploads.inTurn(link.apiKey, upload.reader, () => receive(database.work, link, upload))
    return { status: 'success' }
  })
  http.get(FILE_PATH, async (request, reply) => {
    const link = await linkOf(request.query)
    downloads.enterUntilClosed(link.apiKey, reply.raw)
    return send(database, link, reply)
  })
}

async function isEnabled(db: Db, { apiKey }: FileLink): Promise<boolean> {
  const rows = await db.query(sql`select from api_key where id = ${apiKey} and not disabled and not deleting`)
  return rows.length > 0
}

/** What the call that asked for the address said of the file. */
interface Announced {
  mimeType: MimeType
  size: number
}

/** Stores the bytes part by part as they arrive, and then makes them the file, if no other upload was faster. */
async function receive(db: Db, link: FileLink, { contentType, contentLength, body }: Upload): Promise<void> {
  const announced = await readAnnounced(db, link)
  if (!announced) throw notAwaited()
  if (contentType !== announced.mimeType)
    throw new ApiError('INVALID_ARGUMENT', `Content-Type must be ${announced.mimeType}.`, { httpStatus: 415 })
  if (contentLength !== undefined && contentLength !== announced.size) throw wrongSize(announced.size, contentLength)
  const file = randomUUID()
  try {
    const sha256 = await storeParts(db, { ...link, file }, body, announced)
    if (!(await becomesFile(db, { ...link, file }, sha256)))
      throw new ApiError('FAILED_PRECONDITION', 'Another upload was faster.')
  } catch (error) {
    await dropParts(db, link, link.key, file)
    // Its place was deleted meanwhile, and the upload with it.
    throw isWithoutParent(error) ? notAwaited() : error
  }
}

/** Undefined where no upload is awaited. */
async function readAnnounced(db: Db, { apiKey, key }: FileLink): Promise<Announced | undefined> {
  const [announced] = await db.query<Announced>(sql`
    select mime_type as "mimeType", size
    from knowledge_source
    where api_key = ${apiKey} and key = ${key}::uuid and status = 'awaited'`)
  return announced
}

/** An upload under way: the place that it is for, and the id of the file that it will be. */
type Arriving = Pick<FileLink, 'apiKey' | 'key'> & { file: string }

/** Stores the parts of a file, and returns its SHA-256. Throws INVALID_ARGUMENT if it is not what was announced. */
async function storeParts(
  db: Db,
  { apiKey, key, file }: Arriving,
  body: AsyncIterable<Uint8Array>,
  announced: Announced,
): Promise<Buffer> {
  const hash = createHash('sha256')
  let [size, number] = [0, 0]
  for await (const part of inParts(body)) {
    size += part.length
    if (size > announced.size) throw wrongSize(announced.size, size)
    if (number === 0 && !looksLike(announced.mimeType, part))
      throw new ApiError('INVALID_ARGUMENT', `The file is not of the type ${announced.mimeType}.`)
    hash.update(part)
    await storePart(db, { apiKey }, { key, file, number: number++ }, part)
  }
  if (size !== announced.size) throw wrongSize(announced.size, size)
  return hash.digest()
}

/** Makes an upload the file of its place; false where another one is. */
async function becomesFile(db: Db, { apiKey, key, file }: Arriving, sha256: Buffer): Promise<boolean> {
  // An upload whose process was killed has left its parts.
  const taken = await db.query(sql`
    with taken as (
      update knowledge_source
      set status = 'uploaded', file = ${file}::uuid, sha256 = ${sha256}, updated_at = now_ms()
      where api_key = ${apiKey} and key = ${key}::uuid and status = 'awaited'
      returning key
    ), broken as (
      delete from knowledge_part
      where api_key = ${apiKey} and key in (select key from taken) and file <> ${file}::uuid
    )
    select key from taken`)
  return taken.length > 0
}

const notAwaited = () => new ApiError('FAILED_PRECONDITION', 'No upload is awaited here.')

function wrongSize(announced: number, size: number): ApiError {
  const message = `The file must have the ${announced} bytes that were announced.`
  return new ApiError('INVALID_ARGUMENT', message, size > announced ? { httpStatus: 413 } : {})
}

/** The bytes of a stream in parts of equal size; the last one may be smaller. */
async function* inParts(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    held.push(chunk)
    bytes += chunk.length
    while (bytes >= PART_BYTES) {
      const all = Buffer.concat(held)
      yield all.subarray(0, PART_BYTES)
      held = [all.subarray(PART_BYTES)]
      bytes -= PART_BYTES
    }
  }
  if (bytes > 0) yield Buffer.concat(held)
}

interface Sent {
  size: number
  mimeType: string
  fileName: string
  markdown: string | null
}

async function send(database: Database, { apiKey, key, what }: FileLink, reply: HttpReply) {
  const [source] = await database.query<Sent>(sql`
    select size, mime_type as "mimeType", file_name as "fileName", ${what === 'markdown' ? sql`markdown` : sql`null`} as markdown
    from knowledge_source
    where api_key = ${apiKey} and key = ${key}::uuid and status = 'completed'`)
  if (!source || what === 'upload') throw noFile()
  const isText = what === 'markdown'
  const name = extended(isText ? `${source.fileName}.md` : source.fileName)
  reply.header('content-disposition', `attachment; filename*=UTF-8''${name}`)
  reply.header('content-type', isText ? 'text/markdown; charset=utf-8' : source.mimeType)
  if (isText) return reply.send(source.markdown ?? '')
  return reply.send(Readable.from(untilWhole(readParts(database, { apiKey }, key), source.size)))
}

const noFile = () => new ApiError('NOT_FOUND', 'There is no such file.')

/**
 * The parts of a file. A deletion ends them early: then the response breaks off, and nobody takes it for the file. It
 * is NOT_FOUND where nothing was sent yet.
 */
async function* untilWhole(parts: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  let missing = size
  for await (const part of parts) {
    missing -= part.length
    yield part
  }
  if (missing > 0) throw noFile()
}

/** A file name for `filename*` (RFC 8187), whose value may not hold these four. */
const extended = (name: string) =>
  encodeURIComponent(name).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
