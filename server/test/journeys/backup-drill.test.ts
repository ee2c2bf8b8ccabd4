import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { precedent } from '../../../cli/test/command-line.ts'
import { type Customer, newCustomer, OPENING_COMMENT } from '../faults/customer.ts'
import { buildOnce, type ServerProcess, startProcess, temporaryDirectory } from '../process.ts'
import { freshNativeUrl, SECRET_KEYS } from '../running-service.ts'

const isPostgres = process.env.TEST_DATABASE === 'postgres'
const AT = { organizationId: 'acme', documentId: 'plan' }
const COMMENTS = 400

let directory: Awaited<ReturnType<typeof temporaryDirectory>>
let first: ServerProcess
let second: ServerProcess
let customer: Customer
let url = ''
let secret = ''
/** The numbers of the comments whose writes were acknowledged before the backup began, and of all that were sent. */
const before = new Set<number>()
const sent = new Set<number>()
let reports: { code: number | null; output: string; errors: string }[] = []

/** The settings of a server on a database of its own. */
async function installation(name: string): Promise<Record<string, string>> {
  if (isPostgres) return { DATABASE_URL: await freshNativeUrl(), SECRET_KEYS, OUTBOUND_ALLOW: '127.0.0.0/8' }
  return { DATA_DIR: join(directory.path, name) }
}

beforeAll(async () => {
  await buildOnce()
  directory = await temporaryDirectory()
  const [old, fresh] = [await installation('old'), await installation('fresh')]
  first = await startProcess(old)
  url = first.url
  customer = await newCustomer(async () => url)
  await customer.call('/v2/workspace/activityconfig/update', { activityServiceConfig: { isEnabled: true } })
  secret = await customer.subscribe({ url: 'http://127.0.0.1:9/' })
  await customer.makeThreads(COMMENTS)

  let isLoaded = true
  let next = 0
  const acknowledged = new Set<number>()
  const write = async () => {
    while (isLoaded && next < COMMENTS) {
      const number = next++
      sent.add(number)
      if ((await customer.comment(number)).status === 200) acknowledged.add(number)
    }
  }
  const load = Promise.all([write(), write(), write()])
  await vi.waitFor(() => expect(acknowledged.size).toBeGreaterThan(20), 60_000)
  for (const number of acknowledged) before.add(number)

  const file = join(directory.path, 'backup.age')
  const passphrase = join(directory.path, 'passphrase')
  await writeFile(passphrase, 'correct horse battery staple\n')
  const taken = await precedent(['backup', file, '--passphrase-file', passphrase, '--json'], {
    ...old,
    PORT: new URL(first.url).port,
  })
  isLoaded = false
  await load
  if (!isPostgres) {
    await mkdir(join(directory.path, 'fresh'))
    await cp(join(directory.path, 'old/secret-keys'), join(directory.path, 'fresh/secret-keys'))
  }
  const restored = await precedent(['restore', file, '--passphrase-file', passphrase, '--json'], fresh)
  reports = [taken, restored]
  await first.stop()
  if (restored.code !== 0 || taken.code !== 0) throw new Error(JSON.stringify(reports))
  second = await startProcess(fresh)
  url = second.url
}, 600_000)
afterAll(async () => {
  await second?.stop()
  await directory.remove()
})

const ok = async (path: string, data: object) => {
  const { status, body } = await customer.call(path as '/v2/commentannotations/get', data)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return (body as { result: { data: unknown; nextPageToken?: string | null; pageToken?: string | null } }).result
}

async function commentsThere(): Promise<number[]> {
  const there: number[] = []
  for (let thread = 0; thread < COMMENTS / 50; thread++) {
    const { data } = await ok('/v2/commentannotations/comments/get', { ...AT, annotationId: `thread-${thread}` })
    for (const { commentId } of data as { commentId: number }[])
      if (commentId !== OPENING_COMMENT) there.push(commentId)
  }
  return there
}

describe('a backup taken under load and restored elsewhere', { timeout: 120_000 }, () => {
  test('both say how many rows they moved, and it is the same', () => {
    const [taken, restored] = reports.map(({ output }) => JSON.parse(output))
    expect(taken).toMatchObject({ encrypted: true, rows: expect.any(Number), keys: [expect.any(String)] })
    expect(restored).toEqual({ rows: taken.rows, at: taken.at })
  })

  test('holds every write that was acknowledged before it began, and none that was never sent', async () => {
    const there = await commentsThere()
    expect([...before].filter((number) => !there.includes(number))).toEqual([])
    expect(there.filter((number) => !sent.has(number))).toEqual([])
  })

  test('holds no half of a write: each comment has its activity, and each activity its comment', async () => {
    const logged: number[] = []
    let pageToken: string | null | undefined
    do {
      const page = await ok('/v2/activities/get', { ...AT, pageSize: 500, ...(pageToken && { pageToken }) })
      for (const { actionType, targetSubEntityId } of page.data as {
        actionType: string
        targetSubEntityId?: string
      }[])
        if (actionType === 'comment.add' && Number(targetSubEntityId) !== OPENING_COMMENT)
          logged.push(Number(targetSubEntityId))
      pageToken = page.nextPageToken ?? page.pageToken
    } while (pageToken)
    expect(logged.sort()).toEqual((await commentsThere()).sort())
  })

  test('holds an activity log that verifies', async () => {
    expect((await ok('/v2/activities/verify', { organizationId: 'acme' })).data).toMatchObject({ valid: true })
  })

  test('holds secrets that the same master keys open, and credentials that still work', async () => {
    const { data } = await ok('/v2/workspace/advancedwebhook/endpoints/get', {})
    const [endpoint] = (data as { endpoints?: { id: string }[] }).endpoints ?? (data as { id: string }[])
    const found = await ok('/v2/workspace/advancedwebhook/endpoints/secret/get', { endpointId: endpoint?.id })
    expect(found.data).toMatchObject({ secret })
  })

  test('is written to further: new rows get numbers after the old', async () => {
    expect((await customer.comment(COMMENTS - 1)).status).toBe(200)
    expect((await ok('/v2/activities/verify', { organizationId: 'acme' })).data).toMatchObject({ valid: true })
  })
})
