import { request } from 'node:http'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { callerOf, precedent, type Running, startPrecedent } from '../../cli/test/command-line.ts'
import { buildOnce } from '../../server/test/process.ts'
import { newWorkspace, type Service, startService } from '../../server/test/running-service.ts'
import { agentOf } from '../test/agent.ts'

const TOKEN = 'token-of-the-agent-of-the-test'

let service: Service
let env: Record<string, string>
let running: Running
let url: URL

beforeAll(async () => {
  await buildOnce()
  service = await startService()
  env = callerOf(service, await newWorkspace(service))
  running = startPrecedent(['mcp', '--http', '--port', '0'], { ...env, PRECEDENT_MCP_TOKEN: TOKEN })
  await vi.waitFor(() => expect(running.errors()).toContain('MCP at'), 15_000)
  url = new URL(/MCP at (\S+?)\. /.exec(running.errors())?.[1] ?? '')
}, 60_000)
afterAll(async () => {
  running.interrupt()
  expect(await running.ended).toMatchObject({ code: 0 })
})

const BODY = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })

/** Sends a request whose Host and Origin are not those that fetch would send. */
function send(headers: Record<string, string>, { method = 'POST', path = '/mcp', body = BODY } = {}) {
  const accept = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const options = { host: '127.0.0.1', port: url.port, method, path, headers: { ...accept, ...headers } }
  return new Promise<number>((resolve, reject) => {
    const sent = request(options, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    })
    sent.on('error', reject).end(body)
  })
}

describe('precedent mcp --http', () => {
  test('serves the tools to a caller with the token', async () => {
    const client = new Client({ name: 'test', version: '1.0.0' })
    const transport = new StreamableHTTPClientTransport(url, {
      requestInit: { headers: { authorization: `Bearer ${TOKEN}` } },
    })
    await client.connect(transport as Parameters<Client['connect']>[0])
    const agent = agentOf(client)
    expect(await agent.tools()).toContain('search_memory')
    expect((await agent.call('search_memory', { query: 'anything' })).value).toMatchObject({ results: [] })
    await client.close()
  })

  const bearer = { authorization: `Bearer ${TOKEN}` }
  test.each([
    ['no token', {}, {}, 401],
    ['a wrong token', { authorization: `Bearer ${TOKEN}x` }, {}, 401],
    ['a foreign host name', { ...bearer, host: 'attacker.example' }, {}, 403],
    ['a web page', { ...bearer, origin: 'http://attacker.example' }, {}, 403],
    ['a web page of this machine', { ...bearer, origin: 'http://127.0.0.1:3000' }, {}, 403],
    ['another path', bearer, { path: '/' }, 404],
    ['another method', bearer, { method: 'DELETE' }, 405],
    ['no JSON', bearer, { body: '{' }, 400],
    ['a body that is too large', bearer, { body: 'x'.repeat(1_000_001) }, 413],
    ['the token alone', bearer, {}, 200],
  ])('answers %s', async (_, headers, options, status) => {
    expect(await send(headers, options)).toBe(status)
  })

  test('listens on loopback only, and shows no token that was given', () => {
    expect(url.hostname).toBe('127.0.0.1')
    expect(running.errors()).not.toContain(TOKEN)
  })

  test('a short token and a missing API key are refused at the start', async () => {
    const short = await precedent(['mcp', '--http', '--port', '0'], { ...env, PRECEDENT_MCP_TOKEN: 'short' })
    expect([short.code, short.errors]).toEqual([1, expect.stringContaining('at least 16 characters')])
    const none = await precedent(['mcp'], { XDG_CONFIG_HOME: '/nonexistent' })
    expect([none.code, none.errors]).toEqual([1, expect.stringContaining('PRECEDENT_API_KEY')])
  })
})
