import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exactSearch } from '../../../../test/exact-search.ts'
import { keyOf } from '../../../platform/id.ts'
import { canonicalDecision, decisionPolarity } from '../judgment/decision-polarity.ts'
import type { IndexedJudgment, JudgmentFilters, MemoryScope } from '../judgment/indexed-judgment.ts'
import { stemsOf } from '../words/tokenize.ts'
import { Vocabulary } from '../words/vocabulary.ts'
import { candidates } from './candidates.ts'
import { FieldTexts } from './field-texts.ts'
import { createLexicalIndex } from './lexical-index.ts'
import { placeOf } from './segment.ts'
import { textQuery } from './text-query.ts'

const words =
  'price refund tone legal claim brand logo colour font deadline budget owner risk scope 価格 合意 ราคา the of überraschungsangebot überraschungsangebote donaudampfschifffahrtsgesellschaftskapitän'.split(
    ' ',
  )
const text = fc.array(fc.constantFrom(...words), { maxLength: 12 }).map((list) => list.join(' '))
const maybe = (...values: string[]) => fc.option(fc.constantFrom(...values), { nil: null })

const judgment: fc.Arbitrary<IndexedJudgment> = fc.record({
  key: fc.nat(40).map((n) => keyOf(`r${n}`)),
  // The rows of rare values are listed.
  organization: fc.oneof({ weight: 12, arbitrary: maybe('o1', 'o2') }, { weight: 1, arbitrary: fc.constant('rare') }),
  document: maybe('d1', 'd2', 'd3'),
  decision: fc.constantFrom('approve', 'approved', 'reject', 'rejected', 'disagree', 'comment', 'agree'),
  judgeType: fc.constantFrom('human', 'agent'),
  contentType: maybe('ad', 'page'),
  reviewerId: maybe('u1', 'u2', 'u3'),
  createdAt: fc.nat(100),
  reasoning: text,
  content: text,
})

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const scope = fc
  .record({
    organization: optional(fc.constantFrom('o1', 'o2', 'o9', 'rare')),
    document: optional(fc.constantFrom('d1', 'd2')),
  })
  .map(defined) as fc.Arbitrary<MemoryScope>
const filters = fc
  .record({
    decision: optional(fc.constantFrom('approve', 'approved', 'rejected', 'comment', 'other')),
    side: optional(fc.constantFrom('approve', 'reject')),
    judgeType: optional(fc.constantFrom('human', 'agent')),
    contentType: optional(fc.constantFrom('ad', 'page')),
    reviewerId: optional(fc.constantFrom('u1', 'u2')),
    documents: optional(fc.subarray(['d1', 'd3', 'd9'])),
    excludedDocuments: optional(fc.subarray(['d2', 'd3', 'd9'])),
    from: optional(fc.nat(60)),
    to: optional(fc.nat(100)),
  })
  .map(defined) as fc.Arbitrary<JudgmentFilters>

type Change = { put: IndexedJudgment } | { remove: string }
const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 5, arbitrary: judgment.map((put) => ({ put })) },
  { weight: 1, arbitrary: fc.nat(40).map((n) => ({ remove: keyOf(`r${n}`) })) },
)

