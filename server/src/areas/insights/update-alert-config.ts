import { json, sql } from '../../platform/db/db.ts'
import { operation, type StateReader } from '../../platform/operation.ts'
import { Type } from '../../platform/schema.ts'
import { AlertConfig } from './alert/alert.ts'

/** What alerts are raised, for an audit record. */
const alertingState: StateReader = async ({ db, tenant }) => {
  const apiKey = tenant && 'apiKey' in tenant ? tenant.apiKey : null
  const [row] = await db.query<{ config: object }>(sql`select config from memory_alerting where api_key = ${apiKey}`)
  return row?.config ?? null
}

/** Changes what alerts are raised for the API key. Fields that are not named stay. */
export const updateAlertConfig = operation({
  path: '/v2/memory/alerts/config/update',
  auth: 'apiKey',
  access: 'write',
  administers: alertingState,
  summary: 'Change what alerts are raised',
  input: Type.Object({ config: AlertConfig }),
  output: Type.Object({ success: Type.Boolean() }),
  errors: [],
  message: '',
  bare: true,
}).run(async ({ db, tenant, input: { config } }) => {
  await db.query(sql`
    insert into memory_alerting as a (api_key, config)
    values (${tenant.apiKey}, '{"enabled": true}'::jsonb || ${json(config)}::jsonb)
    on conflict (api_key) do update
    set config = a.config || ${json(config)}::jsonb`)
  return { success: true }
})
