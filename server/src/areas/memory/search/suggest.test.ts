import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Side } from '../judgment/decision-polarity.ts'
import { stemsOf } from '../words/tokenize.ts'
import { Vocabulary } from '../words/vocabulary.ts'
import { type Evidence, suggest as suggestFrom } from './suggest.ts'
import type { Vote as ReadVote } from './weighed.ts'

type Vote = Omit<ReadVote, 'stems' | 'key'>
type Given = Omit<Evidence, 'votes' | 'numberOf' | 'item'> & { votes: Vote[] }

/** Suggests from votes whose stems are numbered as an index numbers them. */
function suggest(given: Given, now: number) {
  const vocabulary = new Vocabulary()
  const numbersOf = (text: string) => Array.from(new Set(stemsOf(text)), (stem) => vocabulary.idOf(stem))
  const votes = given.votes.map((each) => ({ ...each, key: each.recordId, stems: numbersOf(each.reasoning) }))
  return suggestFrom({ ...given, votes, numberOf: (stem) => vocabulary.find(stem), item: new Map() }, now)
}

const DAY = 86_400_000
const NOW = 1000 * DAY

const vote: fc.Arbitrary<Vote> = fc
  .record({
    recordId: fc.uuid(),
    side: fc.constantFrom('approve' as const, 'reject' as const),
    similarity: fc.double({ min: 0, max: 1, noNaN: true }),
    chance: fc.double({ min: 0, max: 0.1, noNaN: true }),
    reviewerId: fc.option(fc.constantFrom('ann', 'bob', 'cid'), { nil: null }),
    createdAt: fc.integer({ min: 0, max: NOW }),
    reasoning: fc.string({ maxLength: 400 }),
  })
  .map(({ chance, ...each }) => ({ ...each, closeness: Math.min(1, each.similarity + chance) }))
const evidence = fc
  .record({
    votes: fc.uniqueArray(vote, { maxLength: 80, selector: ({ recordId }) => recordId }),
    approvals: fc.nat(100),
    rejections: fc.nat(100),
    scope: fc.constantFrom('document' as const, 'organization' as const, 'apiKey' as const),
  })
  .map((each) => ({
    ...each,
    approvals: each.approvals + each.votes.filter(({ side }) => side === 'approve').length,
    rejections: each.rejections + each.votes.filter(({ side }) => side === 'reject').length,
  }))

