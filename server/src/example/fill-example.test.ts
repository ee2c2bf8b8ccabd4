import { beforeAll, describe, expect, test } from 'vitest'
import { ungrouped } from '../../test/answer.ts'
import { newWorkspace, type Service, startAlone, type TestWorkspace } from '../../test/running-service.ts'
import { addExample, completeExample } from './fill-example.ts'

const organizationId = 'example'
const NEW_ITEM = { organizationId, query: 'Photo of a bridge without alt text' }

let service: Service
let ws: TestWorkspace
const tenant = () => ({ workspaceId: ws.id, apiKey: ws.apiKey })

beforeAll(async () => {
  service = await startAlone({ EMBEDDER: 'builtin' })
})

describe('the example', () => {
  beforeAll(async () => {
    ws = await newWorkspace(service)
    await addExample(service.app, tenant())
  })

  test('gets a suggestion before its threads are there', async () => {
    const { primary } = await ws.ok('/v2/memory/suggest', NEW_ITEM)
    expect(primary).toMatchObject({ recommendation: 'reject', scope: 'organization', uniqueReviewers: 2 })
    expect(primary?.confidence).toBeGreaterThan(0.7)
    expect(primary?.topReasons[0]).toBe('The alt text is missing.')
  })

  test('has people, places, threads in each status, notifications and a log that holds', async () => {
    await completeExample(service.app, tenant())
    await service.drainJobs()
    const threads = ungrouped((await ws.ok('/v2/commentannotations/get', { organizationId })).data)
    const statuses = new Set(threads.map((thread) => thread?.status.id))
    expect(statuses).toEqual(new Set(['OPEN', 'IN_PROGRESS', 'RESOLVED', 'APPROVED', 'REJECTED']))
    const suggestions = threads.flatMap((thread) => thread?.suggestion?.status ?? [])
    expect(new Set(suggestions)).toEqual(new Set(['pending', 'accepted', 'rejected']))
    for (const thread of threads) {
      if (thread?.suggestion) expect(thread.suggestion).toMatchObject({ newValue: expect.stringMatching(/./) })
    }
    expect((await ws.ok('/v2/users/get', { organizationId })).data).toHaveLength(5)
    expect((await ws.ok('/v2/organizations/documents/get', { organizationId })).data).toHaveLength(5)
    const { data: inbox } = await ws.ok('/v2/notifications/get', { organizationId, userId: 'owen' })
    expect(inbox.length).toBeGreaterThan(5)
    const { data: log } = await ws.ok('/v2/activities/verify', { organizationId })
    expect(log).toMatchObject({ valid: true, firstBreak: null })
    expect(log.count).toBeGreaterThan(threads.length)
  })

  test('cites its rules, finds by words and meaning, knows patterns and reviewers, and answers questions', async () => {
    const { primary, knowledge } = await ws.ok('/v2/memory/suggest', NEW_ITEM)
    expect(primary).toMatchObject({ recommendation: 'reject' })
    expect(knowledge?.map(({ text }) => text).join('\n')).toContain('alt text')
    const { results } = await ws.ok('/v2/memory/search', { query: 'claims without a source', limit: 5 })
    for (const { decision } of results) expect(decision).toMatch(/^reject/)
    const patterns = await ws.ok('/v2/memory/patterns/get', { organizationId })
    expect(JSON.stringify(patterns)).toContain('The contrast is too low.')
    for (const targetUserId of ['nadia', 'tomas', 'june']) {
      expect((await ws.ok('/v2/memory/profiles/get', { targetUserId }))?.totalJudgments).toBeGreaterThan(15)
    }
    const { answer } = await ws.ok('/v2/memory/ask', { organizationId, question: 'Why do we reject claims?' })
    expect(answer).toMatch(/reject, \d{4}-.*source/)
  })

  test('sends nothing: webhooks and emails are off, and none waits', async () => {
    expect((await ws.ok('/v2/workspace/emailconfig/get')).data).toMatchObject({ useEmailService: false })
    expect((await ws.ok('/v2/workspace/advancedwebhookconfig/get')).data).toMatchObject({ isEnabled: false })
  })

  test('goes with its organization: nothing of it is found afterwards', async () => {
    await ws.ok('/v2/organizations/delete', { organizationIds: [organizationId] })
    await service.drainJobs()
    expect((await ws.ok('/v2/organizations/get')).data).toEqual([])
    expect((await ws.ok('/v2/memory/stats/get')).totalActivities).toBe(0)
    expect(await ws.ok('/v2/memory/knowledge/list')).toEqual([])
    expect((await ws.ok('/v2/memory/search', { query: 'alt text' })).results).toEqual([])
  })
})
