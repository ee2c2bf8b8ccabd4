import type { Api } from '../../../../client/src/index.ts'
import { useRead, useTenant } from '../../door/tenant.tsx'
import { t } from '../../strings.ts'
import { Action, type Done } from '../../ui/action.tsx'
import { CheckField, TextField } from '../../ui/filters.tsx'
import { OnOff } from '../../ui/settings-panel.tsx'
import { Facts, Panel } from '../../ui/show.tsx'
import { Loaded } from '../../ui/states.tsx'
import { numberText } from '../../ui/text.ts'
import { TriggerChange, TriggerList } from '../settings/triggers.tsx'

type Given = Awaited<ReturnType<Api['notifications']['getNotificationConfig']>>['data']
type Config = Given['notificationServiceConfig']
type Change = NonNullable<Parameters<Api['notifications']['updateNotificationConfig']>[0]>
type Values = Record<string, string>

const texts = t.notificationSettings

/** Which events notify people, and whether notifications wait or are gathered. It holds for the whole API key. */
export function NotificationSettings() {
  const { api } = useTenant()
  const query = useRead(['notification-settings'], (client, options) =>
    client.notifications.getNotificationConfig({}, options),
  )
  const send = (change: Change) => api.notifications.updateNotificationConfig(change)
  return (
    <Loaded query={query}>
      {({ data: { useNotificationService: isOn, notificationServiceConfig: config } }) => {
        const turn = async () => {
          await send({ useNotificationService: !isOn })
          return { said: t.settings.changed, undo: () => send({ useNotificationService: isOn }) }
        }
        const change = async (notificationServiceConfig: Change['notificationServiceConfig']) => {
          await send({ notificationServiceConfig })
          return { said: t.settings.changed, undo: () => send({ notificationServiceConfig: config }) }
        }
        return (
          <Panel
            title={texts.title}
            actions={
              <>
                <Action needs="administer" label={isOn ? texts.turnOff : texts.turnOn} run={turn} />
                <Changes config={config} change={change} />
              </>
            }
          >
            <p className="muted">{texts.about}</p>
            <Shown isOn={isOn} config={config} />
          </Panel>
        )
      }}
    </Loaded>
  )
}

const Shown = ({ isOn, config: { delayConfig, batchConfig, triggers } }: { isOn: boolean; config: Config }) => (
  <>
    <Facts
      facts={[
        [t.notifications.title, <OnOff key="service" isOn={isOn} />],
        [texts.delay, delayConfig.isEnabled ? texts.seconds(numberText(delayConfig.delaySeconds)) : t.settings.off],
        [texts.byDocument, batchText(batchConfig.document)],
        [texts.byPerson, batchText(batchConfig.user)],
      ]}
    />
    <TriggerList title={texts.triggers} triggers={triggers} />
  </>
)

type Batch = Config['batchConfig']['user']

const batchText = ({ isEnabled, batchWindowSeconds, maxActivities }: Batch) =>
  isEnabled ? texts.batch(numberText(batchWindowSeconds), numberText(maxActivities)) : t.settings.off

interface ChangesProps {
  config: Config
  change: (config: Change['notificationServiceConfig']) => Promise<Done>
}

function Changes({ config: { delayConfig, batchConfig, triggers }, change }: ChangesProps) {
  const { isEnabled, delaySeconds } = delayConfig
  const fields = (
    <>
      <CheckField label={texts.delay} name="isEnabled" checked={isEnabled} />
      <TextField label={texts.delaySeconds} name="delaySeconds" type="number" value={`${delaySeconds}`} required />
    </>
  )
  const delay = (values: Values) =>
    change({ delayConfig: { isEnabled: values.isEnabled === 'on', delaySeconds: Number(values.delaySeconds) } })
  return (
    <>
      <Action needs="administer" label={texts.changeDelay} confirm={texts.delayHelp} fields={fields} run={delay} />
      <BatchChange
        label={texts.byDocument}
        batch={batchConfig.document}
        change={(document) => change({ batchConfig: { document } })}
      />
      <BatchChange
        label={texts.byPerson}
        batch={batchConfig.user}
        change={(user) => change({ batchConfig: { user } })}
      />
      <TriggerChange needs="administer" triggers={triggers} update={(after) => change({ triggers: after })} />
    </>
  )
}

interface BatchChangeProps {
  label: string
  batch: Batch
  change: (batch: Batch) => Promise<Done>
}

function BatchChange({ label, batch: { isEnabled, batchWindowSeconds, maxActivities }, change }: BatchChangeProps) {
  const fields = (
    <>
      <CheckField label={label} name="isEnabled" checked={isEnabled} />
      <TextField
        label={texts.window}
        name="batchWindowSeconds"
        type="number"
        value={`${batchWindowSeconds}`}
        required
      />
      <TextField label={texts.most} name="maxActivities" type="number" value={`${maxActivities}`} required />
    </>
  )
  const run = (values: Values) =>
    change({
      isEnabled: values.isEnabled === 'on',
      batchWindowSeconds: Number(values.batchWindowSeconds),
      maxActivities: Number(values.maxActivities),
    })
  return <Action needs="administer" label={label} confirm={texts.batchHelp} fields={fields} run={run} />
}
