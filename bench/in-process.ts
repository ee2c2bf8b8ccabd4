import { randomUUID } from 'node:crypto'
import type { App } from '../server/src/app.ts'

/** Returns what calls operations of an app in this process. It throws where one does not succeed. */
export const callsOf =
  ({ http }: Pick<App, 'http'>) =>
  async (url: string, data: object, headers: Record<string, string> = {}) => {
    const response = await http.inject({
      method: 'POST',
      url,
      headers: { ...headers, 'content-type': 'application/json' },
      payload: JSON.stringify({ data }),
    })
    if (response.statusCode !== 200) throw new Error(`${url}: ${response.body}`)
    return response.json().result.data
  }

/** A new API key in a workspace of its own, and the headers of its calls. */
export async function newTenant(call: ReturnType<typeof callsOf>) {
  const workspace = await call('/v2/workspace/create', { ownerEmail: `${randomUUID()}@example.com` })
  const [apiKey = ''] = Object.keys(workspace.apiKeyList)
  const level = { 'x-service-workspace-id': workspace.id, 'x-service-workspace-auth-token': workspace.authToken }
  const { authTokens } = await call('/v2/workspace/authtokens/get', { apiKey }, level)
  const headers = { 'x-service-api-key': apiKey, 'x-service-auth-token': authTokens[0].token }
  return { tenant: { apiKey, workspaceId: workspace.id }, headers }
}
