import { beforeAll, expect, test } from 'vitest'
import { newWorkspace, type Service, startConfigured, type TestWorkspace } from '../../../test/running-service.ts'
import { type Db, sql } from '../../platform/db/db.ts'
import { memoryScopeOf } from './judgment/scope.ts'
import { gatherEvidence } from './search/gather-evidence.ts'

let service: Service
let ws: TestWorkspace

beforeAll(async () => {
  service = await startConfigured({ EMBEDDER: 'builtin' })
  ws = await newWorkspace(service)
  await ws.ok('/v2/organizations/add', { organizations: [{ organizationId: 'acme' }, { organizationId: 'beta' }] })
  await ws.ok('/v2/organizations/documents/add', { organizationId: 'acme', documents: [{ documentId: 'doc' }] })
})

let count = 0
const decide = (decision: string, content: string, place: object, times: number) =>
  ws.ok('/v2/memory/judgments/add', {
    ...place,
    judgments: Array.from({ length: times }, () => ({
      recordId: `r${++count}`,
      decision,
      reasoning: `The tone fits our voice, case ${count}.`,
      content: `${content}, variant ${count}`,
      actionUser: { userId: `user-${count % 3}`, name: 'Someone' },
    })),
  })
const suggest = (data: object) => ws.ok('/v2/memory/suggest', data)

const NEWSLETTER = 'Monthly newsletter headline with a playful pun'
const INVOICE = 'Overdue invoice reminder threatening legal action'

test('nothing is suggested where there is nothing', async () => {
  const warnings = ['No suggestion: no judgment in scope has approved or rejected anything yet.']
  expect(await suggest({ query: NEWSLETTER })).toEqual({ primary: null, conflict: null, warnings })
})

test('two similar judgments are enough, one is not', async () => {
  await decide('approve', NEWSLETTER, {}, 1)
  const why = 'an approval is more likely, but only one judgment that is similar enough approves, and it takes two'
  const warnings = [`No suggestion: ${why}.`]
  expect(await suggest({ query: NEWSLETTER })).toEqual({ primary: null, conflict: null, warnings })
  await decide('approved', NEWSLETTER, {}, 1)
  const { primary, conflict } = await suggest({ query: NEWSLETTER })
  expect(primary).toMatchObject({ recommendation: 'approve', basedOn: 2, scope: 'apiKey', scopeLabel: 'All content' })
  expect(primary?.supportingRecordIds.toSorted()).toEqual(['r1', 'r2'])
  expect(primary?.topReasons[0]).toContain('tone fits our voice')
  expect(primary?.uniqueReviewers).toBe(2)
  expect(conflict).toBeNull()
})

test('the narrowest scope with enough evidence is used', async () => {
  await decide('reject', NEWSLETTER, { organizationId: 'acme' }, 3)
  const inDocument = { query: NEWSLETTER, organizationId: 'acme', documentId: 'doc' }
  expect((await suggest(inDocument)).primary).toMatchObject({ recommendation: 'reject', scope: 'organization' })
  await decide('document_approved', NEWSLETTER, { organizationId: 'acme', documentId: 'doc' }, 3)
  expect((await suggest(inDocument)).primary).toMatchObject({
    recommendation: 'approve',
    scope: 'document',
    scopeLabel: 'This document',
    basedOn: 3,
  })
  expect((await suggest({ query: NEWSLETTER, organizationId: 'beta' })).primary).toMatchObject({ scope: 'apiKey' })
})

test('widestScope keeps what other organizations decided out, and needs the ids of its scope', async () => {
  await decide('reject', NEWSLETTER, { organizationId: 'acme', documentId: 'doc' }, 3)
  const inBeta = { query: NEWSLETTER, organizationId: 'beta' }
  expect((await suggest(inBeta)).primary).toMatchObject({ scope: 'apiKey' })
  const kept = await suggest({ ...inBeta, widestScope: 'organization' })
  expect(kept).toMatchObject({ primary: null, conflict: null, warnings: [expect.stringMatching(/./)] })
  const inAcme = { query: NEWSLETTER, organizationId: 'acme', widestScope: 'organization' } as const
  expect((await suggest(inAcme)).primary).toMatchObject({ scope: 'organization' })
  const nowhere = await suggest({ ...inAcme, organizationId: 'nowhere' })
  expect(nowhere.warnings).toEqual(['There is no organization nowhere.'])
  for (const [widestScope, missing] of [
    ['organization', 'organizationId'],
    ['document', 'organizationId'],
  ]) {
    const { status, body } = await ws.call('/v2/memory/suggest', { query: NEWSLETTER, widestScope })
    expect([status, body.error.details.issues[0].path]).toEqual([400, missing])
  }
})

