import { existsSync } from 'node:fs'
import type { App } from './app.ts'
import { LINK_MINUTES, linkAddress } from './areas/operators/access/link.ts'
import { hasPasswordOperator } from './areas/operators/access/operator.ts'
import { ORGANIZATION } from './example/places.ts'
import { makeOperatorLink } from './operator-link.ts'
import type { Config } from './platform/config.ts'
import { type Database, sql } from './platform/db/db.ts'
import { serviceAddress } from './platform/settings/service-address.ts'

/** The credentials of the demo workspace. */
export interface DemoWorkspace {
  workspaceId: string
  workspaceAuthToken: string
  apiKey: string
  authToken: string
}

export async function hasWorkspaces(database: Database): Promise<boolean> {
  const [any] = await database.query(sql`select id from workspace limit 1`)
  return any !== undefined
}

/** Creates a workspace to try the service with. */
export async function createDemoWorkspace(app: App): Promise<DemoWorkspace> {
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
export function welcome(address: string, { demo, hasExample, isEmpty, signIn, config, database }: Greeting): string {
  const lines = [
    '',
    `Precedent is ready at ${address}`,
    `  API reference  ${address}/reference`,
    `  OpenAPI        ${address}/openapi.json`,
    ...consoleLines(address, signIn, config),
    '',
    ...(demo ? firstSteps(address, demo, hasExample) : laterSteps(address, { isEmpty, config, database })),
  ]
  return `${lines.join('\n')}\n`
}

/** How the first operator gets in: by a token that is shown once, by a command, or as they have before. */
export type FirstSignIn = { token: string } | 'by command' | undefined

/** Makes the token on a machine that nobody else reaches; elsewhere it would stand in a log that others read. */
export async function firstSignIn(
  database: Database,
  { isLocal, console, operatorToken }: Config,
): Promise<FirstSignIn> {
  if (console === 'off' || operatorToken !== undefined || (await hasPasswordOperator(database))) return undefined
  return isLocal && database.kind === 'embedded'
    ? { token: await makeOperatorLink(database, { door: 'start' }) }
    : 'by command'
}

/** How commands are called on this machine: those of the packed command line lie beside its server. */
const COMMAND = existsSync(new URL('../precedent.js', import.meta.url)) ? 'precedent' : 'npm run --silent precedent --'

interface Greeting {
  demo: DemoWorkspace | undefined
  /** Whether the demo workspace holds what the example's request asks. */
  hasExample: boolean
  /** Whether there was no workspace before this start. */
  isEmpty: boolean
  signIn: FirstSignIn
  config: Config
  database: Pick<Database, 'kind'>
}

function consoleLines(listening: string, signIn: FirstSignIn, config: Config): string[] {
  if (config.console === 'off') return []
  const address = config.publicUrl === undefined ? listening : serviceAddress(config)
  if (signIn === undefined) return [`  console        ${address}/console/`]
  if (signIn === 'by command') {
    return [`  console        ${address}/console/`, `                 (the first operator: ${COMMAND} operator link)`]
  }
  return [
    `  console        ${linkAddress(address, signIn.token)}`,
    `                 (works once, within ${LINK_MINUTES} minutes)`,
  ]
}

function firstSteps(address: string, demo: DemoWorkspace, hasExample: boolean): string[] {
  const request = (path: string, data: string) => [
    `  curl -s ${address}${path} -H 'content-type: application/json' \\`,
    `    -H 'x-service-api-key: ${demo.apiKey}' -H 'x-service-auth-token: ${demo.authToken}' \\`,
    `    -d '{"data":${data}}'`,
  ]
  return [
    'A demo workspace was made; these credentials are shown this once:',
    `  workspace id          ${demo.workspaceId}`,
    `  workspace auth token  ${demo.workspaceAuthToken}`,
    `  API key               ${demo.apiKey}`,
    `  auth token            ${demo.authToken}`,
    '',
    ...(hasExample
      ? [
          `It holds an example: reviews of a small team, in the organization "${ORGANIZATION}". Ask what they would decide:`,
          ...request('/v2/memory/suggest', `{"organizationId":"${ORGANIZATION}","query":"${NEW_ITEM}"}`),
          '',
        ]
      : []),
    'Add a user, and an organization of your own:',
    ...request(
      '/v2/users/add',
      '{"organizationId":"acme","users":[{"userId":"ada","name":"Ada Lovelace","email":"ada@example.com"}]}',
    ),
    '',
  ]
}

/** Like some that the team of the example has reviewed. */
const NEW_ITEM = 'Photo of a bridge without alt text'

type Later = Pick<Greeting, 'isEmpty' | 'config' | 'database'>

function laterSteps(address: string, { isEmpty, config: { workspaceCreate, console }, database }: Later): string[] {
  // The command asks this server by the console's door.
  const stopped = database.kind === 'embedded' && console === 'off' ? ', once this server is stopped' : ''
  const credentials = isEmpty
    ? []
    : [`The credentials of existing workspaces${stopped}:`, `  ${COMMAND} credentials`, '']
  if (workspaceCreate === 'off') return credentials
  const operator = workspaceCreate === 'token' ? ` -H "authorization: Bearer $OPERATOR_TOKEN"` : ''
  return [
    ...credentials,
    'A new workspace:',
    `  curl -s ${address}/v2/workspace/create -H 'content-type: application/json'${operator} \\`,
    // An address owns few workspaces; this one is another each time.
    `    -d '{"data":{"ownerEmail":"you+'$(date +%s%N)'@example.com"}}'`,
    '',
  ]
}
