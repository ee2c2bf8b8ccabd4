import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callerOf } from '../../../cli/test/command-line.ts'
import { buildOnce } from '../../../server/test/process.ts'
import { type Service, startService, type TestWorkspace } from '../../../server/test/running-service.ts'
import { ada, newPlannedWorkspace, place, text, threadDecisions } from '../../../server/test/thread-decisions.ts'
import { type Agent, startAgent } from '../../test/agent.ts'

const READING = ['read_thread', 'search_activity', 'search_memory', 'search_threads', 'suggest_decision']

let service: Service
let ws: TestWorkspace
let reader: Agent
let writer: Agent

beforeAll(async () => {
  await buildOnce()
  service = await startService()
  ws = await newPlannedWorkspace(service)
  await ws.ok('/v2/workspace/activityconfig/update', { activityServiceConfig: { isEnabled: true } })
  await ws.ok('/v2/users/add', { ...place, users: [{ ...ada, accessRole: 'editor' }] })
  await ws.ok('/v2/organizations/documents/access/update', {
    organizationId: 'acme',
    documentIds: ['plan'],
    accessType: 'restricted',
  })
  const reasons = ['The logo is off centre', 'The logo is blurred', 'The logo is missing', 'The logo is too small']
  const judgments = reasons.map((reasoning, index) => ({
    recordId: `j${index}`,
    decision: 'reject',
    reasoning,
    actionUser: { userId: `u${index}`, name: 'Ada' },
  }))
  await ws.ok('/v2/memory/judgments/add', { judgments })
  const { addThread } = threadDecisions(() => ws)
  await addThread('t1', [text(ada, 'Is the LOGO right?'), text(ada, 'I think so.')])
  await addThread('t2', [text(ada, 'The colour is wrong.')])
  await ws.ok('/v2/activities/add', {
    ...place,
    activities: [{ featureType: 'custom', actionType: 'plan.sent', actionUser: ada, targetEntityId: 'e' }],
  })
  reader = await startAgent(callerOf(service, ws))
  writer = await startAgent(callerOf(service, ws), ['--allow-writes'])
}, 60_000)
afterAll(() => Promise.all([reader?.client.close(), writer?.client.close()]))

describe('tools that read', () => {
  test('search_memory finds similar judgments with their reasons', async () => {
    const { value } = await reader.call('search_memory', { query: 'blurred logo', limit: 1 })
    expect(value).toMatchObject({ results: [{ recordId: 'j1', reasoning: 'The logo is blurred' }] })
  })

  test('suggest_decision returns a decision with its basis', async () => {
    const { value } = await reader.call('suggest_decision', { query: 'The logo is blurred' })
    expect(value).toMatchObject({ primary: { recommendation: 'reject', basedOn: expect.any(Number) } })
  })

  test('search_threads finds threads by the words of their comments', async () => {
    const { value } = await reader.call('search_threads', { organizationId: 'acme', text: 'logo' })
    expect(value).toMatchObject({ threads: [{ annotationId: 't1', documentId: 'plan', comments: 2 }], searched: 2 })
    const none = await reader.call('search_threads', { organizationId: 'acme', statusIds: ['RESOLVED'] })
    const ended = await reader.call('search_threads', { organizationId: 'acme', statusTypes: ['terminal'] })
    expect(ended.value).toMatchObject({ threads: [] })
    expect(none.value).toEqual({ threads: [], searched: 0 })
  })

  test('search_threads shows the beginning of a long comment, and cuts no emoji in half', async () => {
    const { addThread } = threadDecisions(() => ws)
    await addThread('owls', [text(ada, `a${'🦉'.repeat(600)}`)])
    const { value } = await reader.call('search_threads', { organizationId: 'acme', text: '🦉' })
    expect(value).toMatchObject({ threads: [{ annotationId: 'owls', first: `a${'🦉'.repeat(499)}` }] })
  })

  test('search_threads finds a comment that is HTML alone', async () => {
    const { addThread } = threadDecisions(() => ws)
    await addThread('html', [{ from: ada, commentHtml: '<p>A <b>giraffe</b> isn&#x27;t &lt;small&gt;</p>' }])
    const { value } = await reader.call('search_threads', { organizationId: 'acme', text: "isn't <small>" })
    expect(value).toMatchObject({ threads: [{ annotationId: 'html', first: expect.stringContaining('giraffe') }] })
  })

  test('all comments of a long thread are counted, searched, and read a page at a time', async () => {
    const at = { organizationId: 'long', documentId: 'plan' }
    const comments = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ from: { userId: 'ada' }, commentText: `number ${index}.` }))
    await ws.ok('/v2/commentannotations/add', {
      ...at,
      createOrganization: true,
      createDocument: true,
      commentAnnotations: [{ annotationId: 'l', commentData: comments(450) }],
    })
    for (const text of ['number 0.', 'number 7.', 'number 449.']) {
      const { value } = await reader.call('search_threads', { organizationId: 'long', text })
      expect(value).toMatchObject({ threads: [{ annotationId: 'l', comments: 450 }] })
    }
    expect((await reader.call('search_threads', { organizationId: 'long', text: 'number 450.' })).value).toEqual({
      threads: [],
      searched: 1,
    })
    const texts: string[] = []
    let pageToken: string | undefined
    do {
      const { value } = await reader.call('read_thread', { ...at, annotationId: 'l', pageToken })
      const page = value as { thread: { comments: { commentText: string }[] }; nextPageToken: string | null }
      expect(page.thread.comments.length).toBeLessThanOrEqual(200)
      texts.push(...page.thread.comments.map(({ commentText }) => commentText))
      pageToken = page.nextPageToken ?? undefined
    } while (pageToken !== undefined)
    expect(texts).toEqual(comments(450).map(({ commentText }) => commentText))
  })

  test('read_thread returns the thread with its comments; an unknown one is null', async () => {
    const { value } = await reader.call('read_thread', { ...place, annotationId: 't1' })
    expect(value).toMatchObject({ thread: { comments: [{ commentText: 'Is the LOGO right?' }, {}] } })
    expect((await reader.call('read_thread', { ...place, annotationId: 'none' })).value).toEqual({ thread: null })
  })

  test('search_activity lists who did what', async () => {
    const { value } = await reader.call('search_activity', { organizationId: 'acme', actionTypes: ['plan.sent'] })
    expect(value).toMatchObject({ activities: [{ actionType: 'plan.sent', actionUser: { userId: 'ada' } }] })
  })

  test('a refusal of the service is an answer that the model can act on', async () => {
    const { isError, text } = await reader.call('suggest_decision', { query: 'x', documentId: 'plan' })
    expect([isError, text]).toEqual([true, expect.stringContaining('INVALID_ARGUMENT')])
    const wrong = await reader.call('search_memory', { query: 'x', limit: 51 })
    expect([wrong.isError, wrong.text]).toEqual([true, expect.stringContaining('limit')])
  })

  test('an argument that a tool does not have is refused by name, never ignored', async () => {
    const { isError, text } = await reader.call('search_threads', { organizationId: 'acme', query: 'logo' })
    expect([isError, text]).toEqual([true, expect.stringContaining('query')])
    const { tools } = await reader.client.listTools()
    for (const { inputSchema } of tools) expect(inputSchema).toMatchObject({ additionalProperties: false })
  })
})

