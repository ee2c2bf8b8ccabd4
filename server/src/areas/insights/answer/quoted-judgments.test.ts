import { expect, test } from 'vitest'
import { quotedJudgments } from './quoted-judgments.ts'
import { subjectOf } from './subject.ts'

const found = (recordId: string, reasoning: string, userId = recordId, isNear = false) => ({
  judgment: {
    recordId,
    reasoning,
    decision: 'reject',
    confidence: 1,
    actionUser: { userId, name: userId },
    createdAt: 0,
    agent: null,
  },
  similarity: 0.3,
  isNear,
})
const cited = async (judgments: ReturnType<typeof found>[], question: string) =>
  (await quotedJudgments(judgments, subjectOf(question))).map(({ judgment }) => judgment.recordId)

test('judgments whose sentence holds less of the subject than others are not quoted, but those near by vectors are', async () => {
  const judgments = [
    found('both', 'The marketing budget is not given.'),
    found('one', 'The budget is not given.'),
    found('near', 'Nothing is said about the cost of adverts.', 'near', true),
  ]
  expect(await cited(judgments, 'Is there a marketing budget?')).toEqual(['both', 'near'])
})

test('with three quotes of the very word, those with another of its stem are left out', async () => {
  const others = [found('market', 'The market is not large.'), found('markets', 'No markets are named.')]
  const very = ['a', 'b', 'c'].map((id) => found(id, `The marketing of ${id} is not explained.`))
  expect((await cited([...others, ...very], 'Is the marketing good?')).toSorted()).toEqual(['a', 'b', 'c'])
  expect(await cited([...others, ...very.slice(1)], 'Is the marketing good?')).toHaveLength(4)
})

test('a judgment that only asks is quoted only if no other states anything', async () => {
  const asks = found('asks', 'Is the budget explained?')
  expect(await cited([asks, found('states', 'The budget is explained.')], 'budget')).toEqual(['states'])
  expect(await cited([asks], 'budget')).toEqual(['asks'])
})

test('each reviewer is quoted before one is quoted again, at most six times in all', async () => {
  const ofAnn = Array.from({ length: 7 }, (_, i) => found(`ann-${i}`, `The budget is not clear in part ${i}.`, 'ann'))
  const ofBob = found('bob', 'There was a budget.', 'bob')
  expect(await cited([...ofAnn, ofBob], 'budget')).toEqual(['ann-0', 'bob', 'ann-1', 'ann-2', 'ann-3', 'ann-4'])
})

test('what a reviewer repeats is quoted once, and a judgment without a reasoning never', async () => {
  const judgments = [
    found('a', 'No budget is given. Sorry.', 'ann'),
    found('b', 'Hello. No budget is given.', 'ann'),
    found('c', 'No budget is given.', 'bob'),
    found('d', ' ', 'eve'),
  ]
  expect(await cited(judgments, 'budget')).toEqual(['a', 'c'])
})

test('what a reviewer repeats under another name of the decision is quoted once, for another side again', async () => {
  const decided = (recordId: string, decision: string) => {
    const { judgment, ...rest } = found(recordId, 'No budget is given.', 'ann')
    return { ...rest, judgment: { ...judgment, decision } }
  }
  const judgments = ['reject', 'rejected', 'disagree', 'approve', 'accepted'].map((each) => decided(each, each))
  expect(await cited(judgments, 'budget')).toEqual(['reject', 'approve'])
})

test('other work runs while long judgments are read', async () => {
  const judgments = Array.from({ length: 24 }, (_, i) => found(`j${i}`, '漢字預算。'.repeat(700)))
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  await cited(judgments, '預算')
  clearInterval(timer)
  expect(turns).toBeGreaterThan(2)
})
