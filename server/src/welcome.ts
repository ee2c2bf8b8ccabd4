import type { App } from './app.ts'
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

/** The text that the terminal shows once the server listens. */
export function welcome(address: string, demo: DemoWorkspace | undefined): string {
  const lines = [
    '',
    `Precedent is ready at ${address}`,
    `  API reference  ${address}/reference`,
    `  OpenAPI        ${address}/openapi.json`,
    '',
  ]
  if (demo) {
    lines.push(
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
      '',
    )
  } else {
    lines.push(
      'Try it:',
      `  curl -s ${address}/v2/workspace/create -H 'content-type: application/json' \\`,
      `    -d '{"data":{"ownerEmail":"you@example.com"}}'`,
      '',
    )
  }
  return `${lines.join('\n')}\n`
}
