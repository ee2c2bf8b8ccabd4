import { type Db, sql } from '../../platform/db/db.ts'
import { type Finding, ok, warning } from './finding.ts'

interface Counts {
  active: number
  failing: number
  /** Epoch ms; null if none fails. */
  since: number | null
  disabled: number
}

/** Counts the webhook endpoints of all API keys that fail, and those that were disabled because they did. */
export async function checkEndpoints(db: Db): Promise<Finding> {
  const [counts] = await db.query<Counts>(sql`
    select count(*) filter (where active) as active,
      count(*) filter (where active and failing_since is not null) as failing,
      min(failing_since) filter (where active) as since,
      count(*) filter (where enabled and disabled and failing_since is not null) as disabled
    from webhook_endpoint`)
  const { active = 0, failing = 0, since = null, disabled = 0 } = counts ?? {}
  const faults = [
    ...(since === null ? [] : [`${failing} of ${active} fail, the first since ${new Date(since).toISOString()}.`]),
    ...(disabled === 0 ? [] : [`${disabled} failed until the service disabled them.`]),
  ]
  if (faults.length === 0) return ok('webhook endpoints', `None of ${active} fails.`)
  return warning('webhook endpoints', faults.join(' '), MEND)
}

const MEND =
  'The console shows on *Endpoints* what they answered. Mend what receives, or disable or delete the endpoint.'
