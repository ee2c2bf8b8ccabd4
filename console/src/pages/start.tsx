import { useRead } from '../door/tenant.tsx'
import { t } from '../strings.ts'
import { Badge, Heading, Panel } from '../ui/show.tsx'
import { Loaded } from '../ui/states.tsx'
import { To } from './browse-links.tsx'
import { readEndpoints } from './read-endpoints.ts'
import { RecentRequests } from './recent-requests.tsx'
import { Requests } from './start-requests.tsx'

const LIVE_MS = 3_000

/** The first steps with an API key: which are done, and the requests that do the next ones. */
export function Page() {
  return (
    <>
      <Heading title={t.start.title} about={t.start.about} />
      <Steps />
      <Requests />
      <RecentRequests />
    </>
  )
}

/** Read again every few seconds, so that a request from elsewhere shows here. */
function Steps() {
  const query = useRead(
    ['steps'],
    async (api, options) => {
      const [organizations, endpoints, deliveries, memory] = await Promise.all([
        api.organizations.getOrganizations({ pageSize: 1 }, options),
        readEndpoints(api, 1, options),
        api.webhooks.listDeliveries({ status: 'succeeded', pageSize: 1 }, options),
        api.memory.getMemoryStats({}, options),
      ])
      const [organization] = organizations.data
      const threads = organization
        ? await api.comments.getCommentAnnotations({ organizationId: organization.id, pageSize: 1 }, options)
        : undefined
      return {
        organization: organizations.data.length > 0,
        thread: (threads?.data ?? []).length > 0,
        endpoint: endpoints.length > 0,
        event: deliveries.data.length > 0,
        judgment: memory.totalActivities > 0,
      }
    },
    { refetchInterval: LIVE_MS },
  )
  return (
    <Panel title={t.start.steps}>
      <Loaded query={query}>
        {(done) => (
          <ol>
            {STEPS.map(({ name, page, title }) => (
              <li key={name}>
                {t.start.step[name]}{' '}
                <Badge tone={done[name] ? 'good' : 'wait'}>{done[name] ? t.start.done : t.start.open}</Badge>{' '}
                <To page={page} label={title} />
              </li>
            ))}
          </ol>
        )}
      </Loaded>
    </Panel>
  )
}

const STEPS = [
  { name: 'organization', page: '/browse', title: t.browse.title },
  { name: 'endpoint', page: '/endpoints', title: t.endpoints.title },
  { name: 'thread', page: '/threads', title: t.threads.title },
  { name: 'event', page: '/deliveries', title: t.deliveries.title },
  { name: 'judgment', page: '/memory', title: t.memory.title },
] as const
