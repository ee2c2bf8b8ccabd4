import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

/** The built console with a running service behind it. */
export interface ConsoleServer {
  url: string
  close(): Promise<void>
}

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; frame-ancestors 'none'"
const PREFIX = '/console/'
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }
const built = fileURLToPath(new URL('../../server/dist/console', import.meta.url))

/** Serves the files of the built console; what they ask under `api/` goes to the service as it is. */
export async function startConsole(serviceUrl: string): Promise<ConsoleServer> {
  const server = createServer((request, response) => {
    const done = request.method === 'GET' ? sendFile(request, response) : pass(request, response, serviceUrl)
    done.catch((error: unknown) => response.writeHead(500).end(String(error)))
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

async function sendFile(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://console.test')
  const path = pathname.slice(PREFIX.length)
  const name = path.includes('.') ? path : 'index.html'
  const content = await readFile(join(built, name)).catch(() => undefined)
  if (content === undefined) return void response.writeHead(404).end()
  const type = TYPES[extname(name)] ?? 'application/octet-stream'
  response.writeHead(200, { 'content-type': type, 'content-security-policy': POLICY }).end(content)
}

const PASSED = ['content-type', 'cookie', 'x-precedent-console', 'sec-fetch-site']

async function pass(request: IncomingMessage, response: ServerResponse, serviceUrl: string): Promise<void> {
  const headers = PASSED.flatMap((name): [string, string][] => {
    const value = request.headers[name]
    return typeof value === 'string' ? [[name, value]] : []
  })
  const answer = await fetch(serviceUrl + (request.url ?? ''), { method: 'POST', headers, body: await text(request) })
  const cookies = answer.headers.getSetCookie()
  response.writeHead(answer.status, {
    'content-type': answer.headers.get('content-type') ?? 'application/json',
    ...(cookies.length > 0 && { 'set-cookie': cookies }),
  })
  response.end(await answer.text())
}
