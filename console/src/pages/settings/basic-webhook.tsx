import type { Api } from '../../../../client/src/index.ts'
import { useTenant } from '../../door/tenant.tsx'
import { t } from '../../strings.ts'
import { Action } from '../../ui/action.tsx'
import { TextField } from '../../ui/filters.tsx'
import { OnOff, SettingsPanel, setOrNot, type Update } from '../../ui/settings-panel.tsx'
import { Facts } from '../../ui/show.tsx'
import { PayloadFields, payloadFacts, payloadOf } from './payload-form.tsx'
import { TriggerChange, TriggerList } from './triggers.tsx'

type Given = Awaited<ReturnType<Api['webhooks']['getWebhookConfig']>>['data']
type Change = NonNullable<Parameters<Api['webhooks']['updateWebhookConfig']>[0]>

/** The config without the token, which the page forgets as soon as it is read. */
interface Settings extends Omit<Given['webhookServiceConfig'], 'authToken'> {
  isOn: boolean
  token: string
}

function settingsOf({ useWebhookService: isOn, webhookServiceConfig: { authToken, ...rest } }: Given): Settings {
  return { ...rest, isOn, token: setOrNot(authToken) }
}

/** The basic webhook of the API key: one or two addresses that get every chosen event. */
export function BasicWebhook() {
  const { webhooks } = useTenant().api
  return (
    <SettingsPanel
      title={t.basicWebhook.title}
      about={t.basicWebhook.about}
      needs="develop"
      read={async () => settingsOf((await webhooks.getWebhookConfig({})).data)}
      send={async (change: Change) => settingsOf((await webhooks.updateWebhookConfig(change)).data)}
      actions={(settings, update) => <Changes settings={settings} update={update} />}
    >
      {(settings) => <Shown settings={settings} />}
    </SettingsPanel>
  )
}

const Shown = ({ settings }: { settings: Settings }) => (
  <>
    <Facts
      facts={[
        [t.basicWebhook.title, <OnOff key="service" isOn={settings.isOn} />],
        [t.basicWebhook.raw, settings.rawNotificationUrl || t.none],
        [t.basicWebhook.processed, settings.processedNotificationUrl || t.none],
        [t.basicWebhook.token, settings.token],
        ...payloadFacts(settings),
      ]}
    />
    <TriggerList title={t.basicWebhook.triggers} triggers={settings.triggers} />
  </>
)

interface ChangesProps {
  settings: Settings
  update: Update<Change>
}

function Changes({ settings, update }: ChangesProps) {
  const { isOn, triggers } = settings
  const before = { webhookServiceConfig: { triggers } }
  return (
    <>
      <Action
        needs="develop"
        label={isOn ? t.basicWebhook.turnOff : t.basicWebhook.turnOn}
        {...(isOn && { confirm: t.basicWebhook.turnOffConfirm })}
        run={() => update({ useWebhookService: !isOn }, { useWebhookService: isOn })}
      />
      <TargetChange settings={settings} update={update} />
      <TriggerChange
        triggers={triggers}
        update={(after) => update({ webhookServiceConfig: { triggers: after } }, before)}
      />
    </>
  )
}

/** Changes where events are sent, and in which form. */
function TargetChange({ settings, update }: ChangesProps) {
  const { rawNotificationUrl, processedNotificationUrl, publicKey } = settings
  const { encodeData, encryptData, enableDataProtection } = settings
  const payload = { encodeData, encryptData, publicKey, enableDataProtection }
  const before = { rawNotificationUrl, processedNotificationUrl, ...payload }
  const change = (values: Record<string, string>) => {
    const { rawNotificationUrl = '', processedNotificationUrl = '', authToken = '' } = values
    const webhookServiceConfig = { rawNotificationUrl, processedNotificationUrl, ...payloadOf(values) }
    // The page does not know the token that is replaced.
    if (authToken) return update({ webhookServiceConfig: { ...webhookServiceConfig, authToken } })
    return update({ webhookServiceConfig }, { webhookServiceConfig: before })
  }
  const fields = (
    <>
      <TextField label={t.basicWebhook.raw} name="rawNotificationUrl" type="url" value={rawNotificationUrl} />
      <TextField
        label={t.basicWebhook.processed}
        name="processedNotificationUrl"
        type="url"
        value={processedNotificationUrl}
      />
      <TextField label={t.basicWebhook.token} name="authToken" type="password" placeholder={t.settings.kept} />
      <PayloadFields form={payload} />
    </>
  )
  return <Action needs="develop" label={t.basicWebhook.change} fields={fields} run={change} />
}
