import fc from 'fast-check'
import { expect, test } from 'vitest'
import { keyOf } from '../../../platform/id.ts'
import { canonicalDecision, decisionPolarity } from '../judgment/decision-polarity.ts'
import type { JudgmentFilters, MemoryScope } from '../judgment/indexed-judgment.ts'
import { JudgmentTable } from './judgment-table.ts'
import type { RowFilter } from './row-filter.ts'

type Judgment = Parameters<JudgmentTable['add']>[0]

/** Some values are so rare that their rows are listed, others so common that all rows are scanned. */
const some = (letter: string) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant(`${letter}0`) },
    { weight: 1, arbitrary: fc.nat(20).map((n) => `${letter}${n}`) },
  )
const orNone = (value: fc.Arbitrary<string>) => fc.option(value, { nil: null })

const judgment = fc.record({
  organization: orNone(some('o')),
  document: orNone(some('d')),
  decision: fc.constantFrom('approve', 'approved', 'reject', 'disagree', 'comment'),
  judgeType: fc.constantFrom('human', 'agent'),
  contentType: orNone(some('c')),
  reviewerId: orNone(some('u')),
  createdAt: fc.nat(100),
})

const asked = fc.record(
  {
    organization: some('o'),
    document: some('d'),
    decision: fc.constantFrom('approved', 'rejected', 'comment', 'other'),
    side: fc.constantFrom('approve', 'reject'),
    judgeType: fc.constantFrom('human', 'agent'),
    contentType: some('c'),
    reviewerId: some('u'),
    documents: fc.array(some('d'), { maxLength: 3 }),
    excludedDocuments: fc.array(some('d'), { maxLength: 3 }),
    from: fc.nat(60),
    to: fc.nat(100),
  },
  { requiredKeys: [] },
)

test('scope and filters admit what looking at every judgment admits, in whatever order they are asked', () => {
  fc.assert(
    fc.property(
      fc.array(judgment, { minLength: 50, maxLength: 200 }),
      fc.array(fc.nat(199), { maxLength: 30 }),
      fc.array(asked, { minLength: 4, maxLength: 12 }),
      (judgments, removed, questions) => {
        const table = new JudgmentTable()
        for (const [row, each] of judgments.entries()) table.add({ ...each, key: keyOf(`r${row}`) })
        for (const row of removed) table.remove(keyOf(`r${row}`))
        const live = [...judgments.entries()].filter(([row]) => !removed.includes(row))
        for (const { organization, document, ...filters } of questions) {
          const scope = { ...(organization && { organization }), ...(document && { document }) }
          const rows = live.filter(([, each]) => admits(each, scope, filters)).map(([row]) => row)
          expectRows(table.admit(scope, filters), rows)
          const voting = live.filter(([, each]) => decisionPolarity(each.decision) && admits(each, scope, {}))
          const approving = voting.filter(([, { decision }]) => decisionPolarity(decision) === 'approve').length
          const voters = table.voters(scope)
          expectRows(
            voters,
            voting.map(([row]) => row),
          )
          expect(voters).toMatchObject({ approvals: approving, rejections: voting.length - approving })
        }
      },
    ),
  )
})

function expectRows({ flags, count, rows: listed }: RowFilter, rows: number[]): void {
  expect([...flags.entries()].filter(([, flag]) => flag).map(([row]) => row)).toEqual(rows)
  expect(count).toBe(rows.length)
  if (listed) expect([...listed]).toEqual(rows.toReversed())
}

function admits(each: Omit<Judgment, 'key'>, scope: MemoryScope, filters: JudgmentFilters): boolean {
  const { organization, document } = scope
  const {
    decision,
    side,
    judgeType,
    contentType,
    reviewerId,
    documents,
    excludedDocuments,
    from = 0,
    to = 100,
  } = filters
  const is = <Value>(value: Value, wanted: NoInfer<Value> | undefined) => wanted === undefined || value === wanted
  return (
    is(each.organization, organization) &&
    is(each.document, document) &&
    is(canonicalDecision(each.decision), decision && canonicalDecision(decision)) &&
    is(decisionPolarity(each.decision), side) &&
    is(each.judgeType, judgeType) &&
    is(each.contentType, contentType) &&
    is(each.reviewerId, reviewerId) &&
    (documents?.includes(each.document ?? '') ?? true) &&
    !excludedDocuments?.includes(each.document ?? '') &&
    each.createdAt >= from &&
    each.createdAt <= to
  )
}
