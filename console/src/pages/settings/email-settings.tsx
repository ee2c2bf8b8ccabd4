import type { Api } from '../../../../client/src/index.ts'
import { useTenant } from '../../door/tenant.tsx'
import { t } from '../../strings.ts'
import { Action } from '../../ui/action.tsx'
import { SelectField, TextField } from '../../ui/filters.tsx'
import { OnOff, SettingsPanel, setOrNot, type Update } from '../../ui/settings-panel.tsx'
import { Facts } from '../../ui/show.tsx'
import { TriggerChange, TriggerList } from './triggers.tsx'

type Given = Awaited<ReturnType<Api['email']['getEmailConfig']>>['data']
type Change = NonNullable<Parameters<Api['email']['updateEmailConfig']>[0]>

/** The email config without the key of the provider, which the page forgets as soon as it is read. */
interface Settings extends Omit<Given['emailServiceConfig'], 'apiKey'> {
  isOn: boolean
  key: string
}

function settingsOf({ useEmailService: isOn, emailServiceConfig: { apiKey, ...rest } }: Given): Settings {
  return { ...rest, isOn, key: setOrNot(apiKey) }
}

/** How emails are sent: by whom, in whose name, and which events cause one. */
export function EmailSettings() {
  const { email } = useTenant().api
  return (
    <SettingsPanel
      title={t.settings.title}
      about={t.email.settingsAbout}
      needs="develop"
      read={async () => settingsOf((await email.getEmailConfig({})).data)}
      send={async (change: Change) => settingsOf((await email.updateEmailConfig(change)).data)}
      actions={(settings, update) => <Changes settings={settings} update={update} />}
    >
      {(settings) => <Shown settings={settings} />}
    </SettingsPanel>
  )
}

function Shown({ settings }: { settings: Settings }) {
  const { isOn, key, type, fromEmail, fromCompany, commentTemplateId, tagTemplateId, triggers } = settings
  return (
    <>
      <Facts
        facts={[
          [t.email.service, <OnOff key="service" isOn={isOn} />],
          [t.email.provider, t.email.providers[type]],
          [t.email.key, key],
          [t.email.sender, fromEmail || t.none],
          [t.email.company, fromCompany || t.none],
          [t.email.commentTemplate, commentTemplateId || t.none],
          [t.email.tagTemplate, tagTemplateId || t.none],
        ]}
      />
      <TriggerList title={t.email.triggers} triggers={triggers} />
    </>
  )
}

interface ChangesProps {
  settings: Settings
  update: Update<Change>
}

function Changes({ settings, update }: ChangesProps) {
  const { isOn, triggers } = settings
  const before = { emailServiceConfig: { triggers } }
  return (
    <>
      <Action
        needs="develop"
        label={isOn ? t.email.turnOff : t.email.turnOn}
        {...(isOn && { confirm: t.email.turnOffConfirm })}
        run={() => update({ useEmailService: !isOn }, { useEmailService: isOn })}
      />
      <ProviderChange settings={settings} update={update} />
      <TriggerChange
        triggers={triggers}
        update={(after) => update({ emailServiceConfig: { triggers: after } }, before)}
      />
    </>
  )
}

const PROVIDERS = ['default', 'sendgrid', 'custom'] as const

function ProviderChange({ settings, update }: ChangesProps) {
  const { type: provider, fromEmail, fromCompany, commentTemplateId, tagTemplateId } = settings
  const before = { type: provider, fromEmail, fromCompany, commentTemplateId, tagTemplateId }
  const change = ({ type, apiKey = '', ...texts }: Record<string, string>) => {
    const emailServiceConfig = { type: PROVIDERS.find((each) => each === type) ?? provider, ...texts }
    // The page does not know the key that is replaced.
    if (apiKey) return update({ emailServiceConfig: { ...emailServiceConfig, apiKey } })
    return update({ emailServiceConfig }, { emailServiceConfig: before })
  }
  const fields = (
    <>
      <SelectField
        label={t.email.provider}
        name="type"
        value={settings.type}
        options={PROVIDERS.map((type) => [type, t.email.providers[type]])}
      />
      <TextField label={t.email.key} name="apiKey" type="password" placeholder={t.settings.kept} />
      <TextField label={t.email.sender} name="fromEmail" type="email" value={settings.fromEmail} />
      <TextField label={t.email.company} name="fromCompany" value={settings.fromCompany} />
      <TextField label={t.email.commentTemplate} name="commentTemplateId" value={settings.commentTemplateId} />
      <TextField label={t.email.tagTemplate} name="tagTemplateId" value={settings.tagTemplateId} />
    </>
  )
  return <Action needs="develop" label={t.email.change} fields={fields} run={change} />
}