describe('tools that write', () => {
  test('there are none unless they are allowed', async () => {
    expect(await reader.tools()).toEqual(READING)
    const written = ['record_judgment', 'reply_to_thread', 'set_thread_status']
    expect(await writer.tools()).toEqual([...READING, ...written].sort())
    const { isError } = await reader.call('reply_to_thread', {
      ...place,
      annotationId: 't2',
      userId: 'ada',
      text: 'No',
    })
    expect(isError).toBe(true)
  })

  test('a reply and a status are those of a user who has access', async () => {
    const thread = { ...place, annotationId: 't2' }
    expect((await writer.call('reply_to_thread', { ...thread, userId: 'ada', text: 'Fixed.' })).isError).toBe(false)
    expect((await writer.call('set_thread_status', { ...thread, userId: 'ada', statusId: 'RESOLVED' })).isError).toBe(
      false,
    )
    const { value } = await writer.call('read_thread', thread)
    expect(value).toMatchObject({ thread: { status: { id: 'RESOLVED' }, comments: [{}, { commentText: 'Fixed.' }] } })
    await writer.call('set_thread_status', { ...thread, userId: 'ada', statusId: 'APPROVED', statusType: 'terminal' })
    const approved = await writer.call('read_thread', thread)
    expect(approved.value).toMatchObject({ thread: { status: { id: 'APPROVED', type: 'terminal' } } })
    const stranger = await writer.call('set_thread_status', { ...thread, userId: 'eve', statusId: 'OPEN' })
    expect(stranger.text).toMatch(/PERMISSION_DENIED|does not have access|no access/i)
  })

  test('what was not done is an error, with the reason', async () => {
    const thread = { ...place, annotationId: 'gone' }
    const status = await writer.call('set_thread_status', { ...thread, userId: 'ada', statusId: 'RESOLVED' })
    expect(status).toMatchObject({ isError: true, text: 'Annotation not found.' })
    const judged = { decision: 'approve', reasoning: 'Fits.', agentId: 'bot', userId: 'ada', userName: 'Ada' }
    const judgment = await writer.call('record_judgment', { ...judged, organizationId: 'nowhere' })
    expect(judgment).toMatchObject({ isError: true, text: expect.stringMatching(/organization/i) })
  })

  test('a recorded judgment is that of an agent and is found', async () => {
    const judgment = {
      decision: 'approve',
      reasoning: 'A zebra suits it.',
      agentId: 'bot',
      userId: 'ada',
      userName: 'Ada',
    }
    expect((await writer.call('record_judgment', judgment)).isError).toBe(false)
    const { value } = await writer.call('search_memory', { query: 'zebra' })
    expect(value).toMatchObject({ results: [{ decision: 'approve', agent: { agentId: 'bot' } }] })
  })
})
