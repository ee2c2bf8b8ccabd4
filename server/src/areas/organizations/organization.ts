import { metadataOf } from '../../platform/bulk.ts'
import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, type Sql, sql } from '../../platform/db/db.ts'
import { inTurn } from '../../platform/db/list-lock.ts'
import { ApiError } from '../../platform/errors.ts'
import { changesFields, keepsFields } from '../../platform/record-size.ts'
import { identifier, itemResult, mapOf, nullable, Type } from '../../platform/schema.ts'
import { organizationKeyOf } from './organization-key.ts'

const READ_ONLY = ['id', 'disabled']

/** An organization as callers send it. */
export const OrganizationInput = Type.Object(
  {
    organizationId: identifier('Your id of the organization.'),
    organizationName: Type.Optional(Type.String({ description: 'Its name.' })),
  },
  keepsFields(READ_ONLY),
)

/** A change of an organization; null clears. */
export const OrganizationChange = Type.Object(
  {
    ...OrganizationInput.properties,
    organizationName: Type.Optional(nullable(Type.String({ description: 'Its name; null clears it.' }))),
  },
  changesFields(READ_ONLY),
)

/** One result per organization. */
export const OrganizationResults = mapOf(itemResult(), 'One result per organization id.')

/** The custom metadata of a sent organization: every field that is not a fixed field of its record. */
export const organizationMetadata = (organization: object) =>
  metadataOf(organization, ['organizationId', 'organizationName', ...READ_ONLY])

const missing = (organizationId: string, hint = '') =>
  new ApiError('NOT_FOUND', `There is no organization ${organizationId}.${hint}`)

/** How a caller whose call may create the organization gets one. */
const HINT = ' Add it with organizations/add, or send createOrganization: true.'

/** For reads: the organization, or NOT_FOUND naming it. It takes no lock. */
export async function requireOrganization(
  db: Db,
  tenant: ApiKeyTenant,
  organizationId: string,
): Promise<{ key: string }> {
  const [row] = await db.query<{ key: string }>(sql`
    select key from organization where api_key = ${tenant.apiKey} and key = ${organizationKeyOf(tenant, organizationId)}`)
  if (!row) throw missing(organizationId)
  return row
}

/**
 * For writes: the organization, locked against deletion until the transaction ends. One that does not exist is created
 * if `create` allows it, else NOT_FOUND. ABORTED if it was deleted since the request began. Call it before any row
 * below the organization is locked, so that deletions wait at the top.
 */
export const ensureOrganization = (db: Db, tenant: ApiKeyTenant, organizationId: string, may: MayCreate) =>
  ensureLocked(db, tenant, { organizationId, ...may, lock: sql`for key share` })

/**
 * As `ensureOrganization`, one transaction at a time: changes to an organization's folder tree run one after another.
 */
export const lockOrganization = (db: Db, tenant: ApiKeyTenant, organizationId: string, may: MayCreate) =>
  ensureLocked(db, tenant, { organizationId, ...may, lock: sql`for no key update` })

/** Whether what does not exist is created. */
export interface MayCreate {
  create: boolean
  /** The operation has a field that allows it, which the error then names. */
  mayAsk?: true
}

async function ensureLocked(
  db: Db,
  tenant: ApiKeyTenant,
  { organizationId, create, mayAsk, lock }: MayCreate & { organizationId: string; lock: Sql },
): Promise<{ key: string }> {
  const key = organizationKeyOf(tenant, organizationId)
  const [found] = await db.query<{ key: string }>(sql`
    select key from organization where api_key = ${tenant.apiKey} and key = ${key} and retired_at is null
    ${lock}`)
  if (found) return found
  if (!create) throw missing(organizationId, mayAsk && HINT)
  // The update changes nothing: it locks the row that a concurrent transaction inserted.
  const [created] = await inTurn(db, `organization ${tenant.apiKey}`).query<{ key: string }>(sql`
    insert into organization as o (api_key, key, id)
    values (${tenant.apiKey}, ${key}, ${organizationId})
    on conflict (api_key, key) do update set id = excluded.id where o.retired_at is null
    returning key`)
  if (!created) throw new ApiError('ABORTED', `The organization ${organizationId} was deleted meanwhile. Try again.`)
  return created
}
