import { type Db, sql } from '../../platform/db/db.ts'
import { OWN_SCHEMA } from '../../platform/db/own-schema.ts'
import { type Finding, ok, warning } from './finding.ts'

/** No transaction of a request lasts as long. */
const LONG_SECONDS = 60

interface Holder {
  /** Null for a prepared transaction. */
  pid: number | null
  application: string | null
  since: Date | null
  prepared: string | null
  tables: string
}

/**
 * Names transactions that have held locks on tables of the service for long, as a forgotten `begin` does: whoever needs
 * these tables waits until its time limit.
 */
export async function checkLocks(db: Db, longSeconds = LONG_SECONDS): Promise<Finding[]> {
  // How old the transaction of another user is, only some may know. Of these, locks count that keep writes waiting.
  const holders = await db.query<Holder>(sql`
    with held as (
      select l.pid, l.virtualtransaction, string_agg(distinct c.relname, ', ') as tables,
        bool_or(l.mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')) as excludes
      from pg_locks l
      join pg_class c on c.oid = l.relation
      where l.granted and l.locktype = 'relation' and l.mode <> 'AccessShareLock'
      and l.database = (select oid from pg_database where datname = current_database())
      and l.pid is distinct from pg_backend_pid()
      and c.relkind in ('r', 'p') and c.relnamespace = ${OWN_SCHEMA}
      group by l.pid, l.virtualtransaction
    )
    select held.pid, a.application_name as application, coalesce(a.xact_start, p.prepared) as since,
      p.gid as prepared, held.tables
    from held
    left join pg_stat_activity a on a.pid = held.pid
    left join pg_locks x on held.pid is null and x.locktype = 'transactionid' and x.granted
      and x.virtualtransaction = held.virtualtransaction
    left join pg_prepared_xacts p on p.transaction = x.transactionid
    where coalesce(a.xact_start, p.prepared) < now() - make_interval(secs => ${longSeconds}::float8)
    or (a.xact_start is null and p.prepared is null and held.excludes)
    order by since`)
  if (holders.length === 0) return [ok(LOCKS, 'No transaction has held tables of the service for long.')]
  return holders.map((holder) => warning(LOCKS, messageOf(holder), mendOf(holder)))
}

const LOCKS = 'database locks'

function messageOf({ pid, application, since, prepared, tables }: Holder): string {
  const session = `The transaction of session ${pid}${application ? ` (${application})` : ''}`
  const who = prepared === null ? session : `The prepared transaction ${prepared}`
  const when = since === null ? '' : ` since ${since.toISOString()}`
  return `${who} holds locks${when} on ${tables}. Calls that need them may time out.`
}

const mendOf = ({ pid, prepared }: Holder): string =>
  prepared === null
    ? `If nobody needs it: select pg_terminate_backend(${pid})`
    : `If nobody needs it: rollback prepared '${prepared}'`
