import { useState } from 'react'
import { apiAddress } from '../door/door.ts'
import { useTenant } from '../door/tenant.tsx'
import { t } from '../strings.ts'
import { Action } from '../ui/action.tsx'
import { Code, CopyButton, Panel } from '../ui/show.tsx'
import { Tabs, useView } from '../ui/tabs.tsx'

const LANGUAGES: [id: string, name: string][] = [
  ['curl', 'curl'],
  ['javascript', 'JavaScript'],
]

/** Requests to paste, with the key filled in; the token only when it is asked for. */
export function Requests() {
  const { api, apiKey } = useTenant()
  const language = useView(LANGUAGES, 'language')
  const [token, setToken] = useState<string>()
  const fillIn = async () => {
    const { data } = await api.workspaces.getAuthTokens({ apiKey: apiKey.id })
    setToken(data.authTokens[0]?.token)
    return undefined
  }
  const takeOut = async () => {
    setToken(undefined)
    return undefined
  }
  const write = language === 'javascript' ? javascript : curl
  return (
    <Panel
      title={t.start.requests}
      actions={
        <Action
          label={token === undefined ? t.start.fillIn : t.start.takeOut}
          needs="develop"
          reads
          run={token === undefined ? fillIn : takeOut}
        />
      }
    >
      <p className="muted">
        {t.start.reference}{' '}
        <a href={`${apiAddress}/reference`} target="_blank" rel="noreferrer">
          {t.start.referenceLink}
        </a>
      </p>
      <p className="muted">{t.start.tokenHelp}</p>
      <Tabs label={t.start.language} tabs={LANGUAGES} filter="language" />
      {REQUESTS.map((request) => {
        const command = write(request, { apiKey: apiKey.id, token: token ?? 'TOKEN' })
        return (
          <section key={request.name}>
            <div className="heading">
              <h3>{t.start.request[request.name]}</h3>
              <CopyButton text={command} />
            </div>
            <Code label={t.start.request[request.name]} value={command} />
          </section>
        )
      })}
      {language === 'javascript' && <p className="muted">{t.start.javascriptHelp}</p>}
    </Panel>
  )
}

interface Credentials {
  apiKey: string
  token: string
}

function curl({ path, data }: Request, { apiKey, token }: Credentials): string {
  return [
    `curl -s ${apiAddress}${path} -H 'content-type: application/json' \\`,
    `  -H 'x-service-api-key: ${apiKey}' -H 'x-service-auth-token: ${token}' \\`,
    `  -d '${JSON.stringify({ data })}'`,
  ].join('\n')
}

function javascript({ path, data }: Request, { apiKey, token }: Credentials): string {
  const headers = {
    'content-type': 'application/json',
    'x-service-api-key': apiKey,
    'x-service-auth-token': token,
  }
  return [
    `const response = await fetch('${apiAddress}${path}', {`,
    "  method: 'POST',",
    `  headers: ${JSON.stringify(headers, null, 2).replaceAll('\n', '\n  ')},`,
    `  body: JSON.stringify(${JSON.stringify({ data }, null, 2).replaceAll('\n', '\n  ')}),`,
    '})',
    'console.log(await response.json())',
  ].join('\n')
}

const PLACE = { organizationId: 'acme', documentId: 'plan' }
const THREAD = 'price'

interface Request {
  name: keyof typeof t.start.request
  path: string
  data: object
}

const REQUESTS: Request[] = [
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
      commentAnnotations: [
        { annotationId: THREAD, commentData: [{ commentText: 'Is this price right?', from: { userId: 'ada' } }] },
      ],
    },
  },
  {
    name: 'decision',
    path: '/v2/commentannotations/update',
    data: {
      ...PLACE,
      annotationIds: [THREAD],
      updatedData: { status: { id: 'APPROVED', type: 'terminal' } },
      actionUser: { userId: 'ada' },
    },
  },
]
