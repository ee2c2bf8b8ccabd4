import { Link } from '@tanstack/react-router'
import type { Api } from '../../../client/src/index.ts'
import type { Right } from '../door/session.ts'
import { useRead, useReadPages, useTenant } from '../door/tenant.tsx'
import { t } from '../strings.ts'
import { Action } from '../ui/action.tsx'
import { More } from '../ui/data-table.tsx'
import { SelectField, TextField, useFilters } from '../ui/filters.tsx'
import { Secret } from '../ui/secret.tsx'
import { OnOff } from '../ui/settings-panel.tsx'
import { Badge, Facts, Heading, Panel } from '../ui/show.tsx'
import { Loaded } from '../ui/states.tsx'
import { AllowedDomains } from './settings/allowed-domains.tsx'

type Key = Awaited<ReturnType<Api['workspaces']['getApiKeys']>>['data'][number]
type Options = Awaited<ReturnType<Api['workspaces']['getApiKeyConfig']>>['data']
type Changed = Parameters<Api['workspaces']['updateApiKeyConfig']>[0]

const PAGE_SIZE = 100
const ACCESS_TYPES = ['public', 'organizationPrivate', 'restricted'] as const

/** The API keys of the workspace with their tokens, and the switches of the chosen one. */
export function Page() {
  const { workspace } = useTenant()
  const query = useReadPages(['keys', workspace.id], async (api, token, options) => {
    const { data, nextPageToken } = await api.workspaces.getApiKeys({ pageSize: PAGE_SIZE, ...token }, options)
    return { rows: data, next: nextPageToken }
  })
  return (
    <>
      <Heading title={t.keys.title} about={t.keys.about} actions={<CreateAction />} />
      <KeyOptions />
      <AllowedDomains />
      <h2>{t.keys.list}</h2>
      <Loaded query={query}>{() => query.rows.map((key) => <KeyPanel key={key.id} apiKey={key} />)}</Loaded>
      <More query={query} />
    </>
  )
}

function CreateAction() {
  const { api } = useTenant()
  const create = async ({ ownerEmail = '', type = '', apiKeyName = '' }: Record<string, string>) => {
    const { data } = await api.workspaces.createApiKey({
      ownerEmail,
      type: type === 'production' ? 'production' : 'testing',
      createAuthToken: true,
      apiKeyName,
    })
    return t.keys.created(data.apiKey)
  }
  const fields = (
    <>
      <TextField label={t.name} name="apiKeyName" placeholder={t.keys.nameHint} required />
      <TextField label={t.keys.owner} name="ownerEmail" type="email" required />
      <SelectField label={t.keys.type} name="type" options={['testing', 'production']} />
    </>
  )
  return <Action needs="develop" label={t.keys.create} fields={fields} run={create} />
}

function KeyPanel({ apiKey: key }: { apiKey: Key }) {
  const { apiKey: chosen } = useTenant()
  const { id: apiKey, apiKeyName, type, disabled = false } = key
  return (
    <Panel title={apiKeyName || apiKey} actions={<KeyActions apiKey={key} />}>
      <Facts
        facts={[
          [t.keys.id, apiKey],
          [t.keys.type, type],
          [
            t.status,
            <Badge key="status" tone={disabled ? 'bad' : 'good'}>
              {disabled ? t.disabled : t.enabled}
            </Badge>,
          ],
        ]}
      />
      {apiKey === chosen.id ? (
        <p>
          <Badge>{t.keys.chosen}</Badge>
        </p>
      ) : (
        <Link to="." search={{ key: apiKey }}>
          {t.keys.choose}
        </Link>
      )}
      <Token apiKey={apiKey} />
    </Panel>
  )
}

function KeyActions({ apiKey: key }: { apiKey: Key }) {
  const { api, apiKey: chosen } = useTenant()
  const [, change] = useFilters()
  const { id: apiKey, apiKeyName, disabled = false } = key
  const update = async (changed: { apiKeyName: string } | { disabled: boolean }) => {
    await api.workspaces.updateApiKey({ apiKey, ...changed })
    const undo = () => api.workspaces.updateApiKey({ apiKey, apiKeyName, disabled })
    return { said: t.keys.changed, undo }
  }
  const remove = async () => {
    await api.workspaces.deleteApiKey({ apiKey })
    // The address would name a key that is gone.
    if (apiKey === chosen.id) change({ key: undefined }, { replace: true })
    return t.keys.deleted
  }
  return (
    <>
      <Action
        needs="develop"
        label={t.keys.rename}
        fields={<TextField label={t.name} name="apiKeyName" value={apiKeyName} required />}
        run={({ apiKeyName: name = '' }) => update({ apiKeyName: name })}
      />
      <Action needs="develop" label={disabled ? t.enable : t.disable} run={() => update({ disabled: !disabled })} />
      <Action
        needs="develop"
        label={t.delete}
        confirm={t.keys.deleteConfirm(apiKeyName || apiKey)}
        danger
        run={remove}
      />
    </>
  )
}

