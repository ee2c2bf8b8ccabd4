import { sql } from '../../platform/db/db.ts'
import { operation } from '../../platform/operation.ts'
import { networkOf } from '../../platform/outbound/address.ts'
import { Type } from '../../platform/schema.ts'
import { appendAudit } from '../audit/audit.ts'
import { refusalRecord } from './refused-sign-in.ts'

/**
 * Counts a refused sign-in, and records the first of a minute at once. It has no route: the door calls it, because the
 * sign-in itself was rolled back.
 */
export const noteRefusal = operation({
  path: '/console/api/session/refused',
  auth: 'none',
  access: 'write',
  summary: 'Count a refused sign-in',
  input: Type.Object({ actor: Type.String(), by: Type.String() }),
  output: null,
  errors: [],
  message: 'Counted.',
}).run(async ({ db, input: { actor, by }, request }) => {
  const { clientAddress: address, id: requestId } = request
  const [counted] = await db.query<{ attempts: number }>(sql`
    insert into refused_sign_in as r (network, address, actor, proof)
    values (${networkOf(address)}, ${address}, ${actor}, ${by})
    on conflict (network) do update
    set attempts = r.attempts + 1, address = excluded.address, actor = excluded.actor, proof = excluded.proof
    returning attempts`)
  if (counted?.attempts === 1)
    await appendAudit(db, { ...refusalRecord({ address, actor, by, attempts: 1 }), requestId })
})