test('in an organization or a document that does not exist nothing is suggested, though the API key has judgments', async () => {
  const none = (warning: string) => ({ primary: null, conflict: null, warnings: [warning] })
  const query = NEWSLETTER
  expect(await suggest({ query, organizationId: 'nowhere' })).toEqual(none('There is no organization nowhere.'))
  expect(await suggest({ query, organizationId: 'nowhere', documentId: 'doc' })).toEqual(
    none('There is no organization nowhere.'),
  )
  expect(await suggest({ query, organizationId: 'acme', documentId: 'no-doc' })).toEqual(
    none('There is no document no-doc in the organization acme.'),
  )
  // The document is one of another organization.
  expect(await suggest({ query, organizationId: 'beta', documentId: 'doc' })).toEqual(
    none('There is no document doc in the organization beta.'),
  )
  expect((await suggest({ query, organizationId: 'acme', documentId: 'doc' })).primary).not.toBeNull()
})

test('nothing is suggested in an organization that is being deleted', async () => {
  await ws.ok('/v2/organizations/add', { organizations: [{ organizationId: 'leaving' }] })
  await service.database.query(sql`
    update organization
    set retired_at = now_ms()
    where api_key = ${ws.apiKey} and id = 'leaving'`)
  expect(await suggest({ query: NEWSLETTER, organizationId: 'leaving' })).toEqual({
    primary: null,
    conflict: null,
    warnings: ['There is no organization leaving.'],
  })
})

test('an item that no judgment is like gets no suggestion, and it is said why', async () => {
  const { primary, warnings } = await suggest({ query: 'Turbulent flow around a wing' })
  expect([primary, warnings]).toEqual([null, ['No suggestion: no judgment is similar enough to the item.']])
})

test('the scopes that say nothing cost no look at the database', async () => {
  const { services } = service.app
  let statements = 0
  const db: Db = {
    query: (statement) => {
      statements++
      return service.database.query(statement)
    },
  }
  const tenant = { apiKey: ws.apiKey, workspaceId: ws.id }
  const place = (organizationId: string, documentId?: string) =>
    (['document', 'organization', 'apiKey'] as const).map((name) => ({
      name,
      place: memoryScopeOf(tenant, name, { organizationId, ...(documentId && { documentId }) }),
    }))
  async function gather(scopes: ReturnType<typeof place>) {
    return services.knownKeys.confirmed(db, tenant, (known) =>
      gatherEvidence(db, tenant, services, { query: NEWSLETTER, scopes, known }),
    )
  }
  // Nothing has changed since the last call, so the index is not caught up again.
  for (const scopes of [place('beta', 'none'), place('beta', 'none'), place('beta', 'none')]) {
    statements = 0
    expect((await gather(scopes)).scope).toBe('apiKey')
  }
  // It also confirms what is known of the API key.
  expect(statements).toBe(1)
  statements = 0
  expect((await gather(place('acme', 'doc'))).scope).toBe('document')
  expect(statements).toBe(1)
})

test('of long reasonings a suggestion reads the part that is compared', async () => {
  const own = await newWorkspace(service)
  const judgments = ['a', 'b', 'c'].map((recordId) => ({
    recordId,
    decision: 'reject',
    reasoning: `The tone is off. ${'And so on. '.repeat(10_000)}`,
    content: NEWSLETTER,
    actionUser: { userId: recordId, name: 'Someone' },
  }))
  await own.ok('/v2/memory/judgments/add', { judgments })
  const { services } = service.app
  const tenant = { apiKey: own.apiKey, workspaceId: own.id }
  const scopes = [{ name: 'apiKey' as const, place: {} }]
  const { votes } = await services.knownKeys.confirmed(service.database, tenant, (known) =>
    gatherEvidence(service.database, tenant, services, { query: NEWSLETTER, scopes, known }),
  )
  expect(votes.map(({ reasoning }) => reasoning.length)).toEqual(judgments.map(() => 20_000))
})

