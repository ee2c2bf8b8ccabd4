import type { Api } from '../../../../client/src/index.ts'
import { allDone } from '../../door/all-done.ts'
import { useRead, useTenant } from '../../door/tenant.tsx'
import { t } from '../../strings.ts'
import { Action } from '../../ui/action.tsx'
import { SelectField } from '../../ui/filters.tsx'
import { Facts, Panel } from '../../ui/show.tsx'
import { Loaded } from '../../ui/states.tsx'
import { useDocumentNames } from '../names.ts'

type Config = Awaited<ReturnType<Api['notifications']['getUserNotificationConfig']>>['data'][number]['config']
type Level = Config['inbox']

const LEVELS = Object.keys(t.notifications.levels) as Level[]

interface PreferencesProps {
  organizationId: string
  userId: string
  /** Left out: those of the organization. */
  documentId?: string
}

/** Which notifications and emails somebody gets, in an organization or in one of its documents. */
export function Preferences({ organizationId, userId, documentId }: PreferencesProps) {
  const { api } = useTenant()
  const place = { organizationId, ...(documentId ? { documentIds: [documentId] } : { getOrganizationConfig: true }) }
  const query = useRead(['preferences', place, userId], async (client, options) => {
    const { data } = await client.notifications.getUserNotificationConfig({ ...place, userId }, options)
    // Of an organization that is gone there is none.
    return data[0]?.config ?? null
  })
  const set = (config: Config) => {
    const documents = documentId ? { documentIds: [documentId] } : {}
    return allDone(
      api.notifications.setUserNotificationConfig({ organizationId, ...documents, userIds: [userId], config }),
    )
  }
  const nameOf = useDocumentNames(organizationId, documentId ? [documentId] : [])
  const { levels, preferences, ofDocument, ofOrganization } = t.notifications
  return (
    <Loaded query={query}>
      {(config) =>
        config && (
          <Panel
            title={documentId ? ofDocument(nameOf(documentId)) : ofOrganization}
            actions={<Change config={config} set={set} />}
          >
            <p className="muted">{preferences}</p>
            <Facts
              facts={[
                [t.notifications.inbox, levels[config.inbox]],
                [t.notifications.emails, levels[config.email]],
              ]}
            />
          </Panel>
        )
      }
    </Loaded>
  )
}

function Change({ config, set }: { config: Config; set: (config: Config) => Promise<unknown> }) {
  const { inbox, email } = config
  const options = LEVELS.map((level): [string, string] => [level, t.notifications.levels[level]])
  const fields = (
    <>
      <SelectField label={t.notifications.inbox} name="inbox" value={inbox} options={options} />
      <SelectField label={t.notifications.emails} name="email" value={email} options={options} />
    </>
  )
  const run = async (values: Record<string, string>) => {
    const levelOf = (name: string, before: Level) => LEVELS.find((level) => level === values[name]) ?? before
    await set({ inbox: levelOf('inbox', inbox), email: levelOf('email', email) })
    return { said: t.notifications.changed, undo: () => set({ inbox, email }) }
  }
  return <Action label={t.notifications.change} needs="administer" fields={fields} run={run} />
}
