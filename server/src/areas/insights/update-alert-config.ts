import { apiKeyOf } from '../../platform/context.ts'
import { json, sql } from '../../platform/db/db.ts'
import { invalidField } from '../../platform/errors.ts'
import { operation, type StateReader } from '../../platform/operation.ts'
import { mayMerge, merged, OUTGROWN, oversized } from '../../platform/record-size.ts'
import { Type } from '../../platform/schema.ts'
import { AlertConfigChange, readAlertConfig } from './alert/alert.ts'

/** What alerts are raised, for an audit record. */
const alertingState: StateReader = ({ db, tenant }) => readAlertConfig(db, apiKeyOf(tenant))

/** Changes what alerts are raised for the API key. Fields that are not named stay, and null gives one its default. */
export const updateAlertConfig = operation({
  path: '/v2/memory/alerts/config/update',
  auth: 'apiKey',
  access: 'write',
  administers: alertingState,
  summary: 'Change what alerts are raised',
  input: Type.Object({ config: AlertConfigChange }),
  example: { config: { enabled: true, severityThreshold: 'medium' } },
  output: Type.Object({ success: Type.Boolean() }),
  errors: [],
  message: '',
  bare: true,
  check: ({ config }) => oversized('config', config),
}).run(async ({ db, tenant, input: { config } }) => {
  const change = sql`${json(config)}::jsonb`
  const [kept] = await db.query(sql`
    insert into memory_alerting as a (api_key, config)
    values (${tenant.apiKey}, ${merged(sql`'{"enabled": true}'::jsonb`, change)})
    on conflict (api_key) do update
    set config = ${merged(sql`a.config`, change)}
    where ${mayMerge(sql`a.config`, change)}
    returning api_key`)
  if (!kept) throw invalidField('config', OUTGROWN)
  return { success: true }
})