describe('search', () => {
  test('finds what reading every judgment finds, after any additions, replacements and removals', () => {
    const field = fc.constantFrom('review' as const, 'content' as const)
    const limit = fc.integer({ min: 1, max: 50 })
    fc.assert(
      fc.property(
        fc.array(change, { maxLength: 80 }),
        text,
        field,
        scope,
        filters,
        limit,
        (changes, query, field, scope, filters, limit) => {
          const { index, held } = replayed(changes)
          const expected = exactSearch([...held.values()], { field, query, scope, filters, limit })
          const found = index.search({ field, query, scope, filters, limit })
          expect(found.totalInScope).toBe(expected.totalInScope)
          expect(found.hits.map(({ similarity }) => similarity.toFixed(4))).toEqual(
            expected.hits.map(({ similarity }) => similarity.toFixed(4)),
          )
        },
      ),
      { numRuns: 300 },
    )
  })

  test('a filter that one in a hundred passes still fills the limit', () => {
    const index = createLexicalIndex()
    for (let i = 0; i < 3000; i++) {
      const reviewerId = i % 100 ? 'many' : 'rare'
      index.upsert(plain({ key: keyOf(`r${i}`), reviewerId, content: `refund of order ${i}` }))
    }
    const filters = { reviewerId: 'rare' }
    const { hits, totalInScope } = index.search({ field: 'content', query: 'refund', scope: {}, filters, limit: 20 })
    expect(hits).toHaveLength(20)
    expect(totalInScope).toBe(30)
    const rare = new Set(Array.from({ length: 30 }, (_, i) => keyOf(`r${100 * i}`)))
    expect(hits.every(({ key }) => rare.has(key))).toBe(true)
  })

  test('a word that only the other field knows weighs in a query as one that no text holds', () => {
    const index = createLexicalIndex()
    const held = [plain({ key: keyOf('a'), decision: 'comment', reasoning: 'brand', content: 'ราคา' })]
    for (const each of held) index.upsert(each)
    for (const [field, query] of [
      ['review', 'brand ราคา'],
      ['content', 'brand ราคา'],
    ] as const) {
      const asked = { field, query, scope: {}, limit: 1 }
      const [expected] = exactSearch(held, asked).hits
      expect(index.search(asked).hits).toEqual([
        { key: keyOf('a'), similarity: expect.closeTo(expected?.similarity ?? 0, 4) },
      ])
    }
  })

  test('a misspelt word finds by its parts, an unrelated one finds nothing', () => {
    const index = createLexicalIndex()
    index.upsert(plain({ key: keyOf('a'), content: 'accessibility statement' }))
    index.upsert(plain({ key: keyOf('b'), content: 'pricing' }))
    const found = (query: string, sharesWords = false) =>
      index.search({ field: 'content', query, scope: {}, limit: 5, sharesWords }).hits.map(({ key }) => key)
    expect(found('accessibilty')).toEqual([keyOf('a')])
    expect(found('accessibilty', true)).toEqual([])
    expect(found('statements', true)).toEqual([keyOf('a')])
    expect(found('qwx')).toEqual([])
  })

  test('similarity is absolute: 1 for the very text, the same whatever else is asked for', () => {
    const index = createLexicalIndex()
    for (const [i, content] of ['the logo is stretched', 'refund within thirty days', 'tone too harsh'].entries()) {
      index.upsert(plain({ key: keyOf(`r${i}`), content }))
    }
    const [first] = index.search({ field: 'content', query: 'refund within thirty days', scope: {}, limit: 1 }).hits
    expect(first).toEqual({ key: keyOf('r1'), similarity: expect.closeTo(1, 5) })
  })

  test('stays right when most judgments have been replaced', () => {
    const index = createLexicalIndex()
    for (let i = 0; i < 6000; i++) {
      const content = `edition${Math.floor(i / 1000)} of text ${i % 1000}`
      index.upsert(plain({ key: keyOf(`r${i % 1000}`), content }))
    }
    expect(index.size).toBe(1000)
    const found = (query: string) => index.search({ field: 'content', query, scope: {}, limit: 50 })
    expect(found('text')).toMatchObject({ hits: { length: 50 }, totalInScope: 1000 })
    expect(found('edition5 of text 7').hits[0]).toEqual({ key: keyOf('r7'), similarity: expect.closeTo(1, 5) })
    expect(found('edition4 of text 7').hits[0]?.similarity).toBeLessThan(0.9)
  })
})

test('candidates by pruning are those of reading every text, over several segments', () => {
  const field = new FieldTexts(new Vocabulary())
  const random = numbers(7)
  const word = () => `w${Math.floor(400 ** random())}`
  for (let i = 0; i < 18_000; i++) field.add(Array.from({ length: Math.floor(60 ** random()) }, word))
  field.reweigh()
  expect(field.segments.length).toBe(3)
  for (let round = 0; round < 30; round++) {
    const size = [50, 1, 10][round % 3] as number
    const flags = Uint8Array.from({ length: field.count }, () => Number(random() < 0.5 ** (round % 4)))
    const filter = { flags, count: flags.reduce((sum, flag) => sum + flag, 0) }
    const query = textQuery(field, Array.from({ length: 1 + 7 * (round % 5) }, word).join(' '))
    const found = Array.from(candidates(query, filter, size), (text) => cosine(query, text)).sort((a, b) => b - a)
    const all = Array.from(flags, (flag, text) => (flag ? cosine(query, text) : 0)).sort((a, b) => b - a)
    expect(found.map((value) => value.toFixed(4))).toEqual(
      all
        .slice(0, size)
        .filter(Boolean)
        .map((value) => value.toFixed(4)),
    )
  }
})

