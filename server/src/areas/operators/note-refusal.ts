import { sql } from '../../platform/db/db.ts'
import { operation } from '../../platform/operation.ts'
import { networkOf } from '../../platform/outbound/address.ts'
import { Type } from '../../platform/schema.ts'
import { appendAudit } from '../audit/audit.ts'
import { OTHERS, refusalRecord } from './refused-sign-in.ts'

/**
 * How many networks are counted by themselves at a time. All others share one count, so that a flood adds few records.
 */
const NETWORKS = 100

/**
 * Counts a refused sign-in of a network, and records the first of a minute at once. It has no route: the door calls it,
 * because the sign-in itself was rolled back.
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
    select
      case
        when counted.networks < ${NETWORKS}
          or exists (select from refused_sign_in where network = ${networkOf(address)}) then ${networkOf(address)}
        else ${OTHERS}
      end,
      ${address}, ${actor}, ${by}
    from (select count(*) as networks from (select from refused_sign_in limit ${NETWORKS}) few) counted
    on conflict (network) do update
    set attempts = r.attempts + 1, address = excluded.address, actor = excluded.actor, proof = excluded.proof
    returning attempts`)
  if (counted?.attempts === 1)
    await appendAudit(db, { ...refusalRecord({ address, actor, by, attempts: 1 }), requestId })
})
