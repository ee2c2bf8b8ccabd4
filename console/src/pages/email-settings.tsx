import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Api } from '../../../client/src/index.ts'
import { useTenant } from '../door/tenant.tsx'
import { t } from '../strings.ts'
import { Action, type Done } from '../ui/action.tsx'
import { Button } from '../ui/button.tsx'
import { CheckField, SelectField, TextField } from '../ui/filters.tsx'
import { Badge, Facts, Panel } from '../ui/show.tsx'
import { Failed } from '../ui/states.tsx'
import { EventName } from './event-types.tsx'

type Given = Awaited<ReturnType<Api['email']['getEmailConfig']>>['data']
type Change = NonNullable<Parameters<Api['email']['updateEmailConfig']>[0]>
type Triggers = Given['emailServiceConfig']['triggers']

/** The email config without the key of the provider, which the page forgets as soon as it is read. */
interface Settings extends Omit<Given['emailServiceConfig'], 'apiKey'> {
  isOn: boolean
  hasKey: boolean
}

function settingsOf({ useEmailService: isOn, emailServiceConfig: { apiKey, ...rest } }: Given): Settings {
  return { ...rest, isOn, hasKey: apiKey !== '' }
}

/** The settings, read only when they are asked for, because they hold a secret and reading them is audited. */
export function EmailSettings() {
  const { api, session } = useTenant()
  const [settings, setSettings] = useState<Settings>()
  const reveal = useMutation({
    mutationFn: async () => settingsOf((await api.email.getEmailConfig({})).data),
    onSuccess: setSettings,
  })
  const set = async (change: Change) => setSettings(settingsOf((await api.email.updateEmailConfig(change)).data))
  const update = async (change: Change, before?: Change) => {
    await set(change)
    return before ? { said: t.email.changed, undo: () => set(before) } : t.email.changed
  }
  const mayRead = session.rights.includes('develop')
  return (
    <Panel title={t.email.settings} actions={settings && <Changes settings={settings} update={update} />}>
      {settings ? (
        <Shown settings={settings} />
      ) : (
        <>
          <p>{mayRead ? t.email.revealHelp : t.email.noRight}</p>
          {mayRead && (
            <div className="actions">
              <Button isBusy={reveal.isPending} press={() => reveal.mutate()}>
                {t.email.reveal}
              </Button>
            </div>
          )}
          {reveal.error && <Failed error={reveal.error} />}
        </>
      )}
    </Panel>
  )
}

function Shown({ settings }: { settings: Settings }) {
  const { isOn, hasKey, type, fromEmail, fromCompany, commentTemplateId, tagTemplateId, triggers } = settings
  const switches = switchesOf(triggers)
  return (
    <>
      <Facts
        facts={[
          [
            t.email.service,
            <Badge key="service" tone={isOn ? 'good' : 'plain'}>
              {isOn ? t.email.on : t.email.off}
            </Badge>,
          ],
          [t.email.provider, t.email.providers[type]],
          [t.email.key, hasKey ? t.email.isSet : t.email.notSet],
          [t.email.sender, fromEmail || t.none],
          [t.email.company, fromCompany || t.none],
          [t.email.commentTemplate, commentTemplateId || t.none],
          [t.email.tagTemplate, tagTemplateId || t.none],
        ]}
      />
      <h3>{t.email.triggers}</h3>
      {switches.length === 0 && <p>{t.email.noTrigger}</p>}
      <ul className="plain">
        {switches.map(({ label, value }) => (
          <li key={label}>
            <EventName type={label} /> <Badge tone={value ? 'good' : 'plain'}>{value ? t.email.on : t.email.off}</Badge>
          </li>
        ))}
      </ul>
    </>
  )
}

interface ChangesProps {
  settings: Settings
  /** Without what was before, it cannot be undone. */
  update: (change: Change, before?: Change) => Promise<Done | string>
}

const Changes = ({ settings, update }: ChangesProps) => (
  <>
    <Action
      needs="develop"
      label={settings.isOn ? t.email.turnOff : t.email.turnOn}
      {...(settings.isOn && { confirm: t.email.turnOffConfirm })}
      run={() => update({ useEmailService: !settings.isOn }, { useEmailService: settings.isOn })}
    />
    <ProviderChange settings={settings} update={update} />
    <TriggerChange settings={settings} update={update} />
  </>
)

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
      <TextField label={t.email.key} name="apiKey" type="password" placeholder={t.email.keyKept} />
      <TextField label={t.email.sender} name="fromEmail" type="email" value={settings.fromEmail} />
      <TextField label={t.email.company} name="fromCompany" value={settings.fromCompany} />
      <TextField label={t.email.commentTemplate} name="commentTemplateId" value={settings.commentTemplateId} />
      <TextField label={t.email.tagTemplate} name="tagTemplateId" value={settings.tagTemplateId} />
    </>
  )
  return <Action needs="develop" label={t.email.change} fields={fields} run={change} />
}

function TriggerChange({ settings: { triggers }, update }: ChangesProps) {
  const switches = switchesOf(triggers)
  if (switches.length === 0) return null
  const change = (values: Record<string, string>) =>
    update(
      { emailServiceConfig: { triggers: withSwitches(triggers, (label) => values[label] === 'on') } },
      { emailServiceConfig: { triggers } },
    )
  const fields = switches.map(({ label, value }) => (
    <CheckField key={label} label={<EventName type={label} />} name={label} checked={value} />
  ))
  return <Action needs="develop" label={t.email.changeTriggers} fields={fields} run={change} />
}

/** Every stored switch; one in a group is named by both. */
const switchesOf = (triggers: Triggers): { label: string; value: boolean }[] =>
  Object.entries(triggers).flatMap(([key, value]) =>
    typeof value === 'boolean'
      ? [{ label: key, value }]
      : Object.entries(value).map(([name, on]) => ({ label: groupedLabel(key, name), value: on })),
  )

const groupedLabel = (group: string, name: string) => `${group} / ${name}`

/** The same triggers with the values of now. */
const withSwitches = (triggers: Triggers, isOn: (label: string) => boolean): Triggers =>
  Object.fromEntries(
    Object.entries(triggers).map(([key, value]) => [
      key,
      typeof value === 'boolean'
        ? isOn(key)
        : Object.fromEntries(Object.keys(value).map((name) => [name, isOn(groupedLabel(key, name))])),
    ]),
  )
