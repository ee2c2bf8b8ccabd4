import { useRead, useTenant } from '../../door/tenant.tsx'
import { t } from '../../strings.ts'
import { Action } from '../../ui/action.tsx'
import { TextField } from '../../ui/filters.tsx'
import { Panel } from '../../ui/show.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'

/** The domains whose pages may call with the API key from a browser. */
export function AllowedDomains() {
  const { workspaces } = useTenant().api
  const query = useRead(['domains'], (api, options) => api.workspaces.getDomains({}, options))
  const add = async ({ domains = '' }: Record<string, string>) => {
    const { data } = await workspaces.addDomains({
      domains: domains
        .split(/[\n,]/)
        .map((line) => line.trim())
        .filter(Boolean),
    })
    const added = data.domainsAdded
    if (added.length === 0) return t.domains.known
    return { said: t.domains.added(added.join(', ')), undo: () => workspaces.deleteDomains({ domains: added }) }
  }
  const remove = (domain: string) => async () => {
    await workspaces.deleteDomains({ domains: [domain] })
    return { said: t.domains.removed(domain), undo: () => workspaces.addDomains({ domains: [domain] }) }
  }
  const field = <TextField label={t.domains.field} name="domains" rows={3} placeholder={t.domains.hint} required />
  return (
    <Panel title={t.domains.title} actions={<Action needs="develop" label={t.domains.add} fields={field} run={add} />}>
      <p className="muted">{t.domains.about}</p>
      <Loaded query={query}>
        {({ data: { allowedDomains } }) =>
          allowedDomains.length === 0 ? (
            <Empty what={t.domains.none} next={t.domains.noneNext} />
          ) : (
            <ul className="plain">
              {allowedDomains.map((domain) => (
                <li key={domain} className="actions">
                  <span className="told">{domain}</span>
                  <Action needs="develop" label={t.domains.remove(domain)} run={remove(domain)} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  )
}
