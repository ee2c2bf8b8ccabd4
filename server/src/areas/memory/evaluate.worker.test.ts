import { expect, test } from 'vitest'
import { newWorkspace, startService, type TestWorkspace } from '../../../test/running-service.ts'
import { DatabaseUnavailable, type Db, sql } from '../../platform/db/db.ts'
import { judgmentEvaluations } from './evaluate.worker.ts'

const judgments = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    recordId: `r${i}`,
    decision: i % 2 === 0 ? 'reject' : 'approve',
    reasoning: 'As the guide says.',
    content: `${i % 2 === 0 ? 'Savings claim without a source' : 'Partner banner with clear space'}, variant ${i}`,
    actionUser: { userId: 'ada', name: 'Ada' },
  }))

const statusOf = async (ws: TestWorkspace) => (await ws.ok('/v2/memory/evaluations/get')).evaluations[0]?.status

test('an evaluation of few judgments does not wait for the end of a large one, and a second large one does', async () => {
  const { app, database } = await startService()
  const evaluations = judgmentEvaluations({ db: database, reads: database, services: app.services }, 0)
  const turn = () => evaluations.work(() => {})
  const [large, other, small] = [await newWorkspaceWith(24), await newWorkspaceWith(24), await newWorkspaceWith(6)]
  await database.query(sql`
    update judgment_log set change = 20000 where api_key in (${large.apiKey}, ${other.apiKey})`)
  await large.ok('/v2/memory/evaluate')
  await turn()
  await other.ok('/v2/memory/evaluate')
  await small.ok('/v2/memory/evaluate')
  while ((await statusOf(small)) !== 'completed') expect(await turn()).toBe(1)
  expect([await statusOf(large), await statusOf(other)]).toEqual(['running', 'queued'])
  while ((await turn()) > 0);
  expect([await statusOf(large), await statusOf(other)]).toEqual(['completed', 'completed'])
})

test('an evaluation that the end of its process interrupts begins again in another, and counts no attempt', async () => {
  const { app, database } = await startService()
  const inProcess = () => judgmentEvaluations({ db: database, reads: database, services: app.services }, 0)
  const ws = await newWorkspaceWith(24)
  await ws.ok('/v2/memory/evaluate')
  const ending = inProcess()
  await ending.work(() => {})
  expect(await statusOf(ws)).toBe('running')
  expect(await ending.settle?.()).toBe(0)
  expect(await statusOf(ws)).toBe('queued')
  const next = inProcess()
  while ((await next.work(() => {})) > 0);
  expect(await statusOf(ws)).toBe('completed')
  expect(await attemptsOf(ws)).toBe(1)
})

test('a process ends also where the database fails while it gives an evaluation back', async () => {
  const { app, database } = await startService()
  const ws = await newWorkspaceWith(24)
  await ws.ok('/v2/memory/evaluate')
  let isGone = false
  const db: Db = {
    query: (statement) => (isGone ? Promise.reject(new DatabaseUnavailable('gone')) : database.query(statement)),
  }
  const ending = judgmentEvaluations({ db, reads: database, services: app.services }, 0)
  await ending.work(() => {})
  isGone = true
  expect(await ending.settle?.()).toBe(0)
  expect(await statusOf(ws)).toBe('running')
})

test('an evaluation whose process has died three times is given up, and the next is claimed', async () => {
  const { app, database } = await startService()
  const [ws, next] = [await newWorkspaceWith(6), await newWorkspaceWith(6)]
  await ws.ok('/v2/memory/evaluate')
  await next.ok('/v2/memory/evaluate')
  await database.query(sql`update judgment_evaluation set status = 'running', attempt = 3 where api_key = ${ws.apiKey}`)
  const evaluations = judgmentEvaluations({ db: database, reads: database, services: app.services })
  expect(await evaluations.work(() => {})).toBe(1)
  expect(await statusOf(ws)).toBe('failed')
  while ((await evaluations.work(() => {})) > 0);
  expect(await statusOf(next)).toBe('completed')
})

async function attemptsOf({ apiKey }: TestWorkspace): Promise<number | undefined> {
  const { database } = await startService()
  const rows = await database.query<{ attempt: number }>(
    sql`select attempt from judgment_evaluation where api_key = ${apiKey}`,
  )
  return rows[0]?.attempt
}

async function newWorkspaceWith(count: number): Promise<TestWorkspace> {
  const ws = await newWorkspace(await startService())
  await ws.ok('/v2/memory/judgments/add', { judgments: judgments(count) })
  return ws
}
