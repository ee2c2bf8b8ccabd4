import type { Api } from '../../../../client/src/index.ts'
import { useTenant } from '../../door/tenant.tsx'
import { t } from '../../strings.ts'
import { Action } from '../../ui/action.tsx'
import { TextField } from '../../ui/filters.tsx'
import { OnOff, SettingsPanel, setOrNot, type Update } from '../../ui/settings-panel.tsx'
import { Facts } from '../../ui/show.tsx'

type Given = Awaited<ReturnType<Api['permissions']['getPermissionProviderConfig']>>['data']
type Change = NonNullable<Parameters<Api['permissions']['updatePermissionProviderConfig']>[0]>

/** The config without the token, which the page forgets as soon as it is read. */
interface Settings {
  isOn: boolean
  url: string
  token: string
}

function settingsOf({ usePermissionProvider: isOn, permissionProviderConfig: config }: Given): Settings {
  return { isOn, url: config.permissionProviderUrl, token: setOrNot(config.authToken) }
}

/** The address of the customer that is asked who may open a place. */
export function PermissionProvider() {
  const { permissions } = useTenant().api
  return (
    <SettingsPanel
      title={t.provider.title}
      about={t.provider.about}
      needs="administer"
      read={async () => settingsOf((await permissions.getPermissionProviderConfig({})).data)}
      send={async (change: Change) => settingsOf((await permissions.updatePermissionProviderConfig(change)).data)}
      actions={(settings, update) => <Changes settings={settings} update={update} />}
    >
      {({ isOn, url, token }) => (
        <Facts
          facts={[
            [t.provider.title, <OnOff key="service" isOn={isOn} />],
            [t.provider.url, url || t.none],
            [t.provider.token, token],
          ]}
        />
      )}
    </SettingsPanel>
  )
}

function Changes({ settings: { isOn, url }, update }: { settings: Settings; update: Update<Change> }) {
  const change = ({ permissionProviderUrl = '', authToken = '' }: Record<string, string>) => {
    const permissionProviderConfig = { permissionProviderUrl }
    // The page does not know the token that is replaced.
    if (authToken) return update({ permissionProviderConfig: { ...permissionProviderConfig, authToken } })
    return update({ permissionProviderConfig }, { permissionProviderConfig: { permissionProviderUrl: url } })
  }
  const fields = (
    <>
      <TextField label={t.provider.url} name="permissionProviderUrl" type="url" value={url} />
      <TextField label={t.provider.token} name="authToken" type="password" placeholder={t.settings.kept} />
    </>
  )
  return (
    <>
      <Action
        needs="administer"
        label={isOn ? t.provider.turnOff : t.provider.turnOn}
        confirm={isOn ? t.provider.turnOffConfirm : t.provider.turnOnConfirm}
        run={() => update({ usePermissionProvider: !isOn }, { usePermissionProvider: isOn })}
      />
      <Action needs="administer" label={t.provider.change} fields={fields} run={change} />
    </>
  )
}
