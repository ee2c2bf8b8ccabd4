import type { App } from './app.ts'
import { createFirstLink, LINK_MINUTES, linkAddress } from './areas/operators/link.ts'
import type { Config } from './platform/config.ts'
import { type Database, sql } from './platform/db/db.ts'

export interface DemoWorkspace {
  workspaceId: string
  workspaceAuthToken: string
  apiKey: string
  authToken: string
}

/** On the very first start, creates a workspace to try the service with; undefined once any workspace exists. */
export async function createDemoWorkspace(app: App, database: Database): Promise<DemoWorkspace | undefined> {
  const [any] = await database.query(sql`select id from workspace limit 1`)
  if (any) return undefined
  const workspace = (await app.callInside('/v2/workspace/create', {
    ownerEmail: 'demo@precedent.local',
    name: 'Demo',
  })) as { id: string; authToken: string; apiKeyList: Record<string, unknown> }
  const [apiKey = ''] = Object.keys(workspace.apiKeyList)
  const tenant = { workspaceId: workspace.id }
  const tokens = (await app.callInside('/v2/workspace/authtokens/get', { apiKey }, tenant)) as {
    authTokens: { token: string }[]
  }
  return {
    workspaceId: workspace.id,
    workspaceAuthToken: workspace.authToken,
    apiKey,
    authToken: tokens.authTokens[0]?.token ?? '',
  }
}

/** The text that the terminal shows once the server listens. Its requests can be pasted, as often as one likes. */
export function welcome(address: string, { demo, token, config, database }: Greeting): string {
  const lines = [
    '',
    `Precedent is ready at ${address}`,
    `  API reference  ${address}/reference`,
    `  OpenAPI        ${address}/openapi.json`,
    ...consoleLines(address, token, config),
    '',
    ...(demo ? firstSteps(address, demo) : laterSteps(address, config, database)),
    '',
  ]
  return `${lines.join('\n')}\n`
}

/** A token that signs the first operator in to the console, once; undefined where one has a password. */
export const createSignInToken = (database: Database): Promise<string | undefined> => createFirstLink(database)

interface Greeting {
  demo: DemoWorkspace | undefined
  /** Signs the first operator in to the console, once; undefined where one can sign in already. */
  token: string | undefined
  config: Config
  database: Database
}

function consoleLines(address: string, token: string | undefined, config: Config): string[] {
  if (config.console === 'off') return []
  if (token === undefined) return [`  console        ${address}/console/`]
  return [
    `  console        ${linkAddress(address, token)}`,
    `                 (works once, within ${LINK_MINUTES} minutes)`,
  ]
}

const firstSteps = (address: string, demo: DemoWorkspace): string[] => [
  'A demo workspace was made; these credentials are shown this once:',
  `  workspace id          ${demo.workspaceId}`,
  `  workspace auth token  ${demo.workspaceAuthToken}`,
  `  API key               ${demo.apiKey}`,
  `  auth token            ${demo.authToken}`,
  '',
  'Try it:',
  `  curl -s ${address}/v2/users/add \\`,
  `    -H 'content-type: application/json' \\`,
  `    -H 'x-service-api-key: ${demo.apiKey}' -H 'x-service-auth-token: ${demo.authToken}' \\`,
  `    -d '{"data":{"organizationId":"acme","users":[{"userId":"ada","name":"Ada Lovelace","email":"ada@example.com"}]}}'`,
]

function laterSteps(address: string, { workspaceCreate }: Config, { kind }: Database): string[] {
  const stopped = kind === 'embedded' ? ', once this server is stopped' : ''
  const credentials = [`The credentials of existing workspaces${stopped}:`, '  npm run --silent credentials']
  if (workspaceCreate === 'off') return credentials
  const operator = workspaceCreate === 'token' ? ` -H "authorization: Bearer $OPERATOR_TOKEN"` : ''
  return [
    ...credentials,
    '',
    'A new workspace:',
    `  curl -s ${address}/v2/workspace/create -H 'content-type: application/json'${operator} \\`,
    // An address owns few workspaces; this one is another each time.
    `    -d '{"data":{"ownerEmail":"you+'$(date +%s%N)'@example.com"}}'`,
  ]
}
