import { type Db, sql } from '../../platform/db/db.ts'
import { nullable, type Static, Type, wholeNumber } from '../../platform/schema.ts'
import { yieldToEventLoop } from '../../platform/turns/yield.ts'
import { AUDIT_COLUMNS, type AuditRecord, GENESIS, hashOf } from './audit.ts'

const Head = Type.String({ maxLength: 64, description: 'Hash of the last record that fits, hexadecimal.' })
const Records = wholeNumber('How many records fit, up to the first that does not.')

/** What an earlier check of one chain said. */
export const anchorField = Type.Optional(
  Type.Object({ records: Records, head: Head }, { description: 'What an earlier check of this chain said.' }),
)

/** What a check found. */
export const Verdict = Type.Object({
  valid: Type.Boolean(),
  records: Records,
  chains: Type.Integer({ description: 'In how many chains.' }),
  head: Head,
  brokenAt: nullable(
    Type.Integer({ description: '`seq` of the first record that does not fit; null also where the end is missing.' }),
  ),
})
type Verdict = Static<typeof Verdict>

const BATCH = 100

/**
 * Recomputes the chain of a workspace, of the installation (''), or all of them (null), batch by batch. An anchor of
 * the one chain must be met on the way: then nothing before it was changed, and the end was not cut off.
 */
export async function verifyChains(
  db: Db,
  only: string | null,
  anchor?: { records: number; head: string },
): Promise<Verdict> {
  const verdict: Verdict = { valid: true, records: 0, chains: 0, head: GENESIS, brokenAt: null }
  let [chain, position] = ['', 0]
  let isAnchored = anchor === undefined || (anchor.records === 0 && anchor.head === GENESIS)
  while (true) {
    const rows = await readBatch(db, only, { chain, position })
    for (const { previous, hash, isEarlier, ...record } of rows) {
      const isNext = verdict.chains > 0 && record.chain === chain
      const [place, head] = isNext ? [position + 1, verdict.head] : [1, GENESIS]
      const hashed = isEarlier ? earlierForm(record) : record
      const fits = record.position === place && previous === head && hash === hashOf(previous, hashed)
      const differs = anchor?.records === place && anchor.head !== hash
      if (!fits || differs) return { ...verdict, valid: false, brokenAt: record.seq }
      if (!isNext) verdict.chains += 1
      isAnchored ||= anchor?.records === place
      verdict.records += 1
      verdict.head = hash
      chain = record.chain
      position = record.position
    }
    if (rows.length < BATCH) return { ...verdict, valid: isAnchored }
    await yieldToEventLoop()
  }
}

type Row = AuditRecord & { previous: string; isEarlier: boolean }

const readBatch = (db: Db, only: string | null, { chain, position }: { chain: string; position: number }) =>
  db.query<Row>(sql`
    select ${AUDIT_COLUMNS}, previous, position is null as "isEarlier" from audit_record
    where (chain, coalesce(position, seq)) > (${chain}, ${position}::bigint)
      and (${only}::text is null or chain = ${only})
    order by chain, coalesce(position, seq)
    limit ${BATCH}`)

/** What the hash of a record covers that was written before there were chains. */
function earlierForm({ chain, position, requestId, before, after, ...record }: Omit<AuditRecord, 'hash'>) {
  return record
}
