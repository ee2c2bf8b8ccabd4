import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../client/src/index.ts'
import { listen } from '../../server/test/ports/listen.ts'
import { buildOnce } from '../../server/test/process.ts'
import {
  newWorkspace,
  type Service,
  startConfigured,
  startService,
  type TestWorkspace,
} from '../../server/test/running-service.ts'
import { callerOf, precedent } from '../test/command-line.ts'
import { importJudgments } from './judgment-import.ts'
import type { Profile } from './profile.ts'
import { streamOf } from './stream.ts'

const ada = { userId: 'ada', name: 'Ada' }

let service: Service
/** Accepts fewer judgments and shorter requests at once than the import sends. */
let small: Service
let ws: TestWorkspace

beforeAll(async () => {
  await buildOnce()
  service = await startService()
  small = await startConfigured({ LIST_LIMIT: '3', BODY_LIMIT_BYTES: '2000' })
})
afterAll(() => small.app.http.close())
beforeEach(async () => {
  ws = await newWorkspace(service)
})

const profileOf = ({ keyHeaders }: TestWorkspace, { url } = service) => ({
  url,
  apiKey: keyHeaders['x-service-api-key'] ?? '',
  authToken: keyHeaders['x-service-auth-token'] ?? '',
})

const clientOf = (of: TestWorkspace, on = service) => {
  const { url, ...credentials } = profileOf(of, on)
  return createClient({ baseUrl: url, ...credentials })
}

const exportOf = (profile: Profile) => streamOf(profile, '/v2/memory/judgments/export', {})

async function exported(from: TestWorkspace): Promise<string[]> {
  return (await text(exportOf(profileOf(from)))).split('\n').filter(Boolean)
}

async function imported(to: TestWorkspace, lines: unknown[], { create = false, into = service } = {}) {
  const faults: [number, string][] = []
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
  const report = (line: number, fault: string) => faults.push([line, fault])
  const added = await importJudgments(clientOf(to, into), stream(texts), { create, report })
  return { added, faults: faults.sort(([a], [b]) => a - b) }
}

async function* stream(lines: string[]): AsyncGenerator<string> {
  yield* lines
}

const judgment = (recordId: string | undefined, more: object = {}) => ({
  recordId,
  decision: 'approve',
  reasoning: `Because of ${recordId}.`,
  actionUser: ada,
  createdAt: 1_600_000_000_000,
  ...more,
})
const idsOf = (lines: string[]) => lines.map((line) => JSON.parse(line).recordId).sort()

test('moves judgments to another workspace without loss, with their organizations and documents if asked to', async () => {
  await ws.ok('/v2/organizations/add', { organizations: [{ organizationId: 'acme' }, { organizationId: 'beta' }] })
  await ws.ok('/v2/organizations/documents/add', { organizationId: 'acme', documents: [{ documentId: 'doc' }] })
  const judgments = [
    judgment('a', { content: 'Zeile\n価格', confidence: 0.5, agent: { agentId: 'x' }, judgeType: 'human' }),
    judgment('b', { organizationId: 'acme', documentId: 'doc', annotationId: 't', contentUserId: 'bob' }),
    judgment('c', { organizationId: 'beta' }),
  ]
  await ws.ok('/v2/memory/judgments/add', { judgments })
  const lines = await exported(ws)
  const other = await newWorkspace(service)
  expect(await imported(other, lines)).toEqual({
    added: 1,
    faults: expect.arrayContaining([[expect.any(Number), 'Organization does not exist']]),
  })
  expect(await imported(other, lines, { create: true })).toEqual({ added: 3, faults: [] })
  expect((await exported(other)).sort()).toEqual(lines.sort())
})

test('faulty lines are named with number and rule, and the rest goes on', async () => {
  const lines = [
    judgment('good-1'),
    'no JSON',
    '',
    judgment('bad-1', { decision: undefined }),
    judgment('bad-2', { confidence: 2 }),
    '[1]',
    judgment('bad-3', { documentId: 'doc' }),
    judgment('bad-4', { reasoning: '\u0000' }),
    judgment('bad-5', { organizationId: 'nowhere' }),
    judgment('good-2'),
  ]
  const faults = [
    [2, 'is not a JSON object'],
    [4, 'decision is required'],
    [5, 'confidence must be at most 1'],
    [6, 'is not a JSON object'],
    [7, 'organizationId is required with documentId'],
    [8, 'reasoning must not contain U+0000'],
    [9, 'Organization does not exist'],
  ]
  expect(await imported(ws, lines)).toEqual({ added: 2, faults })
  expect(idsOf(await exported(ws))).toEqual(['good-1', 'good-2'])
})

