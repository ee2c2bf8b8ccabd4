import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import {
  APPROVING_DECISIONS,
  canonicalDecision,
  decisionPolarity,
  REJECTING_DECISIONS,
} from '../../src/areas/memory/judgment/decision-polarity.ts'
import { newWorkspace, type Service, startAlone, startService } from '../running-service.ts'

const read = (path: string) => readFile(new URL(`../../../${path}`, import.meta.url), 'utf8')

let service: Service
beforeAll(async () => {
  service = await startService()
})

test('the three requests of the README lead from a workspace to its token to its first user', async () => {
  const requests = requestsOf(await read('README.md'))
  expect(requests).toHaveLength(3)
  // Others may have made a workspace for the same address on the shared service.
  const known = new Map([['http://127.0.0.1:8080', (await startAlone()).url]])
  const workspace = (await send(requests[0], known)).data
  known.set('WORKSPACE_ID', workspace.id).set('WORKSPACE_TOKEN', workspace.authToken)
  known.set('KEY', Object.keys(workspace.apiKeyList)[0] ?? '')
  const { authTokens } = (await send(requests[1], known)).data
  known.set('TOKEN', authTokens[0].token)
  expect((await send(requests[2], known)).data).toMatchObject({ ada: { success: true } })
})

test('the requests of the guide to the memory lead from judgments to a suggestion', async () => {
  const { apiKey, keyHeaders } = await newWorkspace(service)
  const token = keyHeaders['x-service-auth-token'] ?? ''
  const known = new Map([
    ['http://127.0.0.1:8080', service.url],
    ['KEY', apiKey],
    ['TOKEN', token],
  ])
  const [add, search, suggest, ...others] = requestsOf(await read('docs/memory.md'))
  expect(others).toEqual([])
  await send(add, known)
  const found = await send(search, known)
  expect(found.results[0]).toMatchObject({ decision: 'reject', reasoning: expect.stringContaining('blurred') })
  const { primary } = await send(suggest, known)
  expect(primary).toMatchObject({ recommendation: 'reject', caveats: expect.any(Array) })
})

test('the guide to the memory names the statuses that approve and those that reject, and no others', async () => {
  const page = await read('docs/memory.md')
  const named = (decides: string) => {
    const [, ids = ''] = new RegExp(`^\\| \`terminal\` \\| (.*) \\| ${decides} \\|$`, 'm').exec(page) ?? []
    return [...ids.matchAll(/`(\w+)`/g)].map(([, id = '']) => decisionPolarity(id) && canonicalDecision(id))
  }
  expect(new Set(named('approves'))).toEqual(new Set(APPROVING_DECISIONS))
  expect(new Set(named('rejects'))).toEqual(new Set(REJECTING_DECISIONS))
})

/** The requests that a page has for a shell. */
const requestsOf = (page: string) => [...page.matchAll(/```sh\n(curl [\s\S]*?)```/g)].map(([, request = '']) => request)

/** Sends a request as somebody pastes it, with what is known in place of its words in capitals. */
async function send(request = '', known: Map<string, string>) {
  const filled = [...known].reduce((text, [name, value]) => text.replaceAll(name, value), request)
  const answer = await new Promise<string>((resolve, reject) =>
    execFile('bash', ['-c', filled], (error, stdout) => (error ? reject(error) : resolve(stdout))),
  )
  return JSON.parse(answer).result
}

test('the example for user tokens accepts those of its API key, and refuses those of another', async () => {
  const [own, other] = [await newWorkspace(service), await newWorkspace(service)]
  const page = await read('docs/user-tokens.md')
  const [, request = ''] = /```json request\n([\s\S]*?)```/.exec(page) ?? []
  const tokenOf = async (ws: typeof own) => {
    await ws.ok('/v2/organizations/add', { organizations: [{ organizationId: 'acme' }] })
    return (await ws.ok('/v2/auth/generate_token', JSON.parse(request))).data.token
  }
  const [, example = ''] = /```js verify\n([\s\S]*?)```/.exec(page) ?? []
  // Beside the server, so that it finds its library.
  const file = fileURLToPath(new URL('../../dist/verify-example.mjs', import.meta.url))
  await writeFile(file, example)
  process.env.PRECEDENT_URL = service.url
  process.env.PRECEDENT_API_KEY = own.apiKey
  const { verifyUserToken } = await import(file)
  expect(await verifyUserToken(await tokenOf(own))).toMatchObject({ sub: 'ada', aud: own.apiKey })
  await expect(tokenOf(other).then(verifyUserToken)).rejects.toThrow(/"aud"/)
  await rm(file)
})

test('every test that SECURITY.md names exists', async () => {
  const cited = [...(await read('SECURITY.md')).matchAll(/`(server\/[^`]*\.test\.ts)`/g)].map(([, path = '']) => path)
  expect(cited.length).toBeGreaterThan(15)
  const missing = cited.filter((path) => !existsSync(new URL(`../../../${path}`, import.meta.url)))
  expect(missing).toEqual([])
})
