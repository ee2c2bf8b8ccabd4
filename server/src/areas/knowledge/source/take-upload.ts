import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, sql } from '../../../platform/db/db.ts'
import { ApiError, invalidField } from '../../../platform/errors.ts'
import { keyOf, optionalKey } from '../../../platform/id.ts'
import { organizationKeyOf } from '../../organizations/organization-key.ts'

interface Upload {
  status: string
  mimeType: string
  isExpired: boolean
  fits: boolean
}

interface Taken {
  fileRef?: string
  mimeType?: string
  organizationId?: string
  documentId?: string
}

/** Turns an upload into a source. Its place must be the one that was named for the upload. */
export async function takeUpload(db: Db, tenant: ApiKeyTenant, { fileRef = '', mimeType, ...ids }: Taken) {
  const key = keyOf(fileRef)
  const { organizationId, documentId } = ids
  const [upload] = await db.query<Upload>(sql`
    select status, mime_type as "mimeType", coalesce(expires_at <= now_ms(), false) as "isExpired",
      organization_key is not distinct from ${organizationId === undefined ? null : organizationKeyOf(tenant, organizationId)}::uuid
        and document_key is not distinct from ${optionalKey(documentId)}::uuid as fits
    from knowledge_source
    where api_key = ${tenant.apiKey} and key = ${key}::uuid and source_type = 'fileRef'
    for update`)
  if (!upload?.fits) throw new ApiError('PERMISSION_DENIED', 'There is no such upload for this place.')
  if (upload.status === 'awaited')
    throw new ApiError(
      'FAILED_PRECONDITION',
      upload.isExpired ? 'The upload has expired.' : 'Nothing was uploaded yet.',
    )
  if (upload.status !== 'uploaded') throw new ApiError('FAILED_PRECONDITION', 'The upload was ingested already.')
  if (mimeType !== undefined && upload.mimeType !== mimeType)
    throw invalidField('mimeType', `must be that of the upload, ${upload.mimeType}`)
  await db.query(sql`
    update knowledge_source
    set status = 'processing', expires_at = null, updated_at = now_ms()
    where api_key = ${tenant.apiKey} and key = ${key}::uuid`)
  return { sourceId: fileRef, key }
}
