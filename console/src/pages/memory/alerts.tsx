import type { Api } from '../../../../client/src/index.ts'
import { useRead, useTenant } from '../../door/tenant.tsx'
import { t } from '../../strings.ts'
import { Action } from '../../ui/action.tsx'
import { CheckField, SelectField, TextField } from '../../ui/filters.tsx'
import { OnOff } from '../../ui/settings-panel.tsx'
import { Badge, Bar, Facts, Panel } from '../../ui/show.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { numberText, percentText, timeText } from '../../ui/text.ts'
import { To } from '../browse-links.tsx'
import { FoldedJudgments } from './placed-judgments.tsx'

type Alert = Awaited<ReturnType<Api['insights']['listAlerts']>>[number]
type Config = Awaited<ReturnType<Api['insights']['getAlertConfig']>>

const REFRESH_MS = 30_000
const SEVERITIES = ['low', 'medium', 'high'] as const
/** Those that are raised. */
const TYPES = ['standards_drift', 'anomaly', 'emerging_standard', 'configuration_drift'] as const

/** What changes in the decisions, what it rests on, and which of it is told. */
export function Alerts() {
  const query = useRead(['alerts'], (api, options) => api.insights.listAlerts({}, options), {
    refetchInterval: REFRESH_MS,
  })
  return (
    <>
      <p className="muted">{t.alerts.about}</p>
      <Loaded query={query}>
        {(alerts) =>
          alerts.length === 0 ? (
            <Empty what={t.alerts.none} next={t.alerts.noneNext} list={t.alerts.conditions} />
          ) : (
            alerts.map((alert) => <AlertPanel key={alert.id} alert={alert} />)
          )
        }
      </Loaded>
      <Settings />
    </>
  )
}

const TONES = { high: 'bad', medium: 'wait', low: 'plain' } as const

function AlertPanel({ alert }: { alert: Alert }) {
  const { title, severity, alertType, description, suggestedAction, createdAt, evidence } = alert
  const { sourceRecordIds, knowledgeSourceId } = evidence
  return (
    <Panel title={title} actions={<Ends alertId={alert.id} />}>
      <p>
        <Badge tone={TONES[severity]}>{t.alerts.severities[severity]}</Badge> {description}
      </p>
      <p>
        <strong>{t.alerts.advice}:</strong> {suggestedAction}
      </p>
      <Facts
        facts={[
          [t.alerts.kind, t.alerts.types[alertType]],
          ...measured(evidence),
          [t.alerts.raised, timeText(createdAt)],
        ]}
      />
      {knowledgeSourceId && (
        <p>
          <To page="/memory" search={{ view: 'knowledge', source: knowledgeSourceId }} label={t.alerts.source} />
        </p>
      )}
      {sourceRecordIds.length > 0 && (
        <FoldedJudgments title={t.alerts.evidence(sourceRecordIds.length)} recordIds={sourceRecordIds} />
      )}
    </Panel>
  )
}

/** What was usual and what is now; the age of knowledge is in days, all else a share. */
function measured({ metric, baseline, current, window }: Alert['evidence']): [string, React.ReactNode][] {
  if (metric === 'staleReferences') return [[t.alerts.now(window), t.alerts.days(numberText(Math.round(current)))]]
  return [
    [t.alerts.before, <Share key="before" label={t.alerts.before} share={baseline} />],
    [t.alerts.now(window), <Share key="now" label={t.alerts.now(window)} share={current} />],
  ]
}

const Share = ({ label, share }: { label: string; share: number }) => (
  <span className="verdict">
    <Bar label={label} share={share} /> {percentText(share)}
  </span>
)

function Ends({ alertId }: { alertId: string }) {
  const { api } = useTenant()
  const end = (how: 'markAlertDone' | 'dismissAlert', said: string) => async () => {
    await api.insights[how]({ alertId })
    return said
  }
  return (
    <>
      <Action needs="review" label={t.alerts.done} run={end('markAlertDone', t.alerts.doneSaid)} />
      <Action
        needs="review"
        label={t.alerts.dismiss}
        confirm={t.alerts.confirmDismiss}
        run={end('dismissAlert', t.alerts.dismissed)}
      />
    </>
  )
}

function Settings() {
  const query = useRead(['alerts', 'config'], (api, options) => api.insights.getAlertConfig({}, options))
  return <Loaded query={query}>{(config) => <SettingsPanel config={withDefaults(config)} />}</Loaded>
}

const MOST_PER_WEEK = 3

const withDefaults = ({
  enabled = true,
  maxAlertsPerWeek = MOST_PER_WEEK,
  severityThreshold = 'low',
  ...config
}: Config) => ({
  enabled,
  maxAlertsPerWeek,
  severityThreshold,
  types: TYPES.filter((type) => config.enabledAlertTypes?.includes(type) ?? true),
})

type Chosen = ReturnType<typeof withDefaults>

function SettingsPanel({ config }: { config: Chosen }) {
  const { api } = useTenant()
  const change = (next: Chosen) => {
    const { types: enabledAlertTypes, ...rest } = next
    return api.insights.updateAlertConfig({ config: { ...rest, enabledAlertTypes } })
  }
  const submit = async (values: Record<string, string>) => {
    await change({
      enabled: values.enabled === 'on',
      maxAlertsPerWeek: Number(values.most),
      severityThreshold: SEVERITIES.find((each) => each === values.threshold) ?? 'low',
      types: TYPES.filter((type) => values[type] === 'on'),
    })
    return { said: t.alerts.changed, undo: () => change(config) }
  }
  const action = (
    <Action needs="review" label={t.alerts.change} fields={<SettingsFields config={config} />} run={submit} />
  )
  return (
    <Panel title={t.alerts.config} actions={action}>
      <Facts
        facts={[
          [t.alerts.enabled, <OnOff key="enabled" isOn={config.enabled} />],
          [t.alerts.raisedTypes, config.types.map((type) => t.alerts.types[type]).join(', ') || t.none],
          [t.alerts.threshold, t.alerts.severities[config.severityThreshold]],
          [t.alerts.most, numberText(config.maxAlertsPerWeek)],
        ]}
      />
    </Panel>
  )
}

const SettingsFields = ({ config }: { config: Chosen }) => (
  <>
    <CheckField label={t.alerts.enabled} name="enabled" checked={config.enabled} />
    <fieldset>
      <legend>{t.alerts.raisedTypes}</legend>
      {TYPES.map((type) => (
        <CheckField key={type} label={t.alerts.types[type]} name={type} checked={config.types.includes(type)} />
      ))}
    </fieldset>
    <SelectField
      label={t.alerts.threshold}
      name="threshold"
      value={config.severityThreshold}
      options={SEVERITIES.map((each): [string, string] => [each, t.alerts.severities[each]])}
    />
    <TextField label={t.alerts.most} name="most" type="number" value={String(config.maxAlertsPerWeek)} required />
  </>
)
