import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, empty, type Sql, sql } from '../../../platform/db/db.ts'
import { ApiError } from '../../../platform/errors.ts'
import { keyOf } from '../../../platform/id.ts'
import { identifier, Type } from '../../../platform/schema.ts'
import { ensureDocument } from '../../documents/document.ts'
import { ensureOrganization } from '../../organizations/organization.ts'
import { organizationKeyOf } from '../../organizations/organization-key.ts'

/** A document with its organization, and the names and metadata that events show. */
export interface Place {
  organizationKey: string
  organizationId: string
  organizationName: string | null
  organizationMetadata: Record<string, unknown>
  /** Whether any user was removed from the organization. */
  hasRemovedUsers: boolean
  documentKey: string
  documentId: string
  documentName: string | null
  documentMetadata: Record<string, unknown>
}

/** The parameters of an operation that name a document. */
export const placeInput = {
  organizationId: identifier('Id of the organization.'),
  documentId: identifier('Id of the document.'),
}

/** The parameters of an operation that may create what it writes into. */
export const placeOrCreateInput = {
  ...placeInput,
  createOrganization: Type.Optional(Type.Boolean({ description: 'Create the organization if it does not exist.' })),
  createDocument: Type.Optional(Type.Boolean({ description: 'Create the document if it does not exist.' })),
}

/** The parameter that refuses authors without access to the document. */
export const verifyInput = {
  verifyUserPermissions: Type.Optional(
    Type.Boolean({ description: 'True: refuse what users write who have no access to the document.' }),
  ),
}

interface Address {
  organizationId: string
  documentId: string
}

/** The keys of a document and its organization, whether or not they exist. */
export const keysOfPlace = (
  tenant: ApiKeyTenant,
  { organizationId, documentId }: Address,
): Pick<Place, 'organizationKey' | 'documentKey'> => ({
  organizationKey: organizationKeyOf(tenant, organizationId),
  documentKey: keyOf(documentId),
})

/** Returns the document and protects it from deletion until the commit, or undefined. */
export async function findPlace(db: Db, tenant: ApiKeyTenant, address: Address): Promise<Place | undefined> {
  const [place] = await lockPlaces(db, tenant, address.organizationId, [keyOf(address.documentId)])
  return place
}

/**
 * Returns the documents that exist and protects them from deletion until the commit. Rows are locked in this order, and
 * before what is in them, so that deletions wait at the top.
 */
export const lockPlaces = (
  db: Db,
  tenant: ApiKeyTenant,
  organizationId: string,
  documentKeys: string[] | Sql,
): Promise<Place[]> => {
  const lock = sql`and o.retired_at is null order by d.key for key share of o, d`
  return selectPlaces(db, tenant, { organizationId, documentKeys, lock })
}

/** The locked documents, and those of rows that were added or moved after they were locked. */
export async function withLatePlaces(
  db: Db,
  tenant: ApiKeyTenant,
  organizationId: string,
  locked: Place[],
  rows: { documentKey: string }[],
): Promise<Place[]> {
  const known = new Set(locked.map(({ documentKey }) => documentKey))
  const late = rows.flatMap(({ documentKey }) => (known.has(documentKey) ? [] : [documentKey]))
  return late.length === 0 ? locked : [...locked, ...(await findPlaces(db, tenant, organizationId, late))]
}

/** Returns the documents that exist. It takes no lock. */
export const findPlaces = (
  db: Db,
  tenant: ApiKeyTenant,
  organizationId: string,
  documentKeys: string[],
): Promise<Place[]> => selectPlaces(db, tenant, { organizationId, documentKeys, lock: empty })

const selectPlaces = (
  db: Db,
  tenant: ApiKeyTenant,
  { organizationId, documentKeys, lock }: { organizationId: string; documentKeys: string[] | Sql; lock: Sql },
): Promise<Place[]> =>
  db.query<Place>(sql`
    select o.key as "organizationKey", o.id as "organizationId", o.name as "organizationName",
      o.metadata as "organizationMetadata",
      exists (
        select from removed_user x where x.api_key = ${tenant.apiKey} and x.organization_key = o.key
      ) as "hasRemovedUsers", d.key as "documentKey", d.id as "documentId", d.name as "documentName",
      d.metadata as "documentMetadata"
    from organization o
    join document d on d.api_key = ${tenant.apiKey} and d.organization_key = o.key
    where o.api_key = ${tenant.apiKey} and o.key = ${organizationKeyOf(tenant, organizationId)}
      and d.key = any(${documentKeys}::uuid[])
    ${lock}`)

/** Returns the document and protects it from deletion until the commit, or throws NOT_FOUND. */
export async function requirePlace(db: Db, tenant: ApiKeyTenant, address: Address): Promise<Place> {
  const place = await findPlace(db, tenant, address)
  if (!place) {
    const { organizationId, documentId } = address
    throw new ApiError('NOT_FOUND', `There is no document ${documentId} in an organization ${organizationId}.`)
  }
  return place
}

/**
 * Returns the document and protects it from deletion until the commit. It is created if the caller allows that;
 * otherwise NOT_FOUND.
 */
export async function ensurePlace(
  db: Db,
  tenant: ApiKeyTenant,
  address: Address & { createOrganization?: boolean; createDocument?: boolean },
): Promise<Place> {
  const { organizationId, documentId, createOrganization = false, createDocument = false } = address
  const found = await findPlace(db, tenant, { organizationId, documentId })
  if (found) return found
  const { key } = await ensureOrganization(db, tenant, organizationId, { create: createOrganization, mayAsk: true })
  await ensureDocument(db, tenant, key, { documentId, create: createDocument, mayAsk: true })
  return requirePlace(db, tenant, address)
}
