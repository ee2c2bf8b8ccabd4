import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, sql } from '../../../platform/db/db.ts'
import { ApiError } from '../../../platform/errors.ts'
import { keyOf } from '../../../platform/id.ts'
import { changesFields } from '../../../platform/record-size.ts'
import { clearedByNull, nullable, oneOf, type Static, Type, wholeNumber } from '../../../platform/schema.ts'

const ALERT_TYPES = ['anomaly', 'configuration_drift', 'emerging_standard', 'standards_drift'] as const
/** The severities of an alert, the highest first. */
export const SEVERITIES = ['high', 'medium', 'low'] as const

/** An alert as `alerts/list` returns it. */
export const Alert = Type.Object({
  id: Type.String(),
  apiKey: Type.String(),
  alertType: oneOf(
    [...ALERT_TYPES],
    '`standards_drift`: decisions moved; `anomaly`: sudden disagreement; `emerging_standard`: a new reason; `configuration_drift`: stale knowledge.',
  ),
  severity: oneOf([...SEVERITIES], 'How far it is from what was usual.'),
  title: Type.String(),
  description: Type.String(),
  evidence: Type.Object({
    metric: oneOf(
      ['approvalRate', 'volume', 'staleReferences', 'enforcementRate', 'violationRate'],
      'What was measured.',
    ),
    baseline: Type.Number({ description: 'What was usual before.' }),
    current: Type.Number(),
    window: Type.String({ description: 'The span of time of `current`, such as `30d`.' }),
    sourceRecordIds: Type.Array(Type.String(), {
      description: 'Up to 10 of its judgments, as far as they still exist.',
    }),
    knowledgeSourceId: nullable(Type.String()),
    ruleRef: Type.Null(),
  }),
  suggestedAction: Type.String(),
  actionUrl: Type.Null(),
  status: oneOf(['active'], 'Only active alerts are listed.'),
  createdAt: Type.Integer({ description: 'Epoch milliseconds.' }),
  dismissedAt: Type.Null(),
  dismissedBy: Type.Null(),
  dedupKey: Type.String({ description: 'What it is about; the same is not raised again for 30 days.' }),
})
export type Alert = Static<typeof Alert>

const enabled = Type.Boolean({ description: 'Whether alerts are raised.' })
const maxAlertsPerWeek = wholeNumber('In 7 days. Default, and most: 3.')
const enabledAlertTypes = Type.Array(oneOf([...ALERT_TYPES], 'A type of alert.'), { description: 'Default: all.' })
const severityThreshold = oneOf([...SEVERITIES], 'The least severity that is raised. Default: `low`.')

/** What an owner of an API key wants to be told. Other keys are kept as they were sent. */
export const AlertConfig = Type.Partial(
  Type.Object({ enabled, maxAlertsPerWeek, enabledAlertTypes, severityThreshold }),
)
export type AlertConfig = Static<typeof AlertConfig>

/** A change of it. Null gives a field its default, but for the switch, which is always set. */
export const AlertConfigChange = Type.Object(
  {
    enabled: Type.Optional(enabled),
    maxAlertsPerWeek: clearedByNull(maxAlertsPerWeek),
    enabledAlertTypes: clearedByNull(enabledAlertTypes),
    severityThreshold: clearedByNull(severityThreshold),
  },
  changesFields([]),
)

/** What was set for the API key; null if nothing ever was. */
export async function readAlertConfig(db: Db, apiKey: string | null): Promise<AlertConfig | null> {
  const [row] = await db.query<{ config: AlertConfig }>(sql`
    select config from memory_alerting where api_key = ${apiKey}`)
  return row?.config ?? null
}

/** Ends an alert; one that has ended stays as it is. Throws NOT_FOUND if there is none with this id. */
export async function endAlert(
  db: Db,
  { apiKey }: ApiKeyTenant,
  alertId: string,
  status: 'dismissed' | 'done',
): Promise<{ success: true }> {
  const [ended] = await db.query(sql`
    update memory_alert
    set status = case when status = 'active' then ${status} else status end
    where api_key = ${apiKey} and key = ${keyOf(alertId)}::uuid
    returning key`)
  if (!ended) throw new ApiError('NOT_FOUND', 'There is no alert with this id.')
  return { success: true }
}
