import { beforeAll, expect, test } from 'vitest'
import { type Reply, startReceiver } from '../../../test/receiver.ts'
import {
  newWorkspace,
  type Service,
  startConfigured,
  startService,
  type TestWorkspace,
} from '../../../test/running-service.ts'

let service: Service
let ws: TestWorkspace

beforeAll(async () => {
  service = await startService()
  ws = await newWorkspace(service)
  await fill(ws)
})

const judgment = (recordId: string, decision: string, reasoning: string, daysAgo = 1) => ({
  recordId,
  decision,
  reasoning,
  actionUser: { userId: 'ann', name: 'Ann' },
  createdAt: Date.now() - daysAgo * 86_400_000,
})
const fill = (of: TestWorkspace) =>
  of.ok('/v2/memory/judgments/add', {
    judgments: [
      judgment('j1', 'reject', 'Nice layout. Stock photos of customers mislead readers about our clients.'),
      judgment('j2', 'approve', 'Own photos of customers, with their consent.', 100),
      judgment('j3', 'approve', 'The invoice numbers add up.'),
    ],
  })
const QUESTION = 'Why do we reject stock photos of customers?'
const ask = (more: object = {}, of = ws) => of.ok('/v2/memory/ask', { question: QUESTION, ...more })

test('a judgment without a reasoning is not quoted', async () => {
  const other = await newWorkspace(service)
  await other.ok('/v2/memory/judgments/add', { judgments: [judgment('silent', 'approve', ' ')] })
  expect(await ask({ question: 'What did we approve?' }, other)).toMatchObject({ answer: '', citations: [] })
})

test('an answer is made of quoted judgments with their ids', async () => {
  const { answer, citations, confidence, recordsSearched, warnings } = await ask()
  expect(answer).toMatch(
    /^Ann, reject, \d{4}-\d\d-\d\d: “Stock photos of customers mislead readers about our clients\.” \[j1\]/,
  )
  expect(citations[0]).toEqual({
    recordId: 'j1',
    snippet: 'Stock photos of customers mislead readers about our clients.',
  })
  expect(citations.map(({ recordId }) => recordId)).not.toContain('j3')
  expect(confidence).toBeGreaterThan(0.15)
  expect([recordsSearched, warnings]).toEqual([3, undefined])
})

test.each([
  [
    'How tall is the Eiffel Tower?',
    'No answer: no judgment holds most of what the question names (tall, Eiffel, Tower).',
  ],
  [
    'What are the most common reasons to reject?',
    'No answer: the question names nothing that a judgment could be about. `memory/patterns/get` tells recurring reasons.',
  ],
])('%s has an empty answer, which says why', async (question, why) => {
  const nothing = { answer: '', citations: [], confidence: 0, recordsSearched: 3, warnings: [why] }
  expect(await ask({ question })).toEqual(nothing)
})

test('a question that names what was judged is answered by the judgments on that', async () => {
  const other = await newWorkspace(service)
  const [harbour, tram] = ['Harbour festival: a poster.', 'Tram timetable: a leaflet with a map.']
  await other.ok('/v2/memory/judgments/add', {
    judgments: [
      { ...judgment('h1', 'reject', 'The headline is too long.'), content: harbour },
      { ...judgment('h2', 'approve', 'A clear picture.'), content: harbour },
      { ...judgment('t1', 'reject', 'The map has no scale.'), content: tram },
      { ...judgment('t2', 'reject', 'This poster has no date, and its headline says little.'), content: tram },
      { ...judgment('t3', 'reject', 'The leaflet is late.'), content: tram },
    ],
  })
  const asked = async (question: string) => {
    const { citations, warnings = [] } = await ask({ question }, other)
    return [citations.map(({ recordId }) => recordId).toSorted(), warnings]
  }
  const named = ['The question names what was judged: quoted are the judgments on that.']
  expect(await asked('Why was the harbour festival rejected?')).toEqual([['h1', 'h2'], named])
  expect(await asked('Why was the poster without a date rejected?')).toEqual([['t2'], []])
})

test('judgments that each hold one word of a question are not on it', async () => {
  const other = await newWorkspace(service)
  const text = (i: number) => ['Venture capital is short.', 'The team is from France.'][i] ?? `Invoice ${i} was paid.`
  const judgments = Array.from({ length: 1_200 }, (_, i) => judgment(`j${i}`, 'reject', text(i)))
  for (const from of [0, 400, 800]) {
    await other.ok('/v2/memory/judgments/add', { judgments: judgments.slice(from, from + 400) })
  }
  expect(await ask({ question: 'What is the capital of France?' }, other)).toMatchObject({ answer: '', citations: [] })
  expect(await ask({ question: 'Is capital short?' }, other)).toMatchObject({ citations: [{ recordId: 'j0' }] })
})

