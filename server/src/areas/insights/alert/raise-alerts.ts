import type { ApiKeyScope } from '../../../platform/context.ts'
import { DAY_MS } from '../../../platform/date-range.ts'
import { type Db, sql } from '../../../platform/db/db.ts'
import { keyOf, randomId } from '../../../platform/id.ts'
import { type AlertConfig, SEVERITIES } from './alert.ts'
import type { FoundAlert } from './found-alert.ts'

const REPEATED_DAYS = 30
const MOST_PER_WEEK = 3

/**
 * Raises what the owner of the API key wants to be told, at most three alerts in seven days, and the same once a month.
 */
export async function raiseAlerts(db: Db, { apiKey }: ApiKeyScope, found: FoundAlert[], config: AlertConfig) {
  const { enabled = true, maxAlertsPerWeek = MOST_PER_WEEK, enabledAlertTypes, severityThreshold = 'low' } = config
  if (!enabled) return
  const isWanted = ({ alertType, severity }: FoundAlert) =>
    (enabledAlertTypes?.includes(alertType) ?? true) &&
    SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(severityThreshold)
  const wanted = found.filter(isWanted).sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity))
  for (const alert of wanted) {
    const alertId = randomId('alert_')
    const about = alert.knowledgeKey ?? alert.contentType ?? alert.side ?? ''
    const dedupKey = `${alert.alertType}:${alert.metric}:${about}`
    await db.query(sql`
      insert into memory_alert (
        api_key, key, alert_id, alert_type, severity, dedup_key, content_type, side, metric, baseline, current, window_days,
        judgments, knowledge_key)
      select ${apiKey}, ${keyOf(alertId)}::uuid, ${alertId}, ${alert.alertType}, ${alert.severity}, ${dedupKey},
        ${alert.contentType}, ${alert.side}, ${alert.metric}, ${alert.baseline}::double precision, ${alert.current}::double precision,
        ${alert.windowDays}::int, ${alert.judgments}::uuid[], ${alert.knowledgeKey}::uuid
      where not exists (
          select from memory_alert
          where api_key = ${apiKey} and dedup_key = ${dedupKey}
            and created_at > now_ms() - ${REPEATED_DAYS * DAY_MS}::bigint
        )
        and (
          select count(*) from memory_alert where api_key = ${apiKey} and created_at > now_ms() - ${7 * DAY_MS}::bigint
        ) < ${Math.min(maxAlertsPerWeek, MOST_PER_WEEK)}`)
  }
}
