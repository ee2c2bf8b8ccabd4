import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { exactSearch } from '../../../../test/exact-search.ts'
import { keyOf } from '../../../platform/id.ts'
import type { IndexedJudgment } from '../judgment/indexed-judgment.ts'
import { JudgmentTable } from '../lexical/judgment-table.ts'
import { createLexicalIndex, type LexicalIndex } from '../lexical/lexical-index.ts'
import { ChunkBuilder } from './chunk.ts'
import { buildHere, type TextBuilder } from './text-builder.ts'
import { buildInThread, ThreadLost } from './threaded-builder.ts'

const text = fc
  .array(fc.constantFrom('price', 'refund', 'tone', 'legal', 'brand', '価格', 'überraschungsangebot'), { maxLength: 9 })
  .map((words) => words.join(' '))

const judgment = (n: number) =>
  fc.record<IndexedJudgment>({
    key: fc.constant(keyOf(`r${n}`)),
    organization: fc.constantFrom('o1', null),
    document: fc.constant(null),
    decision: fc.constantFrom('approve', 'approved', 'reject'),
    judgeType: fc.constant('human'),
    contentType: fc.constant(null),
    reviewerId: fc.constantFrom('u1', 'u2'),
    createdAt: fc.nat(100),
    reasoning: text,
    content: text,
  })

/** Some chunks of judgments, all of which differ. */
const chunks = fc
  .array(fc.nat(12), { minLength: 1, maxLength: 4 })
  .chain((sizes) =>
    fc.tuple(...sizes.map((size, n) => fc.tuple(...Array.from({ length: size }, (_, i) => judgment(100 * n + i))))),
  )

/** Later changes to judgments of the first chunks, and new ones. */
const changes = fc.array(
  fc.oneof(
    fc.nat(24).chain((n) => judgment(n % 12).map((put) => ({ put }))),
    fc.nat(12).map((n) => ({ remove: keyOf(`r${n}`) })),
  ),
  { maxLength: 20 },
)

async function indexOf(builder: TextBuilder, made: IndexedJudgment[][]): Promise<LexicalIndex> {
  const table = new JudgmentTable()
  for (const some of made) {
    const chunk = new ChunkBuilder()
    await chunk.add(some.map(({ key, ...row }) => ({ ...row, key })))
    const { rows, ...texts } = chunk.build()
    table.addMany(rows)
    await builder.add(texts)
  }
  return createLexicalIndex({ table, ...(await builder.finish()) })
}

const builders = { 'this thread': buildHere, 'a thread of its own': buildInThread }

test.each(Object.entries(builders))('an index made in %s finds what reading every judgment finds', async (_, build) => {
  // It keeps the thread.
  const idle = build()
  onTestFinished(() => idle.stop())
  await fc.assert(
    fc.asyncProperty(
      chunks,
      changes,
      text,
      fc.constantFrom('review' as const, 'content' as const),
      async (made, changes, query, field) => {
        const builder = build()
        const index = await indexOf(builder, made)
        builder.stop()
        const held = new Map(made.flat().map((each) => [each.key, each]))
        for (const change of changes) {
          const key = 'put' in change ? change.put.key : change.remove
          const known = held.delete(key)
          if ('put' in change) {
            index.upsert(change.put)
            held.set(key, change.put)
          } else expect(index.remove(key)).toBe(known)
        }
        const asked = { field, query, scope: { organization: 'o1' }, filters: { reviewerId: 'u1' }, limit: 20 }
        const expected = exactSearch([...held.values()], asked)
        const found = index.search(asked)
        expect(index.size).toBe(held.size)
        expect(found.totalInScope).toBe(expected.totalInScope)
        expect(found.hits).toHaveLength(expected.hits.length)
        // The index computes in single precision. Rounded to digits, two equal ones may differ.
        for (const [i, { similarity }] of found.hits.entries()) {
          expect(Math.abs(similarity - (expected.hits[i]?.similarity ?? 0))).toBeLessThan(1e-5)
        }
      },
    ),
    { numRuns: 60 },
  )
})

/** The threads that start during a test. */
function watchThreads(): Worker[] {
  const started: Worker[] = []
  const note = (worker: Worker) => started.push(worker)
  process.on('worker', note)
  onTestFinished(() => void process.off('worker', note))
  return started
}

const SOME = [fc.sample(judgment(1), 1), fc.sample(judgment(2), 1)]

test('builds at the same time share a thread, which ends with the last of them', async () => {
  const threads = watchThreads()
  const [first, second] = [buildInThread(), buildInThread()]
  const made = await Promise.all([indexOf(first, SOME), indexOf(second, [...SOME, fc.sample(judgment(3), 1)])])
  expect(made.map(({ size }) => size)).toEqual([2, 3])
  expect(threads).toHaveLength(1)
  first.stop()
  const ended = once(threads[0] as Worker, 'exit')
  second.stop()
  await ended
})

test('when the thread is lost, its builds fail, and the next one has a new thread', async () => {
  const starts = once(process, 'worker') as Promise<[Worker]>
  const builder = buildInThread()
  onTestFinished(() => builder.stop())
  const [thread] = await starts
  const failed = expect(indexOf(builder, SOME)).rejects.toThrow(ThreadLost)
  await thread.terminate()
  await failed
  const next = buildInThread()
  onTestFinished(() => next.stop())
  expect((await indexOf(next, SOME)).size).toBe(2)
})