/** The auth token, read only when it is asked for. */
function Token({ apiKey }: { apiKey: string }) {
  const { api } = useTenant()
  const reset = (forget: () => void) => async () => {
    await api.workspaces.resetAuthToken({ apiKey })
    forget()
    return t.keys.wasReset
  }
  return (
    <Secret
      label={t.keys.show}
      read={async () => (await api.workspaces.getAuthTokens({ apiKey })).data.authTokens[0]?.token ?? t.none}
      actions={(forget) => (
        <Action needs="develop" label={t.keys.reset} confirm={t.keys.resetConfirm} danger run={reset(forget)} />
      )}
    />
  )
}

/** What the chosen API key has switched on. */
function KeyOptions() {
  const config = useRead(['key-config'], async (api, options) => {
    const [key, activity, notifications, webhooks] = await Promise.all([
      api.workspaces.getApiKeyConfig({}, options),
      api.activities.getActivityConfig({}, options),
      api.notifications.getNotificationConfig({}, options),
      api.webhooks.getAdvancedWebhookConfig({}, options),
    ])
    return { key: key.data, activity: activity.data, notifications: notifications.data, webhooks: webhooks.data }
  })
  const { api, apiKey } = useTenant()
  return (
    <Panel title={t.keys.options(apiKey.apiKeyName || apiKey.id)}>
      <Loaded query={config}>
        {({ key, activity, notifications, webhooks }) => (
          <>
            <Switches options={key} />
            <Switch
              option="activityLog"
              needs="administer"
              isOn={activity.activityServiceConfig.isEnabled}
              turn={(isEnabled) => api.activities.updateActivityConfig({ activityServiceConfig: { isEnabled } })}
            />
            <Switch
              option="notifications"
              needs="administer"
              isOn={notifications.useNotificationService}
              turn={(on) => api.notifications.updateNotificationConfig({ useNotificationService: on })}
            />
            <Switch
              option="webhooks"
              isOn={webhooks.isEnabled}
              turn={(isEnabled) => api.webhooks.updateAdvancedWebhookConfig({ isEnabled })}
            />
            <DefaultAccess value={key.defaultDocumentAccessType} />
          </>
        )}
      </Loaded>
    </Panel>
  )
}

function Switches({ options }: { options: Options }) {
  const { api } = useTenant()
  const { advancedQueries, isPrivateCommentsEnabled, requireJwtToken, requireAutoOrgUser } = options
  const change = (changed: Changed) => api.workspaces.updateApiKeyConfig(changed)
  return (
    <>
      <Switch option="advancedQueries" isOn={advancedQueries} turn={(on) => change({ advancedQueries: on })} />
      <Switch
        option="isPrivateCommentsEnabled"
        isOn={isPrivateCommentsEnabled}
        turn={(on) => change({ enablePrivateComments: on })}
      />
      <Switch option="requireJwtToken" isOn={requireJwtToken} turn={(on) => change({ requireJwtToken: on })} />
      <Switch option="requireAutoOrgUser" isOn={requireAutoOrgUser} turn={(on) => change({ requireAutoOrgUser: on })} />
    </>
  )
}

interface SwitchProps {
  option: keyof typeof t.keys.names
  isOn: boolean
  needs?: Right
  turn: (on: boolean) => Promise<unknown>
}

function Switch({ option, isOn, needs = 'develop', turn }: SwitchProps) {
  const run = async () => {
    await turn(!isOn)
    return { said: t.keys.optionChanged, undo: () => turn(isOn) }
  }
  const name = t.keys.names[option]
  return (
    <section>
      <p className="actions">
        {name}: <OnOff isOn={isOn} />
        <Action needs={needs} label={isOn ? t.keys.switchOff(name) : t.keys.switchOn(name)} run={run} />
      </p>
      <p className="muted">{t.keys.helps[option]}</p>
    </section>
  )
}

function DefaultAccess({ value }: { value: Options['defaultDocumentAccessType'] }) {
  const { api } = useTenant()
  const run = async ({ type }: Record<string, string>) => {
    const chosen = ACCESS_TYPES.find((each) => each === type) ?? value
    await api.workspaces.updateApiKeyConfig({ defaultDocumentAccessType: chosen })
    const undo = () => api.workspaces.updateApiKeyConfig({ defaultDocumentAccessType: value })
    return { said: t.keys.optionChanged, undo }
  }
  const field = <SelectField label={t.keys.defaultAccess} name="type" value={value} options={[...ACCESS_TYPES]} />
  return (
    <section>
      <p className="actions">
        {t.keys.defaultAccess}: <Badge>{value}</Badge>
        <Action needs="develop" label={`${t.edit}: ${t.keys.defaultAccess}`} fields={field} run={run} />
      </p>
      <p className="muted">{t.keys.defaultAccessHelp}</p>
    </section>
  )
}
