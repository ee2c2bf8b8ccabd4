import { operation } from '../../platform/operation.ts'
import { identifier, Type } from '../../platform/schema.ts'
import { endAlert } from './alert/alert.ts'

/** Takes an alert off the list, because it is of no use. */
export const dismissAlert = operation({
  path: '/v2/memory/alerts/dismiss',
  auth: 'apiKey',
  access: 'write',
  summary: 'Dismiss an alert',
  input: Type.Object({
    alertId: identifier('Id of the alert.'),
    user: Type.Optional(Type.Object({ uid: identifier('Who dismisses it; not stored.') })),
  }),
  example: { alertId: 'the id of an alert', user: { uid: 'nadia' } },
  output: Type.Object({ success: Type.Boolean() }),
  errors: ['NOT_FOUND'],
  message: '',
  bare: true,
}).run(({ db, tenant, input: { alertId } }) => endAlert(db, tenant, alertId, 'dismissed'))