test('a judgment that says nothing of what was reviewed votes by its reasoning', async () => {
  const own = await newWorkspace(service)
  const reasoning = 'The fine print of the mortgage advert is too small to read.'
  const judgments = ['a', 'b', 'c'].map((recordId) => ({
    recordId,
    decision: 'reject',
    reasoning,
    actionUser: { userId: recordId, name: 'Someone' },
    ...(recordId === 'c' && { content: 'A picture of a house' }),
  }))
  await own.ok('/v2/memory/judgments/add', { judgments })
  const query = 'Mortgage advert with fine print'
  const { primary } = await own.ok('/v2/memory/suggest', { query })
  expect(primary).toMatchObject({ recommendation: 'reject', basedOn: 2 })
  expect(primary?.supportingRecordIds.toSorted()).toEqual(['a', 'b'])
  const ofContent = await own.ok('/v2/memory/search', { query, embeddingType: 'content' })
  expect(ofContent.results.every(({ similarity }) => similarity < 0.1)).toBe(true)
})

test('decisions that take no side do not vote', async () => {
  await decide('resolve', INVOICE, {}, 3)
  await decide('in_progress', INVOICE, {}, 3)
  expect((await suggest({ query: INVOICE })).primary).toBeNull()
})

test('split evidence shows the other side as a conflict, and both say so', async () => {
  await decide('agree', INVOICE, {}, 4)
  await decide('disagree', INVOICE, {}, 3)
  const { primary, conflict } = await suggest({ query: INVOICE })
  expect([primary?.recommendation, conflict?.recommendation]).toEqual(['approve', 'reject'])
  expect(primary?.caveats.join(' ')).toMatch(/split/i)
  expect(conflict?.caveats).toHaveLength(1)
  expect([primary?.basedOn, primary?.basedOnTotal, primary?.supportingRecordIds.length]).toEqual([4, 7, 4])
  expect([conflict?.basedOn, conflict?.basedOnTotal, conflict?.supportingRecordIds.length]).toEqual([3, 7, 3])
})

test('the caveats quote the nearest judgment that decided otherwise', async () => {
  const own = await newWorkspace(service)
  const judgment = (recordId: string, decision: string, reasoning: string) => ({
    recordId,
    decision,
    reasoning,
    content: NEWSLETTER,
    actionUser: { userId: recordId, name: recordId },
  })
  await own.ok('/v2/memory/judgments/add', {
    judgments: [
      ...['a', 'b', 'c', 'd', 'e'].map((id) => judgment(id, 'approve', 'The tone fits.')),
      judgment('f', 'reject', 'The pun offends readers.'),
    ],
  })
  const { primary, conflict } = await own.ok('/v2/memory/suggest', { query: NEWSLETTER })
  expect(conflict).toBeNull()
  expect(primary?.caveats).toContain('Counter-example: the similar judgment f rejects: "The pun offends readers."')
})

test('reasons argue for their side, by what the reasonings of both sides taught', async () => {
  const ROOF = 'Rooftop installation of photovoltaic modules'
  const told = [
    ...Array(6).fill(['approve', 'Solar panels suit this roof.']),
    ['approve', 'Neighbours complained loudly about noise.'],
    ...Array(7).fill(['reject', 'Neighbours complained loudly about noise.']),
  ]
  const judgments = told.map(([decision, reasoning], i) => ({
    ...{ recordId: `roof${i}`, decision, reasoning, content: `${ROOF}, house ${i}` },
    actionUser: { userId: `user-${i}`, name: 'Someone' },
  }))
  await ws.ok('/v2/memory/judgments/add', { judgments })
  const { primary, conflict } = await suggest({ query: ROOF })
  const reasons = Object.fromEntries([primary, conflict].map((side) => [side?.recommendation, side?.topReasons]))
  expect(reasons).toEqual({
    approve: ['Solar panels suit this roof.'],
    reject: ['Neighbours complained loudly about noise.'],
  })
})

test('an item as long as a request may be is asked about by its beginning', async () => {
  const endless = Array.from({ length: 300_000 }, (_, i) => `word${i}`).join(' ')
  const query = `${NEWSLETTER} ${NEWSLETTER} ${endless}`
  expect((await ws.call('/v2/memory/suggest', { query })).status).toBe(200)
  for (const embeddingType of ['content', 'review']) {
    expect((await ws.ok('/v2/memory/search', { query, embeddingType })).totalInScope).toBeGreaterThan(0)
  }
})

test.each([
  ['query', {}],
  ['query', { query: '' }],
  ['organizationId', { query: 'x', documentId: 'doc' }],
])('INVALID_ARGUMENT names %s of %j', async (path, data) => {
  const { body } = await ws.call('/v2/memory/suggest', data)
  expect([body.error.status, body.error.details.issues[0].path]).toEqual(['INVALID_ARGUMENT', path])
})
