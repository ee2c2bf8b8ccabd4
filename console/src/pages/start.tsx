import { Link } from '@tanstack/react-router'
import { useRead, useTenant } from '../door/tenant.tsx'
import { t } from '../strings.ts'
import { Badge, Heading, Panel } from '../ui/show.tsx'
import { Loaded } from '../ui/states.tsx'
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
            {STEPS.map(({ name, page }) => (
              <li key={name}>
                {t.start.step[name]}{' '}
                <Badge tone={done[name] ? 'good' : 'wait'}>{done[name] ? t.start.done : t.start.open}</Badge>{' '}
                <To page={page} />
              </li>
            ))}
          </ol>
        )}
      </Loaded>
    </Panel>
  )
}

const STEPS = [
  { name: 'organization', page: '/browse' },
  { name: 'thread', page: '/threads' },
  { name: 'endpoint', page: '/endpoints' },
  { name: 'event', page: '/deliveries' },
  { name: 'judgment', page: '/memory' },
] as const

function To({ page }: { page: (typeof STEPS)[number]['page'] }) {
  const { apiKey } = useTenant()
  return (
    <Link to={page} search={{ key: apiKey.id }}>
      {t[PAGE_NAMES[page]].title}
    </Link>
  )
}

const PAGE_NAMES = {
  '/browse': 'browse',
  '/threads': 'threads',
  '/endpoints': 'endpoints',
  '/deliveries': 'deliveries',
  '/memory': 'memory',
} as const