test('a bad id does not keep the other organizations and documents from being made', async () => {
  const lines = [
    judgment('a', { organizationId: 'acme', documentId: 'doc' }),
    judgment('b', { organizationId: '' }),
    judgment('c', { organizationId: 'acme', documentId: 'x'.repeat(257) }),
    judgment('d', { organizationId: 'beta', documentId: 'doc' }),
  ]
  const { added, faults } = await imported(ws, lines, { create: true })
  expect([added, faults.map(([line]) => line)]).toEqual([2, [2, 3]])
})

test('can be repeated: neither lines with an id nor lines without one come twice, but the same line in one file counts', async () => {
  const lines = [judgment('a'), judgment(undefined), judgment(undefined)]
  expect((await imported(ws, lines)).added).toBe(3)
  const before = await exported(ws)
  await imported(ws, lines)
  expect((await exported(ws)).sort()).toEqual(before.sort())
})

test('sends as much at once as the service takes', async () => {
  const lines = Array.from({ length: 10 }, (_, i) => judgment(`r${i}`, i === 7 ? { reasoning: 'x'.repeat(2_000) } : {}))
  const { added, faults } = await imported(ws, lines, { into: small })
  expect(added).toBe(9)
  expect(faults).toEqual([[8, expect.stringMatching(/too large|limit|larger|bytes/i)]])
})

test('an import of thousands arrives whole', async () => {
  const lines = Array.from({ length: 2_500 }, (_, i) => judgment(`r${i}`))
  expect(await imported(ws, lines)).toEqual({ added: 2_500, faults: [] })
  expect(await exported(ws)).toHaveLength(2_500)
})

test('wrong credentials end both at once', async () => {
  const { url: baseUrl, ...credentials } = { ...profileOf(ws), authToken: 'wrong' }
  await expect(text(exportOf({ url: baseUrl, ...credentials }))).rejects.toThrow(/token|key/i)
  const options = { create: false, report: () => {} }
  const client = createClient({ baseUrl, ...credentials })
  await expect(importJudgments(client, stream([JSON.stringify(judgment('a'))]), options)).rejects.toThrow(/token|key/i)
})

test('an export that breaks off fails', async () => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    response.write('{}\n', () => response.destroy())
  })
  const port = await listen(server)
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${port}`
  await expect(text(exportOf({ ...profileOf(ws), url }))).rejects.toThrow('not complete')
})

test('precedent memory import names each faulty line and ends with 1 where one was left out', async () => {
  const env = callerOf(service, ws)
  const directory = await mkdtemp(join(tmpdir(), 'judgments-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const file = join(directory, 'judgments.ndjson')
  await writeFile(file, `${JSON.stringify(judgment('a', { organizationId: 'acme' }))}\r\n{}\n`)
  const missing = await precedent(['memory', 'import', file], env)
  expect(missing.errors).toBe(
    'line 2: decision is required\nline 1: Organization does not exist\n' +
      'With --create, organizations and documents that do not exist are added.\n',
  )
  expect(await precedent(['memory', 'import', file, '--create'], env)).toEqual({
    code: 1,
    output: '1 added, 1 faulty and left out\n',
    errors: 'line 2: decision is required\n',
  })
  const again = await precedent(['memory', 'import', '-', '--create', '--json'], env, await readFile(file, 'utf8'))
  expect(JSON.parse(again.output)).toEqual({ added: 1, faulty: [{ line: 2, fault: 'decision is required' }] })
  const { code, output } = await precedent(['memory', 'export'], env)
  expect([code, JSON.parse(output)]).toMatchObject([0, judgment('a', { organizationId: 'acme' })])
  const nowhere = await precedent(['memory', 'import', '/nonexistent'], env)
  expect([nowhere.code, nowhere.errors]).toEqual([1, expect.stringContaining('/nonexistent')])
})
