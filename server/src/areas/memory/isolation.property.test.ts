import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  asApiKey,
  newWorkspace,
  type Service,
  startOn,
  startService,
  type TestWorkspace,
} from '../../../test/running-service.ts'
import { canonicalDecision, decisionPolarity } from './judgment/decision-polarity.ts'

const ORGANIZATIONS = ['acme', 'beta']
const DOCUMENTS = ['doc-1', 'doc-2']

let service: Service
let second: Service

beforeAll(async () => {
  service = await startService()
  second = await startOn(service.database, {})
})
afterAll(() => second.app.http.close())

interface Known {
  recordId: string
  organizationId?: string
  documentId?: string
  decision: string
  judgeType: string
  contentType?: string
  reviewerId: string
  annotationId?: string
  createdAt: number
}

const place = fc.oneof(
  fc.constant({}),
  fc.record({ organizationId: fc.constantFrom(...ORGANIZATIONS) }),
  fc.record({ organizationId: fc.constantFrom(...ORGANIZATIONS), documentId: fc.constantFrom(...DOCUMENTS) }),
)
const decision = fc.constantFrom('approve', 'Approved', 'reject', 'rejected', 'agree', 'disagree', 'comment')
const judgeType = fc.constantFrom('human', 'agent')
const contentType = fc.constantFrom('copy', 'image')
const reviewerId = fc.constantFrom('ada', 'bob')
const time = fc.integer({ min: 1, max: 20 })

const judgment = fc
  .tuple(
    place,
    fc.record({ recordId: fc.constantFrom(...'abcdefgh'), decision, judgeType, reviewerId, createdAt: time }),
    fc.record({ contentType, annotationId: fc.constantFrom('t1', 't2') }, { requiredKeys: [] }),
  )
  .map(([at, said, more]): Known => ({ ...at, ...said, ...more }))

const filters = fc.record(
  {
    decision,
    side: fc.constantFrom('approve', 'reject'),
    judgeType,
    contentType,
    reviewerId,
    documentIds: fc.subarray([...DOCUMENTS, 'doc-9']),
    excludeDocumentIds: fc.subarray([...DOCUMENTS, 'doc-9']),
    dateRange: fc.tuple(time, time).map(([a, b]) => ({ start: Math.min(a, b), end: Math.max(a, b) })),
  },
  { requiredKeys: [] },
)
type Filters = typeof filters extends fc.Arbitrary<infer Value> ? Partial<Value> : never

const key = fc.constantFrom(0, 1)
const step = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), key, judgments: fc.array(judgment, { minLength: 1, maxLength: 6 }) }),
  fc.record({ kind: fc.constant('delete' as const), key, ids: fc.subarray([...'abcdefgh'], { maxLength: 3 }) }),
  fc.record({
    kind: fc.constant('drop' as const),
    key,
    organizationId: fc.constantFrom(...ORGANIZATIONS),
    documentId: fc.constantFrom(...DOCUMENTS),
  }),
  fc.record({ kind: fc.constant('search' as const), key, at: place, filters, limit: fc.integer({ min: 1, max: 12 }) }),
  fc.record({
    kind: fc.constant('thread' as const),
    key,
    at: place,
    filters,
    annotationId: fc.constantFrom('t1', 't2'),
  }),
)

/** The expected state of one API key, kept in a map. */
interface Oracle {
  calls: TestWorkspace['ok'][]
  judgments: Map<string, Known>
}

async function newOracle(): Promise<Oracle> {
  const ws = await newWorkspace(service)
  const organizations = ORGANIZATIONS.map((organizationId) => ({ organizationId }))
  await ws.ok('/v2/organizations/add', { organizations })
  const elsewhere = await asApiKey(second, ws.apiKey)
  const oracle = { calls: [ws.ok, elsewhere.ok], judgments: new Map() }
  for (const organizationId of ORGANIZATIONS) await addDocuments(oracle, organizationId, DOCUMENTS)
  return oracle
}

const addDocuments = ({ calls: [ok] }: Oracle, organizationId: string, ids: string[]) =>
  ok?.('/v2/organizations/documents/add', { organizationId, documents: ids.map((documentId) => ({ documentId })) })

const sent = ({ reviewerId, ...judgment }: Known) => ({
  ...judgment,
  reasoning: 'The wording was reviewed.',
  content: 'Wording',
  actionUser: { userId: reviewerId, name: reviewerId },
})

