import { metadataOf } from '../../platform/bulk.ts'
import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, sql } from '../../platform/db/db.ts'
import { inTurn } from '../../platform/db/list-lock.ts'
import { ApiError } from '../../platform/errors.ts'
import { hexId, keyOf } from '../../platform/id.ts'
import { changesFields, keepsFields } from '../../platform/record-size.ts'
import { identifier, itemResult, mapOf, nullable, Type } from '../../platform/schema.ts'
import { AccessType } from '../folders/access-type.ts'
import type { MayCreate } from '../organizations/organization.ts'
import { accessTypeOfNew } from '../workspaces/setting/api-key-options.ts'

const READ_ONLY = ['id', 'disabled', 'folderId']

/** A document as callers send it. */
export const DocumentInput = Type.Object(
  {
    documentId: identifier('Your id of the document.'),
    documentName: Type.Optional(Type.String({ description: 'Its name.' })),
    accessType: Type.Optional(AccessType),
  },
  keepsFields(READ_ONLY),
)

/** A change of a document; null clears. */
export const DocumentChange = Type.Object(
  {
    ...DocumentInput.properties,
    documentName: Type.Optional(nullable(Type.String({ description: 'Its name; null clears it.' }))),
  },
  changesFields(READ_ONLY),
)

/** One result per document. */
export const DocumentResults = mapOf(itemResult(), 'One result per document id.')

/** The custom metadata of a sent document: every field that is not a fixed field of its record. */
export const documentMetadata = (document: object) =>
  metadataOf(document, ['documentId', 'documentName', 'accessType', ...READ_ONLY])

/** The service's own number of a document: 16 digits, as a string. */
export function documentNumber(apiKey: string, organizationId: string, documentId: string): string {
  const hash = BigInt(`0x${hexId('document', apiKey, JSON.stringify([organizationId, documentId]))}`)
  return String(10n ** 15n + (hash % (9n * 10n ** 15n)))
}

const missing = (documentId: string, hint = '') =>
  new ApiError('NOT_FOUND', `There is no document ${documentId} in the organization.${hint}`)

/** How a caller whose call may create the document gets one. */
const HINT = ' Add it with documents/add, or send createDocument: true.'

/** For reads: NOT_FOUND, naming it, for a document that does not exist. It takes no lock. */
export async function requireDocument(
  db: Db,
  tenant: ApiKeyTenant,
  organizationKey: string,
  documentId: string,
): Promise<void> {
  const [found] = await db.query(sql`
    select key
    from document
    where api_key = ${tenant.apiKey} and organization_key = ${organizationKey} and key = ${keyOf(documentId)}`)
  if (!found) throw missing(documentId)
}

/**
 * For writes: locks the document against deletion until the transaction ends. One that does not exist is created if
 * `create` allows it, else NOT_FOUND. `mayAsk`: the caller could have allowed it.
 */
export async function ensureDocument(
  db: Db,
  tenant: ApiKeyTenant,
  organizationKey: string,
  { documentId, create, mayAsk }: MayCreate & { documentId: string },
): Promise<void> {
  const key = keyOf(documentId)
  const [found] = await db.query(sql`
    select key
    from document
    where api_key = ${tenant.apiKey} and organization_key = ${organizationKey} and key = ${key}
    for key share`)
  if (found) return
  if (!create) throw missing(documentId, mayAsk && HINT)
  await inTurn(db, `document ${tenant.apiKey} ${organizationKey}`).query(sql`
    insert into document (api_key, organization_key, key, id, access_type)
    values (${tenant.apiKey}, ${organizationKey}, ${key}, ${documentId}, ${accessTypeOfNew(tenant.apiKey)})
    on conflict (api_key, organization_key, key) do update set id = excluded.id`)
}