describe('suggest', () => {
  test('stays within its bounds for any evidence', () => {
    fc.assert(
      fc.property(evidence, (given) => {
        const { primary, conflict } = suggest(given, NOW)
        if (!primary) {
          expect(conflict).toBeNull()
          return
        }
        const ids = new Map(given.votes.map(({ recordId, side }) => [recordId, side]))
        expect(primary.confidence).toBeGreaterThanOrEqual(0.5)
        expect(primary.confidence).toBeLessThanOrEqual(0.97)
        expect(primary.basedOn).toBeLessThanOrEqual(50)
        for (const suggestion of conflict ? [primary, conflict] : [primary]) {
          expect(suggestion.supportingRecordIds.length).toBeGreaterThanOrEqual(2)
          expect(suggestion.basedOn).toBe(suggestion.supportingRecordIds.length)
          for (const id of suggestion.supportingRecordIds) expect(ids.get(id)).toBe(suggestion.recommendation)
          expect(suggestion.topReasons.length).toBeLessThanOrEqual(3)
          for (const reason of suggestion.topReasons) expect(Array.from(reason).length).toBeLessThanOrEqual(140)
        }
        if (conflict) {
          expect(conflict.recommendation).not.toBe(primary.recommendation)
          expect(conflict.caveats).toHaveLength(1)
          expect(conflict.confidence).toBeLessThanOrEqual(0.5)
          const supporting = primary.supportingRecordIds.length + conflict.supportingRecordIds.length
          expect([primary.basedOnTotal, conflict.basedOnTotal]).toEqual([supporting, supporting])
        }
      }),
    )
  })

  test('does not depend on the order of the evidence', () => {
    fc.assert(
      fc.property(evidence, (given) => {
        const turned = { ...given, votes: given.votes.toReversed() }
        const [a, b] = [probability(given), probability(turned)]
        expect(b === undefined).toBe(a === undefined)
        if (a !== undefined && b !== undefined) expect(b).toBeCloseTo(a, 9)
      }),
    )
  })

  test('one more approval at the top never lowers the probability of an approval', () => {
    fc.assert(
      fc.property(evidence, vote, (given, extra) => {
        const nearest = Math.max(0, ...given.votes.map(({ closeness }) => closeness))
        const more = { ...extra, side: 'approve' as const, similarity: nearest, closeness: nearest }
        const after = { ...given, votes: [more, ...given.votes].slice(0, 50), approvals: given.approvals + 1 }
        const before = { ...given, votes: given.votes.slice(0, 49) }
        const [a, b] = [probability(before), probability(after)]
        if (a !== undefined && b !== undefined) expect(b).toBeGreaterThanOrEqual(a - 1e-9)
      }),
    )
  })

  test('says nothing with fewer than two near judgments on the leading side', () => {
    expect(of(near('approve', 1)).primary).toBeNull()
    expect(of(near('reject', 1)).why).toMatch(/: a rejection is more likely, but only one judgment .* rejects/)
    expect(of(near('approve', 2)).primary?.recommendation).toBe('approve')
    expect(of(near('reject', 5, 0.02)).primary).toBeNull()
    const close = near('reject', 5).map((each) => ({ ...each, similarity: 0.02 }))
    expect(of(close).primary).toBeNull()
  })

  test('follows the formula: weights fall with the cube, the share of the scope counts as two votes', () => {
    const votes = [...near('approve', 3), ...near('reject', 1, 0.4)]
    const { primary } = suggest({ votes, approvals: 6, rejections: 2, scope: 'organization' }, NOW)
    const prior = 7 / 10
    expect(primary?.confidence).toBeCloseTo((3 + 2 * prior) / (3 + 0.5 ** 3 + 2), 4)
    expect(primary).toMatchObject({
      basedOn: 3,
      basedOnTotal: 4,
      scope: 'organization',
      scopeLabel: 'This organization',
      uniqueReviewers: 3,
    })
  })

  test('lets vote what is close, where enough is near beyond chance', () => {
    const others = near('reject', 3).map((each) => ({ ...each, similarity: 0, closeness: 0.8 }))
    const { primary, conflict } = of([...near('approve', 4), ...others])
    expect(primary).toMatchObject({ recommendation: 'approve', basedOn: 4, basedOnTotal: 7 })
    expect(conflict).toMatchObject({ recommendation: 'reject' })
  })

  test('reports a conflict when both sides have two judgments and the minority three tenths of the weight', () => {
    const { primary, conflict } = of([...near('approve', 5), ...near('reject', 3)])
    expect(primary?.caveats).toContain('The evidence is split: 5 similar judgments approve, 3 reject.')
    expect(conflict).toMatchObject({
      recommendation: 'reject',
      basedOn: 3,
      basedOnTotal: 8,
      uniqueReviewers: 3,
      caveats: ['The evidence is split: 3 similar judgments reject, 5 approve.'],
    })
    expect(of([...near('approve', 8), ...near('reject', 2)]).conflict).toBeNull()
    expect(of([...near('approve', 2), ...near('reject', 1)]).conflict).toBeNull()
  })

  test('reports a conflict when the minority holds two fifths of the judgments, whatever they weigh', () => {
    const light = near('reject', 2, 0.5)
    expect(of([...near('approve', 3), ...light]).conflict).toMatchObject({ recommendation: 'reject', basedOn: 2 })
    expect(of([...near('approve', 4), ...light]).conflict).toBeNull()
  })

  test('counts nobody where no reviewer was named', () => {
    const votes = near('approve', 3).map((each) => ({ ...each, reviewerId: null }))
    expect(of(votes).primary?.uniqueReviewers).toBe(0)
  })

  test('warns of stale evidence with its share', () => {
    const votes = near('approve', 8).map((each, i) => ({ ...each, createdAt: NOW - (i < 6 ? 200 : 10) * DAY }))
    expect(of(votes).primary?.caveats).toEqual(['Stale: 75 % of the evidence is older than 180 days.'])
  })

  test('warns of a drifted approve rate with both rates', () => {
    const votes = [...near('approve', 6), ...near('reject', 2)].map((each, i) => ({
      ...each,
      createdAt: NOW - (i < 6 ? 120 : 10) * DAY,
    }))
    expect(of(votes).primary?.caveats.join()).toContain(
      '0 % of the 2 similar judgments of the last 90 days approve, 100 % of the 6 before.',
    )
  })

  test("warns where the last 90 days' approve rate differs by 0.15, and not where by less", () => {
    const of20 = (approvals: number, days: number) =>
      [...near('approve', approvals), ...near('reject', 20 - approvals)].map((each) => ({
        ...each,
        createdAt: NOW - days * DAY,
      }))
    expect(of([...of20(9, 10), ...of20(12, 120)]).primary?.caveats.join()).toContain(
      'Decisions have drifted: 45 % of the 20 similar judgments of the last 90 days approve, 60 % of the 20 before.',
    )
    expect(of([...of20(9, 10), ...of20(11, 120)]).primary?.caveats.join()).not.toContain('drifted')
  })

  test('warns of thin evidence and of a weak match', () => {
    const votes = near('approve', 3, 0.08).map((each) => ({ ...each, reviewerId: 'ann' }))
    expect(of(votes).primary?.caveats).toEqual([
      'Thin evidence: only 3 similar judgments, all by one reviewer.',
      'Weak match: the nearest judgment has a similarity of 0.08; below 0.09 it may be about something else.',
    ])
  })

  test('never names two equal numbers in the warning of a weak match', () => {
    const votes = near('approve', 5, 0.098)
    const { primary } = suggest({ votes, approvals: 5, rejections: 0, scope: 'apiKey' }, NOW)
    expect(primary?.caveats).toEqual([
      'Weak match: the nearest judgment has a similarity of 0.0980; below 0.0984 it may be about something else.',
    ])
  })

  test('quotes the nearest judgment that decided otherwise, with a reason if one has it', () => {
    const others = near('reject', 2).map((each, i) => ({ ...each, reasoning: i === 1 ? 'There is no plan.' : '' }))
    const { primary, conflict } = of([...near('approve', 8), ...others])
    expect(conflict).toBeNull()
    expect(primary?.caveats).toEqual(['Counter-example: the similar judgment reject1 rejects: "There is no plan."'])
    expect(of([...near('approve', 8), ...near('reject', 1)]).primary?.caveats).toEqual([
      'Counter-example: the similar judgment reject0 rejects.',
    ])
    expect(of([...near('approve', 8), ...near('reject', 1, 0.06)]).primary?.caveats).toEqual([])
  })

  test('quotes one that is less near, rather than none on topic that gives a reason', () => {
    const unsaid = near('reject', 1).map((each) => ({ ...each, recordId: 'unsaid', reasoning: '' }))
    const [less] = near('reject', 1)
    const said = { ...less, recordId: 'said', similarity: 0, closeness: 0.1, reasoning: 'There is no plan.' } as Vote
    expect(of([...near('approve', 8), ...unsaid, said]).primary?.caveats).toEqual([
      'Counter-example: the less similar judgment said rejects: "There is no plan."',
    ])
  })

  test('an item off the topics of the API key gets no suggestion from all of it, but from a place whose topic it is', () => {
    const votes = near('approve', 4)
    const input = { nearestWords: 0, wordModel: 0, nearestVectors: 0, vectorModel: 0, author: 0, age: 0 }
    const measured = { forecasts: 300, accuracy: 0.8, auc: 0.7, ece: 0.03, majority: 0.7 }
    const learned = { probability: 0.8, baseRate: 0.6, said: input, isOnTopic: false, measured, drift: null }
    const given = { votes, approvals: 6, rejections: 2, learned } as never as Given
    expect(suggest({ ...given, scope: 'apiKey' }, NOW).primary).toBeNull()
    expect(suggest({ ...given, scope: 'organization' }, NOW).primary).toMatchObject({ recommendation: 'approve' })
  })

  test('shows the most telling counter-example also where the evidence is split', () => {
    const others = near('reject', 3).map((each, i) => ({
      ...each,
      reasoning: ['', 'It is about the team.', 'The plan is vague and not complete.'][i] ?? '',
    }))
    const { primary, conflict } = of([...near('approve', 5), ...others])
    expect(conflict).not.toBeNull()
    expect(primary?.caveats.slice(0, 2)).toEqual([
      'The evidence is split: 5 similar judgments approve, 3 reject.',
      'Counter-example: the similar judgment reject2 rejects: "The plan is vague and not complete."',
    ])
  })

  test('lists no reason that argues for the other side, nor half a sentence', () => {
    const reasoning =
      'The roadmap is clear and detailed. However, nobody was asked. The budget is vague and not sufficient. And then the'
    const votes = near('approve', 4).map((each) => ({ ...each, reasoning }))
    expect(of(votes).primary?.topReasons).toEqual(['The roadmap is clear and detailed.'])
  })

  test('prefers whole sentences as reasons, and cuts one only where nothing else is said', () => {
    const long = `The budget ${'of the team and of the plan and '.repeat(6)}is plausible.`
    const told = (reasoning: string) => of(near('approve', 4).map((each) => ({ ...each, reasoning }))).primary
    expect(told(`${long} The team has a plan and a budget.`)?.topReasons[0]).toBe('The team has a plan and a budget.')
    expect(told(long)?.topReasons).toEqual([expect.stringMatching(/^The budget .*…$/)])
  })

  test('passes on warnings about what else the reader should know', () => {
    const given = { votes: near('approve', 5), approvals: 5, rejections: 0, scope: 'apiKey' as const }
    expect(suggest({ ...given, warnings: ['The embedder is down.'] }, NOW).primary?.caveats).toEqual([
      'The embedder is down.',
    ])
  })

  test('gives reasons of the recommended side that do not repeat one another', () => {
    const reasons = [
      'The budget is plausible.',
      'The budget is plausible!',
      'The team has shipped before. The budget is plausible.',
      'No plan.',
    ]
    const votes = reasons.map((reasoning, i) => ({ ...(near(i < 3 ? 'approve' : 'reject', 4)[i] as Vote), reasoning }))
    expect(of(votes).primary?.topReasons.toSorted()).toEqual([
      expect.stringMatching(/^The budget is plausible/),
      'The team has shipped before.',
    ])
  })
})

function near(side: Side, count: number, similarity = 0.8): Vote[] {
  return Array.from({ length: count }, (_, i) => ({
    recordId: `${side}${i}`,
    side,
    similarity,
    closeness: similarity,
    reviewerId: `${side}-reviewer${i}`,
    createdAt: NOW - DAY,
    reasoning: '',
  }))
}

function of(votes: Vote[]) {
  const approvals = votes.filter(({ side }) => side === 'approve').length
  return suggest({ votes, approvals, rejections: votes.length - approvals, scope: 'apiKey' }, NOW)
}

function probability(given: Given): number | undefined {
  const { primary } = suggest(given, NOW)
  if (!primary || primary.confidence >= 0.97) return undefined
  return primary.recommendation === 'approve' ? primary.confidence : 1 - primary.confidence
}
