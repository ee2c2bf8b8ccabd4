import { request } from 'node:http'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { signedIn } from '../../../../test/console.ts'
import { newWorkspace, type Service, startConfigured, type TestWorkspace } from '../../../../test/running-service.ts'

let service: Service
let workspace: TestWorkspace

beforeAll(async () => {
  service = await startConfigured({ CONCURRENCY_KEY: '20' })
  workspace = await newWorkspace(service)
  return () => service.app.http.close()
})

const PLACE = { organizationId: 'acme', documentId: 'plan' }
const GET = '/v2/commentannotations/get'

/** The text of a call, filled up to a size. */
const callOf = (operation: string, data: object, bytes = 0) =>
  JSON.stringify({ operation, apiKey: workspace.apiKey, data: { ...data, filling: 'x'.repeat(bytes) } })

/**
 * Begins calls that never end: only a part of each body is sent, or nobody takes the answers. Returns the statuses of
 * those that are answered.
 */
async function begin(count: number, { cookie }: { cookie: string }, body: string, sent = body.length) {
  const statuses: (number | undefined)[] = []
  const headers = { 'content-type': 'application/json', 'x-precedent-console': '1', cookie }
  const calls = Array.from({ length: count }, () =>
    request(`${service.url}/console/api/call`, {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      agent: false,
    })
      .on('error', () => {})
      .on('response', ({ statusCode }) => void statuses.push(statusCode)),
  )
  onTestFinished(() => {
    for (const call of calls) call.destroy()
  })
  await Promise.all(calls.map((call) => new Promise((done) => call.write(body.slice(0, sent), done))))
  return statuses
}

type Asking = Awaited<ReturnType<typeof signedIn>>

/** Expects that the share of the one is used up, and that of the other is not. */
async function expectUsedUp(one: Asking, other: Asking, body: string): Promise<void> {
  const call = ({ ask }: Asking) => ask('call', JSON.parse(body))
  await vi.waitFor(async () => expect((await call(one)).status).toBe(429), 30_000)
  expect((await call(other)).status).toBe(200)
}

test('a session has no more calls in progress than an API key may have', async () => {
  const [one, other] = [await signedIn(service, 'viewer'), await signedIn(service, 'viewer')]
  const statuses = await begin(40, one, callOf(GET, PLACE), 10)
  // A call among them would have taken the place of one of those that stay, and given it back.
  await vi.waitFor(() => expect(statuses).toEqual(Array(20).fill(429)), 30_000)
  await expectUsedUp(one, other, callOf(GET, PLACE))
})

test('large bodies of a session that arrive wait for each other, and for nobody else', async () => {
  const [one, other] = [await signedIn(service, 'viewer'), await signedIn(service, 'viewer')]
  // An API key may hold 48 MiB of them.
  await begin(12, one, callOf(GET, PLACE, 5_000_000), 10)
  await expectUsedUp(one, other, callOf(GET, PLACE, 1_000_000))
}, 60_000)

test('large answers to a session that are not taken keep it waiting, and nobody else', async () => {
  const commentData = [{ from: { userId: 'ada' }, commentText: 'x'.repeat(200_000) }]
  await workspace.ok('/v2/commentannotations/add', {
    ...PLACE,
    createOrganization: true,
    createDocument: true,
    commentAnnotations: Array.from({ length: 20 }, (_, n) => ({ annotationId: `t${n}`, commentData })),
  })
  await workspace.ok('/v2/commentannotations/add', {
    ...PLACE,
    commentAnnotations: Array.from({ length: 20 }, (_, n) => ({ annotationId: `u${n}`, commentData })),
  })
  const [one, other] = [await signedIn(service, 'viewer'), await signedIn(service, 'viewer')]
  // Each answer is of 8 MB, and an API key may hold 32 MiB.
  await begin(12, one, callOf(GET, PLACE))
  await expectUsedUp(one, other, callOf(GET, PLACE))
}, 60_000)
