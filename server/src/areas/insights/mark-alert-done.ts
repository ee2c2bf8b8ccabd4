import { operation } from '../../platform/operation.ts'
import { identifier, Type } from '../../platform/schema.ts'
import { endAlert } from './alert/alert.ts'

/** Takes an alert off the list, because somebody has acted upon it. */
export const markAlertDone = operation({
  path: '/v2/memory/alerts/action',
  auth: 'apiKey',
  access: 'write',
  summary: 'Mark an alert as acted upon',
  input: Type.Object({
    alertId: identifier('Id of the alert.'),
  }),
  example: { alertId: 'the id of an alert' },
  output: Type.Object({ success: Type.Boolean() }),
  errors: ['NOT_FOUND'],
  message: '',
  bare: true,
}).run(({ db, tenant, input: { alertId } }) => endAlert(db, tenant, alertId, 'done'))
