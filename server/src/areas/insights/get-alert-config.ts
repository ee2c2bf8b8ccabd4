import { operation } from '../../platform/operation.ts'
import { Type } from '../../platform/schema.ts'
import { AlertConfig, readAlertConfig } from './alert/alert.ts'

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
}).run(async ({ db, tenant }) => ({ enabled: true, ...(await readAlertConfig(db, tenant.apiKey)) }))
