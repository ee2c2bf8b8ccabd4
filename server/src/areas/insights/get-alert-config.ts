import { sql } from '../../platform/db/db.ts'
import { operation } from '../../platform/operation.ts'
import { Type } from '../../platform/schema.ts'
import { AlertConfig } from './alert/alert.ts'

/** Returns what alerts are raised for the API key. */
export const getAlertConfig = operation({
  path: '/v2/memory/alerts/config/get',
  auth: 'apiKey',
  access: 'read',
  summary: 'Get what alerts are raised',
  input: Type.Object({}),
  example: {},
  output: AlertConfig,
  errors: [],
  message: '',
  bare: true,
}).run(async ({ db, tenant }) => {
  const [row] = await db.query<{ config: Record<string, unknown> }>(sql`
    select config from memory_alerting where api_key = ${tenant.apiKey}`)
  return { enabled: true, ...row?.config }
})
