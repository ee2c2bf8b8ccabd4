import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, sql } from '../src/platform/db/db.ts'
import { testDatabase } from './running-service.ts'

/** Tables that are not tenant data: those above the tenant, and those of the platform. The list only shrinks. */
const tablesWithoutTenant = [
  'api_key',
  'audit_record',
  'idempotency_key',
  'migration',
  'operator',
  'operator_link',
  'operator_session',
  'rate_limit',
  'refused_sign_in',
  'service_process',
  'signing_key',
  'stored_key',
  'workspace',
]

/** Indexes of tenant data that start with another column. The list only shrinks. */
const indexesOverTenants = [
  'allowed_domain_by_domain', // a preflight carries no API key, so it asks for those of all tenants
  'email_due', // workers claim with it, over all tenants
  'job_due', // the same, for jobs
  'webhook_pending_due', // the same, for deliveries
]

let database: Database

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database?.close())

interface Index {
  table: string
  name: string
  primary: boolean
  firstColumn: string | null
}

async function schema(): Promise<{ tables: string[]; tenantTables: string[]; indexes: Index[] }> {
  const tables = await database.query<{ name: string; tenant: boolean }>(sql`
    select c.relname as name,
           exists (select from pg_attribute as a where a.attrelid = c.oid and a.attname = 'api_key') as tenant
    from pg_class as c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    order by name`)
  const indexes = await database.query<Index>(sql`
    select t.relname as table, c.relname as name, i.indisprimary as primary, a.attname as "firstColumn"
    from pg_index as i
    join pg_class as c on c.oid = i.indexrelid
    join pg_class as t on t.oid = i.indrelid
    left join pg_attribute as a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
    where t.relnamespace = 'public'::regnamespace
    order by name`)
  return {
    tables: tables.map(({ name }) => name),
    tenantTables: tables.filter(({ tenant }) => tenant).map(({ name }) => name),
    indexes,
  }
}

/** The parts of the schema that could not be distributed by tenant. */
async function faults(): Promise<string[]> {
  const { tables, tenantTables, indexes } = await schema()
  return [
    ...tables
      .filter((table) => !tenantTables.includes(table) && !tablesWithoutTenant.includes(table))
      .map((table) => `${table} has no api_key`),
    ...tenantTables
      .filter((table) => !indexes.some((index) => index.table === table && index.primary))
      .map((table) => `${table} has no primary key`),
    ...indexes
      .filter(({ table, name }) => tenantTables.includes(table) && !indexesOverTenants.includes(name))
      .filter(({ firstColumn }) => firstColumn !== 'api_key')
      .map(({ table, name, firstColumn }) => `${name} of ${table} leads by ${firstColumn ?? 'an expression'}`),
  ]
}

test('the tenant leads every primary key and index of tenant data', async () => {
  expect(await faults()).toEqual([])
})

test('the exceptions exist and are exceptions', async () => {
  const { tables, tenantTables, indexes } = await schema()
  const exceptions = tables.filter((table) => !tenantTables.includes(table))
  expect(exceptions).toEqual(tablesWithoutTenant)
  expect(indexes.filter(({ name }) => indexesOverTenants.includes(name)).map(({ name }) => name)).toEqual(
    indexesOverTenants,
  )
})

test('a table or index that forgets the tenant is found', async () => {
  await database.script(`
    create table forgetful (id text primary key);
    create table keyless (api_key text);
    create table misled (id text, api_key text, name text, primary key (id, api_key));
    create index misled_name on misled (lower(name), api_key);
    create index misled_right on misled (api_key, name);`)
  expect(await faults()).toEqual([
    'forgetful has no api_key',
    'keyless has no primary key',
    'misled_name of misled leads by an expression',
    'misled_pkey of misled leads by id',
  ])
})
