import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, sql } from '../../../platform/db/db.ts'
import { lockByName } from '../../../platform/db/list-lock.ts'
import { ApiError } from '../../../platform/errors.ts'
import { keyOf, optionalKey, randomId } from '../../../platform/id.ts'
import { lockPlaces } from '../../memory/judgment/place.ts'
import { organizationKeyOf } from '../../organizations/organization-key.ts'
import type { MimeType } from '../reading/reading.ts'

const MOST_SOURCES = 1_000
const MOST_AWAITED = 50

interface NewSource {
  sourceType: 'inline' | 'fileRef'
  status: 'awaited' | 'processing'
  fileName: string
  mimeType: MimeType
  size: number
  organizationId?: string
  documentId?: string
  sha256: Uint8Array | null
  file: string | null
  expiresAt: number | null
}

/**
 * Adds a source, or an upload that is awaited. Throws NOT_FOUND if its place does not exist, and RESOURCE_EXHAUSTED if
 * there are too many.
 */
export async function addSource(db: Db, tenant: ApiKeyTenant, source: NewSource) {
  const { organizationId, documentId } = source
  const place = {
    organizationKey: organizationId === undefined ? null : organizationKeyOf(tenant, organizationId),
    documentKey: optionalKey(documentId),
  }
  const places = await lockPlaces(db, tenant, [place])
  if (!places.organization(place)) throw new ApiError('NOT_FOUND', `There is no organization ${organizationId}.`)
  if (!places.document(place)) throw new ApiError('NOT_FOUND', `There is no document ${documentId}.`)
  await refuseTooMany(db, tenant, source.status)
  const sourceId = randomId('src_')
  const key = keyOf(sourceId)
  await db.query(sql`
    insert into knowledge_source (
      api_key, key, source_id, organization_key, document_key, source_type, file_name, mime_type, size, sha256, file,
      status, expires_at)
    values (
      ${tenant.apiKey}, ${key}::uuid, ${sourceId}, ${place.organizationKey}::uuid, ${place.documentKey}::uuid,
      ${source.sourceType}, ${source.fileName}, ${source.mimeType}, ${source.size}, ${source.sha256}, ${source.file}::uuid,
      ${source.status}, ${source.expiresAt}::bigint)`)
  return { sourceId, key }
}

async function refuseTooMany(db: Db, { apiKey }: ApiKeyTenant, status: NewSource['status']): Promise<void> {
  // Else calls at the same time would not count each other.
  await lockByName(db, `knowledge_source ${apiKey}`)
  const [row] = await db.query<{ sources: number; awaited: number }>(sql`
    select count(*) as sources,
      count(*) filter (where status = 'awaited' and expires_at > now_ms()) as awaited
    from knowledge_source
    where api_key = ${apiKey}`)
  const { sources = 0, awaited = 0 } = row ?? {}
  if (status === 'awaited' && awaited >= MOST_AWAITED)
    throw new ApiError('RESOURCE_EXHAUSTED', `At most ${MOST_AWAITED} uploads may be outstanding.`)
  if (sources >= MOST_SOURCES)
    throw new ApiError('RESOURCE_EXHAUSTED', `An API key has at most ${MOST_SOURCES} knowledge sources.`)
}

/**
 * Lets a source stand for another one with the same bytes, type and place, if there is one that did not fail. One that
 * is being deleted is waited for, and is none.
 */
export async function markDuplicate(db: Db, { apiKey }: ApiKeyTenant, key: string): Promise<void> {
  await db.query(sql`
    update knowledge_source d
    set dedup_of = (
      select w.key
      from knowledge_source w
      where w.api_key = ${apiKey} and w.sha256 = d.sha256 and w.key <> d.key and w.mime_type = d.mime_type
        and w.organization_key is not distinct from d.organization_key
        and w.document_key is not distinct from d.document_key
        and w.dedup_of is null and w.version = 1 and w.status in ('processing', 'completed')
      order by w.uploaded_at, w.key
      limit 1
      for key share
    )
    where d.api_key = ${apiKey} and d.key = ${key}::uuid`)
}
