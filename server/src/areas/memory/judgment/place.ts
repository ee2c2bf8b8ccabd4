import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, sql, together } from '../../../platform/db/db.ts'
import { optionalKey } from '../../../platform/id.ts'
import { organizationKeyOf } from '../../organizations/organization-key.ts'

/** Where a judgment belongs: to an organization, to one of its documents, or to the API key as a whole. */
export interface Place {
  organizationKey: string | null
  documentKey: string | null
}

/** Whether the organization or the document of a place exists. A place without one counts as existing. */
export interface LockedPlaces {
  organization(place: Place): boolean
  document(place: Place): boolean
}

/** Locks the organizations and documents of judgments against deletion until the commit, each ordered by key. */
export async function lockPlaces(db: Db, tenant: ApiKeyTenant, places: Place[]): Promise<LockedPlaces> {
  const organizationKeys = places.flatMap(({ organizationKey }) => organizationKey ?? [])
  const inDocuments = new Map(
    places.flatMap((place) => (place.documentKey === null ? [] : [[addressOf(place), place] as const])),
  )
  // They travel in one packet, and run in this order.
  const [organizations, documents] = await together([
    lockOrganizations(db, tenant, [...new Set(organizationKeys)]),
    lockDocuments(db, tenant, [...inDocuments.values()]),
  ])
  const known = new Set([...organizations, ...documents])
  return {
    organization: ({ organizationKey }) => organizationKey === null || known.has(organizationKey),
    document: (place) => place.documentKey === null || known.has(addressOf(place)),
  }
}

/** Says that the organization or the document of a request does not exist; undefined if neither is missing. */
export async function missingPlace(
  db: Db,
  tenant: ApiKeyTenant,
  { organizationId, documentId }: { organizationId?: string; documentId?: string },
): Promise<string | undefined> {
  if (organizationId === undefined) return undefined
  const organizationKey = organizationKeyOf(tenant, organizationId)
  const documentKey = optionalKey(documentId)
  const [found] = await db.query<{ document: boolean }>(sql`
    select ${documentKey}::uuid is null or exists (
      select from document
      where api_key = ${tenant.apiKey} and organization_key = o.key and key = ${documentKey}::uuid
    ) as document
    from organization o
    where o.api_key = ${tenant.apiKey} and o.key = ${organizationKey}::uuid and o.retired_at is null`)
  if (!found) return `There is no organization ${organizationId}.`
  return found.document ? undefined : `There is no document ${documentId} in the organization ${organizationId}.`
}

async function lockOrganizations(db: Db, tenant: ApiKeyTenant, keys: string[]): Promise<string[]> {
  const organizations = await db.query<{ key: string }>(sql`
    select key
    from organization
    where api_key = ${tenant.apiKey} and key = any(${keys}::uuid[]) and retired_at is null
    order by key
    for key share`)
  return organizations.map(({ key }) => key)
}

async function lockDocuments(db: Db, tenant: ApiKeyTenant, places: Place[]): Promise<string[]> {
  if (places.length === 0) return []
  const documents = await db.query<{ organizationKey: string; documentKey: string }>(sql`
    select d.organization_key as "organizationKey", d.key as "documentKey"
    from (
      select *
      from unnest(
        ${places.map(({ organizationKey }) => organizationKey)}::uuid[],
        ${places.map(({ documentKey }) => documentKey)}::uuid[]
      ) as p (organization_key, key)
      order by 1, 2
    ) p
    join document d on d.api_key = ${tenant.apiKey} and d.organization_key = p.organization_key and d.key = p.key
    order by d.organization_key, d.key
    for key share of d`)
  return documents.map(addressOf)
}

const addressOf = ({ organizationKey, documentKey }: Place) => `${organizationKey}/${documentKey}`
