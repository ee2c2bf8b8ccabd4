import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { base } from '../door/door.ts'
import { useRead, useTenant } from '../door/tenant.tsx'
import { t } from '../strings.ts'
import { Action } from '../ui/action.tsx'
import { Badge, Code, CopyButton, Heading, Panel } from '../ui/show.tsx'
import { Loaded } from '../ui/states.tsx'
import { readEndpoints } from './read-endpoints.ts'

const LIVE_MS = 3_000

/** The first steps with an API key: which are done, and the requests that do the next ones. */
export function Page() {
  return (
    <>
      <Heading title={t.start.title} about={t.start.about} />
      <Steps />
      <Requests />
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
        thread: Array.isArray(threads?.data) && threads.data.length > 0,
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

/** The address of the API: the console lies in a folder of it. */
const address = new URL('..', base).href.replace(/\/$/, '')

/** Requests to paste, with the key filled in; the token only when it is asked for. */
function Requests() {
  const { api, apiKey } = useTenant()
  const [token, setToken] = useState<string>()
  const fillIn = async () => {
    const { data } = await api.workspaces.getAuthTokens({ apiKey: apiKey.id })
    setToken(data.authTokens[0]?.token)
    return undefined
  }
  return (
    <Panel
      title={t.start.requests}
      actions={
        token === undefined ? (
          <Action label={t.start.fillIn} needs="develop" reads run={fillIn} />
        ) : (
          <button type="button" onClick={() => setToken(undefined)}>
            {t.start.takeOut}
          </button>
        )
      }
    >
      <p>{t.start.tokenHelp}</p>
      {REQUESTS.map(({ name, path, data }) => {
        const command = curl(path, data, { apiKey: apiKey.id, token: token ?? 'TOKEN' })
        return (
          <section key={name}>
            <h3>{t.start.request[name]}</h3>
            <Code label={t.start.request[name]} value={command} />
            <p>
              <CopyButton text={command} />
            </p>
          </section>
        )
      })}
    </Panel>
  )
}

function curl(path: string, data: object, { apiKey, token }: { apiKey: string; token: string }): string {
  return [
    `curl -s ${address}${path} -H 'content-type: application/json' \\`,
    `  -H 'x-service-api-key: ${apiKey}' -H 'x-service-auth-token: ${token}' \\`,
    `  -d '${JSON.stringify({ data })}'`,
  ].join('\n')
}

const PLACE = { organizationId: 'acme', documentId: 'plan' }

const REQUESTS = [
  {
    name: 'users',
    path: '/v2/users/add',
    data: {
      organizationId: PLACE.organizationId,
      users: [{ userId: 'ada', name: 'Ada Lovelace', email: 'ada@example.com' }],
    },
  },
  {
    name: 'document',
    path: '/v2/organizations/documents/add',
    data: { organizationId: PLACE.organizationId, documents: [{ documentId: PLACE.documentId, documentName: 'Plan' }] },
  },
  {
    name: 'thread',
    path: '/v2/commentannotations/add',
    data: {
      ...PLACE,
      commentAnnotations: [{ commentData: [{ commentText: 'Is this price right?', from: { userId: 'ada' } }] }],
    },
  },
] as const
