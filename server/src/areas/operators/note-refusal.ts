import { operation } from '../../platform/operation.ts'
import { Type } from '../../platform/schema.ts'
import { appendAudit } from '../audit/audit.ts'

/** Records a refused sign-in. It has no route: the door calls it, because the sign-in itself was rolled back. */
export const noteRefusal = operation({
  path: '/console/api/session/refused',
  auth: 'none',
  access: 'write',
  summary: 'Record a refused sign-in',
  input: Type.Object({ actor: Type.String(), by: Type.String(), attempts: Type.Integer() }),
  output: null,
  errors: [],
  message: 'Recorded.',
}).run(async ({ db, input: { actor, by, attempts }, request }) => {
  await appendAudit(db, {
    actor,
    role: '',
    door: 'console',
    address: request.clientAddress,
    requestId: request.id,
    action: '/console/api/session/sign-in',
    workspaceId: null,
    apiKey: null,
    detail: { by, refused: true, attempts },
  })
})
