import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { exportJudgments, importJudgments } from '../../scripts/judgment-transfer.ts'
import { repository } from './architecture/source.ts'
import { newWorkspace, type Service, startConfigured, startService, type TestWorkspace } from './running-service.ts'

const ada = { userId: 'ada', name: 'Ada' }

let service: Service
/** Accepts fewer judgments and shorter requests at once than the import sends. */
let small: Service
let ws: TestWorkspace

beforeAll(async () => {
  service = await startService()
  small = await startConfigured({ LIST_LIMIT: '3', BODY_LIMIT_BYTES: '2000' })
})
afterAll(() => small.app.http.close())
beforeEach(async () => {
  ws = await newWorkspace(service)
})

const connectionOf = ({ keyHeaders }: TestWorkspace, { url } = service) => ({
  baseUrl: url,
  apiKey: keyHeaders['x-service-api-key'] ?? '',
  authToken: keyHeaders['x-service-auth-token'] ?? '',
})

async function exported(from: TestWorkspace): Promise<string[]> {
  const chunks: Uint8Array[] = []
  await exportJudgments(connectionOf(from), async (chunk) => {
    chunks.push(chunk)
  })
  return Buffer.concat(chunks).toString().split('\n').filter(Boolean)
}

async function imported(to: TestWorkspace, lines: unknown[], { create = false, into = service } = {}) {
  const faults: [number, string][] = []
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
  const report = (line: number, fault: string) => faults.push([line, fault])
  const added = await importJudgments(connectionOf(to, into), stream(texts), { create, report })
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
  const wrong = { ...connectionOf(ws), authToken: 'wrong' }
  await expect(exportJudgments(wrong, async () => {})).rejects.toThrow(/token|key/i)
  const options = { create: false, report: () => {} }
  await expect(importJudgments(wrong, stream([JSON.stringify(judgment('a'))]), options)).rejects.toThrow(/token|key/i)
})

test('an export that breaks off fails', async () => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    response.write('{}\n', () => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await expect(exportJudgments({ ...connectionOf(ws), baseUrl }, async () => {})).rejects.toThrow()
})

test('the command takes the credentials from the environment, and ends with 1 where a line was left out', async () => {
  const { baseUrl, apiKey, authToken } = connectionOf(ws)
  const env = { PRECEDENT_URL: baseUrl, PRECEDENT_API_KEY: apiKey, PRECEDENT_AUTH_TOKEN: authToken }
  const directory = await mkdtemp(join(tmpdir(), 'judgments-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const file = join(directory, 'judgments.ndjson')
  await writeFile(file, `${JSON.stringify(judgment('a', { organizationId: 'acme' }))}\r\n{}\n`)
  expect(await command(['import', file, '--create'], env)).toEqual({
    code: 1,
    stdout: '1 added, 1 faulty and left out\n',
    stderr: 'line 2: decision is required\n',
  })
  const { code, stdout } = await command(['export'], env)
  expect([code, JSON.parse(stdout)]).toMatchObject([0, judgment('a', { organizationId: 'acme' })])
  expect(await command(['import'], env)).toMatchObject({ code: 1, stderr: expect.stringContaining('<file>') })
  expect(await command(['export'], {})).toMatchObject({ code: 1, stderr: expect.stringContaining('PRECEDENT_API_KEY') })
})

function command(args: string[], env: Record<string, string>) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const environment = { PATH: process.env.PATH ?? '', ...env }
    const all = ['--import', 'tsx', 'scripts/judgments.ts', ...args]
    execFile(process.execPath, all, { cwd: repository, env: environment }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr })
    })
  })
}