test('neighbours are judgments in scope that took a side, counted whether near or not', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 60 }), text, scope, (changes, query, scope) => {
      const { index, held } = replayed(changes)
      const inScope = [...held.values()].filter(
        (each) =>
          (!scope.organization || each.organization === scope.organization) &&
          (!scope.document || each.document === scope.document),
      )
      const { votes, approvals, rejections } = index.neighbours(query, scope)
      expect(approvals).toBe(inScope.filter(({ decision }) => decisionPolarity(decision) === 'approve').length)
      expect(rejections).toBe(inScope.filter(({ decision }) => decisionPolarity(decision) === 'reject').length)
      const exact = (field: 'review' | 'content') =>
        new Map(exactSearch([...held.values()], { field, query, scope, limit: 1000 }).hits.map((hit) => [hit.key, hit]))
      const [byReview, byContent] = [exact('review'), exact('content')]
      for (const vote of votes) {
        const source = inScope.find(({ key }) => key === vote.key)
        const similarity = (source?.content ? byContent : byReview).get(vote.key)?.similarity
        expect(vote.similarity).toBeCloseTo(similarity ?? Number.NaN, 4)
        expect(decisionPolarity(source?.decision ?? '')).toBe(vote.side)
        expect(vote).toMatchObject({ reviewerId: source?.reviewerId, createdAt: source?.createdAt })
      }
      expect(index.neighbours(query, scope).votes).toEqual(votes)
    }),
  )
})

test('the stems of a reasoning are told without those that only the decision has', () => {
  const reasoning = fc
    .array(fc.constantFrom(...words, 'approved', 'rejected'), { maxLength: 12 })
    .map((list) => list.join(' '))
  fc.assert(
    fc.property(fc.array(fc.tuple(judgment, reasoning), { minLength: 1 }), (given) => {
      const index = createLexicalIndex()
      const judgments = given.map(([each, told]) => ({ ...each, reasoning: told }))
      for (const each of judgments) index.upsert(each)
      const latest = new Map(judgments.map((each) => [each.key, each]))
      for (const { key, decision, reasoning: told } of latest.values()) {
        const stems = [...new Set(stemsOf(told))]
        expect(index.reasoningStems(key, decision).toSorted()).toEqual(stems.map(index.numberOf).toSorted())
      }
      expect(index.reasoningStems(keyOf('none'), 'approve')).toEqual([])
    }),
  )
  expect(createLexicalIndex().numberOf('approv')).toBeUndefined()
})

test('approve and approved, reject and rejected are one value; others take no side', () => {
  expect(canonicalDecision('Approved')).toBe('approve')
  expect(['approved', 'accept', 'accepted', 'agree', 'endorse', 'document_approved'].map(decisionPolarity)).toEqual(
    Array(6).fill('approve'),
  )
  expect(['rejected', 'reject', 'disagree', 'document_rejected'].map(decisionPolarity)).toEqual(Array(4).fill('reject'))
  expect(['comment', 'resolve', 'in_progress', ''].map(decisionPolarity)).toEqual(Array(4).fill(null))
})

test('stems are of words in any script, whatever their form', () => {
  expect(stemsOf('Ｄｅｃｉｓｉｏｎｓ, decided: 42 Überprüfungen')).toEqual(['decis', 'decid', '42', 'überprüfungen'])
  expect(stemsOf('価格が高すぎる').length).toBeGreaterThan(2)
  expect(stemsOf('ราคาแพงเกินไป').length).toBeGreaterThan(2)
})

function replayed(changes: Change[]) {
  const index = createLexicalIndex()
  const held = new Map<string, IndexedJudgment>()
  for (const each of changes) {
    if ('put' in each) {
      index.upsert(each.put)
      held.delete(each.put.key)
      held.set(each.put.key, each.put)
    } else expect(index.remove(each.remove)).toBe(held.delete(each.remove))
  }
  expect(index.size).toBe(held.size)
  return { index, held }
}

function plain(given: Partial<IndexedJudgment> & { key: string }): IndexedJudgment {
  const rest = { organization: null, document: null, contentType: null, reviewerId: null, createdAt: 0 }
  return { ...rest, decision: 'approve', judgeType: 'human', reasoning: '', content: '', ...given }
}

function cosine({ field, terms }: ReturnType<typeof textQuery>, text: number): number {
  const gains = new Map(terms.map(({ stem, gain }) => [stem, gain]))
  let sum = 0
  for (const entry of field.entriesOf(text)) sum += (gains.get(entry >>> 8) ?? 0) * (1 + Math.log(entry & 255))
  return sum / (field.segmentOf(text).norms[placeOf(text)] || 1)
}

function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

function defined(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined))
}

test('an empty index counts what it holds', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const heap = () => {
    collect()
    return process.memoryUsage().heapUsed
  }
  // What is compiled or cached at first is not an index's.
  Array.from({ length: 1000 }, createLexicalIndex)
  const before = heap()
  const kept = Array.from({ length: 1000 }, createLexicalIndex)
  const held = (heap() - before) / kept.length
  const counted = kept[0]?.bytes ?? 0
  expect(counted / held).toBeGreaterThan(0.8)
  expect(counted / held).toBeLessThan(1.5)
})