test.each([
  ['Warum lehnen wir Bilder ab?', ['Das Bild ist zu dunkel.', 'Die Rechnung ist nicht vollständig.'], ['j0']],
  ['Почему отклонили сметы?', ['Смета не содержит расходов на доставку.', 'В договоре не указан срок.'], ['j0']],
  ['Recette de tarte aux pommes ?', ['La recette de la campagne est floue.', 'Le devis est trop élevé.'], []],
])('%s is answered by other forms of its words, and not by one of three words', async (question, reasonings, ids) => {
  const other = await newWorkspace(service)
  await other.ok('/v2/memory/judgments/add', {
    judgments: reasonings.map((reasoning, i) => judgment(`j${i}`, 'reject', reasoning)),
  })
  const { citations } = await ask({ question }, other)
  expect(citations.map(({ recordId }) => recordId)).toEqual(ids)
})

test('a question that names a reviewer and nothing else is answered by their newest judgments', async () => {
  const { citations } = await ask({ question: 'What do you think?', filters: { reviewerId: 'ann' } })
  expect(citations.map(({ recordId }) => recordId).toSorted()).toEqual(['j1', 'j2', 'j3'])
})

test('so is one in another language, whose words of asking are known by those of the judgments', async () => {
  const other = await newWorkspace(service)
  await other.ok('/v2/memory/judgments/add', {
    judgments: [
      {
        ...judgment('j0', 'reject', 'Das Bild auf der Seite ist zu dunkel und nicht scharf.'),
        actionUser: { userId: 'u7', name: 'Anna Vogel' },
      },
    ],
  })
  expect(await ask({ question: 'Was hat uns Anna Vogel gesagt?' }, other)).toMatchObject({
    citations: [{ recordId: 'j0' }],
  })
})

test('filters and recent days hold', async () => {
  const cited = async (more: object) => (await ask(more)).citations.map(({ recordId }) => recordId)
  expect(await cited({ filters: { decision: 'approve' } })).toEqual(['j2'])
  expect(await cited({ recencyDays: 30 })).toEqual(['j1'])
})

test('recent days beat a range of time, both of its ends', async () => {
  for (const dateRange of [{ end: 1 }, { start: Date.now() + 86_400_000 }]) {
    expect(await ask({ recencyDays: 30, filters: { dateRange } })).toMatchObject({ citations: [{ recordId: 'j1' }] })
  }
})

test('a reviewer whom the question names is asked alone, and a question for a count is told what is not counted', async () => {
  const other = await newWorkspace(service)
  const by = (recordId: string, userId: string, name: string) => ({
    ...judgment(recordId, 'reject', 'Stock photos of customers mislead readers.'),
    actionUser: { userId, name },
  })
  await other.ok('/v2/memory/judgments/add', { judgments: [by('a', 'ann', 'Ann Lee'), by('b', 'bob', 'Bob Ray')] })
  const asked = async (question: string, more: object = {}) => {
    const { citations, recordsSearched, warnings } = await ask({ question, ...more }, other)
    return [citations.map(({ recordId }) => recordId).toSorted(), recordsSearched, warnings]
  }
  const only =
    'Only judgments of Bob Ray (bob) were searched: the question names them. `memory/profiles/get` tells how they decide.'
  expect(await asked('Why did Bob Ray reject stock photos of customers?')).toEqual([['b'], 1, [only]])
  const perhaps = 'The question may name Bob Ray (bob): set `filters.reviewerId` to ask of one.'
  expect(await asked('Why did Bob reject stock photos of customers?')).toEqual([['a', 'b'], 2, [perhaps]])
  const both = 'The question may name Ann Lee (ann), Bob Ray (bob): set `filters.reviewerId` to ask of one.'
  expect(await asked('Did Ann or Bob reject stock photos of customers?')).toEqual([['a', 'b'], 2, [both]])
  const filters = { reviewerId: 'ann' }
  expect(await asked('Did Bob Ray reject stock photos of customers?', { filters })).toEqual([['a'], 1, undefined])
  await other.ok('/v2/organizations/add', { organizations: [{ organizationId: 'elsewhere' }] })
  const elsewhere = { organizationId: 'elsewhere' }
  const nothing = 'No answer: there is no judgment here that the filters admit.'
  expect(await asked('Did Bob Ray reject stock photos of customers?', elsewhere)).toEqual([[], 0, [nothing]])
  const [, , counted] = await asked('How many stock photos of customers were rejected?')
  expect(counted).toEqual([expect.stringMatching(/^An answer quotes judgments and counts none\./)])
})

