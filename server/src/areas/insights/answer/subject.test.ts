import { expect, test, vi } from 'vitest'
import { priorProbability } from '../../memory/words/prior-frequencies.ts'
import { stemsOf } from '../../memory/words/tokenize.ts'
import { leastShare, leastSimilarity, shareOf, subjectOf } from './subject.ts'

const worded = (question: string, weights: Map<string, number>) =>
  subjectOf(question, [], { weights, forms: undefined })
const about = (question: string, names: string[] = []) => subjectOf(question, names)

test.each<[string, string[]]>([
  ['What is the capital of France?', ['capital', 'France']],
  ['What do reviewers criticise in roadmaps?', ['roadmaps']],
  ['Budgets? Why a budget?', ['budget']],
  ['Should pages see information?', ['pages', 'information']],
  ['What do you think?', []],
  ['How often are banners rejected?', ['banners']],
  ['Do we ever approve banners without contrast?', ['banners', 'contrast']],
  ['Does a missing timeline usually matter?', ['missing', 'timeline']],
  ['What are the most common reasons to reject?', []],
  ['Do reviewers always ask for screenshots?', ['screenshots']],
  ['Is prescription medicine okay?', ['prescription', 'medicine']],
  ['Warum werden Reisekostenabrechnungen abgelehnt?', ['Reisekostenabrechnungen']],
  ['Welche Gründe gibt es, den Bauantrag abzulehnen?', ['Bauantrag']],
  ['Wie oft werden Reisekostenabrechnungen abgelehnt?', ['Reisekostenabrechnungen']],
  ['Pourquoi les affiches ont-elles été refusées ?', ['affiches']],
  ['¿Por qué se rechazaron los carteles?', ['carteles']],
  ['Perché sono respinti i manifesti?', ['manifesti']],
  ['Почему отклонили плакат?', ['плакат']],
  ['Afişler neden reddedildi?', ['Afişler']],
  ['لماذا تم رفض الملصق؟', ['الملصق']],
])('%s is about %j', (question, words) => {
  expect(about(question).words).toEqual(words)
})

test('names tell whom a question asks, not what it is about', () => {
  const names = ['Bob Ray', 'u-17']
  expect(about('Why did Bob Ray (u-17) reject photos?', names).words).toEqual(['photos'])
})

test('a text tells the part of a subject whose stems it holds, by their weights', () => {
  const subject = worded('Are roadmaps and timelines given?', new Map(Object.entries({ roadmap: 1, timelin: 3 })))
  expect(shareOf(subject, stemsOf('The timeline is tight.'))).toBe(0.75)
  expect(shareOf(subject, stemsOf('A roadmap with a timeline.'))).toBe(1)
  expect(shareOf(about('What do you think?'), stemsOf('I think so.'))).toBe(0)
})

test('a word of praise or blame counts half', () => {
  const subject = worded('Are timelines vague?', new Map(Object.entries({ timelin: 3, vagu: 2 })))
  expect(shareOf(subject, stemsOf('The timeline is tight.'))).toBe(0.75)
})

test('among more judgments a judgment must hold more of a subject, and less of one of many words', () => {
  const [two, five] = [about('capital, France'), about('capital, France, budget, timeline, roadmap')]
  expect(leastShare(two, 180)).toBeCloseTo(0.504, 3)
  expect(leastShare(two, 12_000)).toBeCloseTo(0.621, 3)
  expect(leastShare(five, 180)).toBeCloseTo(0.504 * Math.sqrt(0.8), 3)
})

test('a similarity puts a judgment on a subject among few', () => {
  expect([leastSimilarity(2), leastSimilarity(180)]).toEqual([0.15, 0.15])
  expect(leastSimilarity(1_000)).toBeCloseTo(0.211, 3)
  expect(leastSimilarity(1_001)).toBe(Number.POSITIVE_INFINITY)
})

test('a question in a script without spaces is read a few times, not once for each of its words', () => {
  const question = Array.from({ length: 2_000 }, (_, i) => String.fromCharCode(0x4e00 + 7 * i)).join('')
  // Whatever reads a text normalizes it first.
  const normalize = vi.spyOn(String.prototype, 'normalize')
  const { words } = about(question)
  const read = normalize.mock.contexts.filter((text) => String(text).length === question.length)
  vi.restoreAllMocks()
  expect(words).toEqual([question])
  expect(read.length).toBeLessThan(10)
})

test('of many words, those that tell most are what a question is about', () => {
  const some = Array.from({ length: 400 }, (_, i) => String.fromCharCode(0x4e00 + 7 * i))
  const characters = some.filter((character) => priorProbability(character) === 0).slice(0, 300)
  const weights = new Map(characters.map((character, i) => [character, 1 + i]))
  const subject = worded(characters.join('。'), weights)
  expect(subject.weights.size).toBe(200)
  expect(subject.mostTelling).toBe(characters.at(-1))
  expect(subject.weights.has(characters[99] ?? '')).toBe(false)
})
