import { createHash, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'

const MOST_BYTES = 1_000_000
const PATH = '/mcp'

/**
 * Serves the protocol over HTTP on loopback, to callers that know the token. A web page cannot reach it: requests to
 * another host name, or from any origin, are refused. Each request has a server of its own, so nothing is kept.
 */
export async function serveHttp(
  create: () => McpServer,
  { port, token }: { port: number; token: string },
): Promise<{ url: string; close(): void }> {
  const server = createServer({ requestTimeout: 30_000 }, (request, response) => {
    receive(create, token, request, response).catch((error) => {
      process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
      if (response.headersSent) response.destroy()
      else refuse(response, 500, 'The request failed. The terminal of the server has the cause.')
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function receive(
  create: () => McpServer,
  token: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { port } = request.socket.address() as AddressInfo
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`]
  if (!hosts.includes(request.headers.host ?? '')) return refuse(response, 403, 'This host name is not served.')
  if (request.headers.origin !== undefined) return refuse(response, 403, 'Web pages may not call this server.')
  if (!isBearer(request.headers.authorization, token)) {
    response.setHeader('www-authenticate', 'Bearer')
    return refuse(response, 401, 'The bearer token is missing or wrong.')
  }
  if (request.url !== PATH) return refuse(response, 404, `The protocol is served at ${PATH}.`)
  if (request.method !== 'POST') {
    response.setHeader('allow', 'POST')
    return refuse(response, 405, 'Only POST is served: no state is kept between requests.')
  }
  const body = await bodyOf(request)
  if (body === undefined) return refuse(response, 413, `A request may have ${MOST_BYTES} bytes.`)
  const parsed = parse(body)
  if (parsed === undefined) return refuse(response, 400, 'The body is no JSON.')
  await answer(create(), request, response, parsed)
}

async function answer(server: McpServer, request: IncomingMessage, response: ServerResponse, body: object) {
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true })
  response.on('close', () => void server.close())
  // The SDK's types allow undefined handlers where its interface does not.
  await server.connect(transport as Parameters<McpServer['connect']>[0])
  await transport.handleRequest(request, response, body)
}

function refuse(response: ServerResponse, status: number, message: string): void {
  const error = { jsonrpc: '2.0', error: { code: -32_000, message }, id: null }
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(JSON.stringify(error))
}

/** Compares hashes, so that the time tells nothing of the token. */
function isBearer(header: string | undefined, token: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(header ?? ''), hash(`Bearer ${token}`))
}

async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > MOST_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function parse(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
