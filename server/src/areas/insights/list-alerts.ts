import { sql } from '../../platform/db/db.ts'
import { operation } from '../../platform/operation.ts'
import { Type } from '../../platform/schema.ts'
import { Alert } from './alert/alert.ts'
import type { FoundAlert } from './alert/found-alert.ts'
import { wordingOf } from './alert/wording.ts'

type Stored = Pick<Alert, 'id' | 'alertType' | 'severity' | 'createdAt' | 'dedupKey'> &
  Pick<Alert['evidence'], 'metric' | 'baseline' | 'current' | 'sourceRecordIds' | 'knowledgeSourceId'> &
  Pick<FoundAlert, 'contentType' | 'side' | 'windowDays'>

/** Lists the newest 50 active alerts. */
export const listAlerts = operation({
  path: '/v2/memory/alerts/list',
  auth: 'apiKey',
  access: 'read',
  summary: 'List alerts about the decisions',
  description:
    'A worker looks through changed judgments once an hour: for drift, sudden disagreement, new reasons and stale knowledge.',
  input: Type.Object({}),
  example: {},
  output: Type.Array(Alert, { description: 'The newest first.' }),
  errors: [],
  message: '',
  bare: true,
}).run(async ({ db, tenant: { apiKey } }) => {
  const alerts = await db.query<Stored>(sql`
    select a.alert_id as id, a.alert_type as "alertType", a.severity, a.created_at as "createdAt",
      a.dedup_key as "dedupKey", a.metric, a.baseline, a.current, a.content_type as "contentType", a.side,
      a.window_days as "windowDays", s.source_id as "knowledgeSourceId",
      array(
        select record_id from judgment where api_key = ${apiKey} and key = any(a.judgments) order by created_at desc
      ) as "sourceRecordIds"
    from memory_alert a
    left join knowledge_source s on s.api_key = ${apiKey} and s.key = a.knowledge_key
    where a.api_key = ${apiKey} and a.status = 'active' and (a.knowledge_key is null or s.key is not null)
    order by a.created_at desc, a.key
    limit 50`)
  return alerts.map((alert) => {
    const { id, alertType, severity, createdAt, dedupKey, windowDays } = alert
    const { metric, baseline, current, sourceRecordIds, knowledgeSourceId } = alert
    return {
      id,
      apiKey,
      alertType,
      severity,
      ...wordingOf(alert),
      evidence: {
        metric,
        baseline,
        current,
        window: `${windowDays}d`,
        sourceRecordIds,
        knowledgeSourceId,
        ruleRef: null,
      },
      actionUrl: null,
      status: 'active' as const,
      createdAt,
      dismissedAt: null,
      dismissedBy: null,
      dedupKey,
    }
  })
})
