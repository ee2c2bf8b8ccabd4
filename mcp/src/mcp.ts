import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { createClient } from '../../client/src/index.ts'
import { serveHttp } from './http.ts'
import { createMcpServer } from './server.ts'

declare const VERSION: string

const LEAST_TOKEN = 16

/** `precedent mcp`: serves the protocol on standard input and output, or over HTTP on loopback. */
async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { http: { type: 'boolean' }, port: { type: 'string' }, 'allow-writes': { type: 'boolean' } },
  })
  const { PRECEDENT_URL: baseUrl = 'http://127.0.0.1:8080', PRECEDENT_API_KEY: apiKey, ...env } = process.env
  const { PRECEDENT_AUTH_TOKEN: authToken, PRECEDENT_MCP_TOKEN: given } = env
  if (!apiKey || !authToken) throw new Error('PRECEDENT_API_KEY and PRECEDENT_AUTH_TOKEN must be set.')
  const api = createClient({ baseUrl, apiKey, authToken })
  const create = () => createMcpServer(api, { version: VERSION, allowWrites: values['allow-writes'] ?? false })
  if (!values.http) {
    await create().connect(new StdioServerTransport())
    return
  }
  if (given !== undefined && given.length < LEAST_TOKEN) {
    throw new Error(`PRECEDENT_MCP_TOKEN must have at least ${LEAST_TOKEN} characters.`)
  }
  const token = given ?? randomBytes(24).toString('base64url')
  const { url, close } = await serveHttp(create, { port: portOf(values.port), token })
  process.stderr.write(
    `MCP at ${url}${given === undefined ? `, with the bearer token ${token}` : ''}. Ctrl-C ends it.\n`,
  )
  process.once('SIGINT', close).once('SIGTERM', close)
}

function portOf(given = '4500'): number {
  const port = Number(given)
  if (/^\d+$/.test(given) && port <= 65_535) return port
  throw new Error(`--port takes a number up to 65535, not ${given}.`)
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