function admitted(
  { judgments }: Oracle,
  at: { organizationId?: string; documentId?: string },
  asked: Filters,
): Known[] {
  const { dateRange, decision, side, documentIds, excludeDocumentIds, ...equal } = asked
  return [...judgments.values()].filter(
    (known) =>
      Object.entries({ ...at, ...equal }).every(([field, value]) => known[field as keyof Known] === value) &&
      (documentIds?.includes(known.documentId ?? '') ?? true) &&
      !excludeDocumentIds?.includes(known.documentId ?? '') &&
      (decision === undefined || canonicalDecision(decision) === canonicalDecision(known.decision)) &&
      (side === undefined || side === decisionPolarity(known.decision)) &&
      (!dateRange || (known.createdAt >= dateRange.start && known.createdAt <= dateRange.end)),
  )
}

const idsOf = ({ results }: { results: { recordId: string }[] }) => results.map(({ recordId }) => recordId)

async function take(
  oracles: Oracle[],
  taken: typeof step extends fc.Arbitrary<infer Value> ? Value : never,
  turn: number,
) {
  const oracle = oracles[taken.key] as Oracle
  const ok = oracle.calls[turn % 2] as TestWorkspace['ok']
  switch (taken.kind) {
    case 'add':
      await ok('/v2/memory/judgments/add', { judgments: taken.judgments.map(sent) })
      for (const each of taken.judgments) oracle.judgments.set(each.recordId, each)
      break
    case 'delete':
      await ok('/v2/memory/judgments/delete', { recordIds: taken.ids })
      for (const id of taken.ids) oracle.judgments.delete(id)
      break
    case 'drop': {
      const { organizationId, documentId } = taken
      await ok('/v2/organizations/documents/delete', { organizationId, documentIds: [documentId] })
      for (const { recordId } of admitted(oracle, { organizationId, documentId }, {})) oracle.judgments.delete(recordId)
      await addDocuments(oracle, organizationId, [documentId])
      break
    }
    case 'search': {
      const expected = admitted(oracle, taken.at, taken.filters)
      const { at, filters, limit } = taken
      const found = await ok('/v2/memory/search', { query: 'was the wording reviewed?', ...at, filters, limit })
      expect(found.totalInScope).toBe(expected.length)
      expect(new Set(idsOf(found)).size).toBe(Math.min(limit, expected.length))
      expect(expected.map(({ recordId }) => recordId)).toEqual(expect.arrayContaining(idsOf(found)))
      break
    }
    case 'thread': {
      const { annotationId, at } = taken
      if (!('organizationId' in at)) break
      const { dateRange: _, ...filters } = taken.filters
      const expected = admitted(oracle, { ...at, annotationId } as object, filters)
      const found = await ok('/v2/memory/search', { ...at, filters: { ...filters, annotationId } })
      expect(idsOf(found).sort()).toEqual(expected.map(({ recordId }) => recordId).sort())
      expect(idsOf(await ok('/v2/memory/judgments/query', { ...at, ...filters, annotationId }))).toEqual(idsOf(found))
      const times = found.results.map(({ createdAt }) => createdAt)
      expect(times).toEqual(times.toSorted((a: number, b: number) => a - b))
    }
  }
}

test('over any history, in two processes, a search finds exactly what its API key, scope and filters admit', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const oracles = [await newOracle(), await newOracle()]
      for (const [turn, each] of steps.entries()) await take(oracles, each, turn)
      for (const turn of [0, 1]) {
        for (const key of [0, 1] as const)
          await take(oracles, { kind: 'search', key, at: {}, filters: {}, limit: 12 }, turn)
      }
    }),
    { numRuns: Number(process.env.PROPERTY_RUNS ?? 12) },
  )
})

test('under concurrent writers in two processes each reads its own writes, and in the end both know the same', async () => {
  const ws = await newWorkspace(service)
  const processes = [ws, await asApiKey(second, ws.apiKey)]
  const query = 'reviewed wording'
  const work = async (name: string, { ok }: { ok: TestWorkspace['ok'] }) => {
    const known: Known = { recordId: name, decision: 'approve', judgeType: 'human', reviewerId: name, createdAt: 1 }
    const own = async () => idsOf(await ok('/v2/memory/search', { query, filters: { reviewerId: name } }))
    for (let round = 0; round < 5; round++) {
      await ok('/v2/memory/judgments/add', {
        judgments: [sent(known), sent({ ...known, recordId: `${name}-${round}` })],
      })
      expect(await own()).toHaveLength(2)
      await ok('/v2/memory/judgments/delete', { recordIds: [`${name}-${round}`] })
      expect(await own()).toEqual([name])
    }
  }
  await Promise.all(Array.from({ length: 8 }, (_, i) => work(`w${i}`, processes[i % 2] as { ok: TestWorkspace['ok'] })))
  for (const { ok } of processes) {
    const found = await ok('/v2/memory/search', { query, limit: 50 })
    expect([idsOf(found).sort(), found.totalInScope]).toEqual([Array.from({ length: 8 }, (_, i) => `w${i}`), 8])
  }
})
