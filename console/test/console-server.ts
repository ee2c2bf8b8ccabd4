import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { createClient } from '../../client/src/index.ts'

/** The built console with a running service behind it. */
export interface ConsoleServer {
  /** The address of the console; it lies below a path, as behind a proxy. */
  url: string
  close(): Promise<void>
}

interface Credentials {
  workspaceId: string
  authToken: string
}

export const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; frame-ancestors 'none'"

const built = fileURLToPath(new URL('../../server/dist/console', import.meta.url))
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }
const PREFIX = '/tools/console/'

/**
 * Serves the built console and the part of its API that one workspace needs, over a running service. Every call goes to
 * the service through HTTP with the credentials of the workspace that has signed in.
 */
export async function startConsole(serviceUrl: string): Promise<ConsoleServer> {
  const sessions = new Map<string, Credentials>()
  const server = createServer((request, response) => {
    handle(request, response, { serviceUrl, sessions }).catch((error: unknown) => {
      response.writeHead(500).end(String(error))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}${PREFIX}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

interface Place {
  serviceUrl: string
  sessions: Map<string, Credentials>
}

async function handle(request: IncomingMessage, response: ServerResponse, place: Place): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://console.test')
  if (request.method === 'GET') return sendFile(response, pathname.slice(PREFIX.length))
  const path = pathname.slice(`${PREFIX}api/`.length)
  if (request.headers['x-precedent-console'] !== '1') return send(response, 403, refusal('PERMISSION_DENIED'))
  const id = /session=([^;]+)/.exec(request.headers.cookie ?? '')?.[1] ?? ''
  const body = (await json(request)) as Record<string, unknown>
  if (path === 'session/sign-in') return signIn(response, body as unknown as Credentials, place)
  const credentials = place.sessions.get(id)
  if (!credentials) return send(response, 401, refusal('UNAUTHENTICATED'))
  if (path === 'session/get') return send(response, 200, { result: { data: session(credentials) } })
  if (path === 'session/sign-out') {
    place.sessions.delete(id)
    return send(response, 200, { result: { data: null } })
  }
  if (path === 'workspaces/list') return send(response, 200, { result: { data: await workspaces(credentials, place) } })
  if (path === 'call') return call(response, body, credentials, place)
  return send(response, 404, refusal('NOT_FOUND'))
}

async function sendFile(response: ServerResponse, path: string): Promise<void> {
  const name = path.includes('.') ? path : 'index.html'
  const content = await readFile(join(built, name)).catch(() => undefined)
  if (content === undefined) return send(response, 404, refusal('NOT_FOUND'))
  response.writeHead(200, {
    'content-type': TYPES[extname(name)] ?? 'application/octet-stream',
    'content-security-policy': POLICY,
  })
  response.end(content)
}

async function signIn(response: ServerResponse, credentials: Credentials, { serviceUrl, sessions }: Place) {
  const answer = await fetch(`${serviceUrl}/v2/workspace/get`, posted({}, ofWorkspace(credentials)))
  if (!answer.ok) return send(response, answer.status, await answer.json())
  const id = randomUUID()
  sessions.set(id, credentials)
  response.setHeader('set-cookie', `session=${id}; HttpOnly; SameSite=Strict; Path=/`)
  send(response, 200, { result: { data: session(credentials) } })
}

async function workspaces(credentials: Credentials, { serviceUrl }: Place) {
  const client = clientOf(credentials, serviceUrl)
  const [{ data: workspace }, { data: apiKeys }] = await Promise.all([
    client.workspaces.getWorkspace(),
    client.workspaces.getApiKeys(),
  ])
  return [{ id: workspace.id, name: workspace.name, apiKeys }]
}

async function call(response: ServerResponse, body: object, credentials: Credentials, { serviceUrl }: Place) {
  const { apiKey, operation, data } = body as { apiKey?: string; operation: string; data: object }
  const headers = apiKey === undefined ? ofWorkspace(credentials) : await ofKey(apiKey, credentials, serviceUrl)
  const answer = await fetch(serviceUrl + operation, posted(data, headers))
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'application/json' })
  response.end(await answer.text())
}

async function ofKey(apiKey: string, credentials: Credentials, serviceUrl: string) {
  const { data } = await clientOf(credentials, serviceUrl).workspaces.getAuthTokens({ apiKey })
  return { 'x-service-api-key': apiKey, 'x-service-auth-token': data.authTokens[0]?.token ?? '' }
}

const clientOf = ({ workspaceId, authToken }: Credentials, baseUrl: string) =>
  createClient({ baseUrl, workspaceId, workspaceAuthToken: authToken })

const ofWorkspace = ({ workspaceId, authToken }: Credentials) => ({
  'x-service-workspace-id': workspaceId,
  'x-service-workspace-auth-token': authToken,
})

const posted = (data: object, headers: Record<string, string>) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify({ data }),
})

const session = ({ workspaceId }: Credentials) => ({
  operator: { name: 'Maya Okafor', email: 'maya@northwind.example', role: 'admin' },
  scope: workspaceId,
  readOnly: false,
  expiresAt: Date.now() + 3_600_000,
})

const refusal = (status: string) => ({ error: { status, message: status } })

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