test('rules that bear on the question are quoted too', { timeout: 120_000 }, async () => {
  const other = await newWorkspace(service)
  const text = '# Photos\n\n- Stock photos of customers are never used.\n'
  const file = {
    base64: Buffer.from(text).toString('base64'),
    mimeType: 'text/plain',
    fileName: 'photos.md',
    fileSize: text.length,
  }
  const { sourceId } = await other.ok('/v2/memory/knowledge/ingest', { source: 'inline', file })
  await service.drainJobs()
  const { answer, citations, knowledge } = await ask({}, other)
  expect(answer).toMatch(/^photos\.md, Photos: “Stock photos of customers are never used\.” \[rule_/)
  expect(citations).toEqual([])
  expect(knowledge).toMatchObject([{ sourceId, snippet: 'Stock photos of customers are never used.' }])
  const nothing = { answer: '', citations: [], confidence: 0, recordsSearched: 0 }
  expect(await ask({ organizationId: 'nowhere' }, other)).toEqual({
    ...nothing,
    warnings: ['There is no organization nowhere.'],
  })
})

/** A service whose chat model answers as `respond` says, and its workspace. */
async function withModel(respond: () => Reply) {
  const receiver = await startReceiver({ respond })
  const env = { CHAT_URL: `${receiver.url}/v1`, CHAT_MODEL: 'writer-1', CHAT_API_KEY: 'chat-key-of-the-operator' }
  const own = await newWorkspace(await startConfigured(env))
  await fill(own)
  return { receiver, own, asked: () => ask({}, own) }
}

const completion = (content: string): Reply => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ choices: [{ message: { role: 'assistant', content } }] }),
})
const written = (answer: string, citations: { id: string; quote: string }[]) =>
  completion(`\`\`\`json\n${JSON.stringify({ answer, citations })}\n\`\`\``)

test('with a chat model the answer is written, and cites what it quotes', async () => {
  const quote = 'Stock photos of customers mislead readers'
  const { receiver, asked } = await withModel(() => written('They mislead readers [j1].', [{ id: 'j1', quote }]))
  expect(await asked()).toMatchObject({
    answer: 'They mislead readers [j1].',
    citations: [{ recordId: 'j1', snippet: quote }],
  })
  const [request] = receiver.received()
  expect(request?.url).toBe('/v1/chat/completions')
  expect(request?.headers.authorization).toBe('Bearer chat-key-of-the-operator')
  expect(JSON.parse(String(request?.body))).toMatchObject({
    model: 'writer-1',
    messages: [{ role: 'system' }, { role: 'user' }],
  })
  await receiver.close()
})

test.each([
  ['cites what is no evidence', written('Because [j9].', [{ id: 'j9', quote: 'x' }])],
  ['quotes what its evidence does not say', written('Because [j1].', [{ id: 'j1', quote: 'they are too expensive' }])],
  ['names what it does not cite', written('Because [j2].', [{ id: 'j1', quote: 'Nice layout' }])],
  ['cites nothing', written('Because.', [])],
  ['quotes what no evidence says', written('They are “far too expensive” [j1].', [{ id: 'j1', quote: 'Nice layout' }])],
  ['is not of the form that was asked for', completion('I think so.')],
])('a written answer that %s is not used', async (fault, reply) => {
  const { receiver, asked } = await withModel(() => reply)
  const { answer, warnings } = await asked()
  expect(answer).toContain('[j1]')
  expect(answer).toContain('Stock photos of customers mislead readers')
  expect(warnings).toEqual([`The answer of the chat model ${fault}: the answer is made of quotes.`])
  await receiver.close()
})

test('a quote from what the model was not given is not used', async () => {
  const rest = 'The rest was not read.'
  const { receiver, own } = await withModel(() => written('It says so [long].', [{ id: 'long', quote: rest }]))
  await own.ok('/v2/memory/judgments/add', {
    judgments: [judgment('long', 'reject', `Zebra crossings. ${'word '.repeat(300)}${rest}`)],
  })
  const { warnings } = await ask({ question: 'Why zebra crossings?' }, own)
  expect(warnings).toEqual([
    'The answer of the chat model quotes what its evidence does not say: the answer is made of quotes.',
  ])
  await receiver.close()
})

test.each<[string, Reply]>([
  ['fails', { status: 500, body: 'no' }],
  ['breaks off', 'reset'],
  ['never answers', 'hang'],
])('a chat model that %s is no error, and is not asked again at once', { timeout: 60_000 }, async (_, reply) => {
  const { receiver, asked } = await withModel(() => reply)
  for (let i = 0; i < 2; i++) {
    const { answer, warnings } = await asked()
    expect(answer).toContain('[j1]')
    expect(warnings).toEqual(['The chat model did not answer in time: the answer is made of quotes.'])
  }
  expect(receiver.received()).toHaveLength(1)
  await receiver.close()
})
