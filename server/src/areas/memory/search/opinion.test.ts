import { expect, test } from 'vitest'
import { opinionOf } from './opinion.ts'

test.each([
  'The roadmap is clear and detailed.',
  'I have no doubt that they can deliver.',
  'There are no concerns about the budget.',
  'Although the budget is vague, the team is experienced.',
  'It is rough in places, but the idea is excellent.',
  'The plan is sound although the budget is vague.',
  'It is not only clear.',
  'This is great, but why?',
  'The plan is ｃｌｅａｒ.',
])('praises: %s', (sentence) => {
  expect(opinionOf(sentence)).toBeGreaterThan(0)
})

test.each([
  'The proposal does not provide sufficient information to make it auditable.',
  'There is no clear plan.',
  'It lacks a detailed roadmap.',
  'I would like to see a good plan.',
  'It would be great to see some metrics.',
  'The milestones could be clearer.',
  'The wording needs to be simple.',
  'Although the idea is great, the plan is missing.',
  'A good idea, but there is no timeline for it.',
  'It’s hard to track whether it is useful.',
  'I don’t find it good.',
  'They have no plan for how the team would find a mistake.',
  'There is no doubt that fraud is a danger.',
  'It is vague and unclear but also quite useful for us.',
  'No, a risk.',
])('blames: %s', (sentence) => {
  expect(opinionOf(sentence)).toBeLessThan(0)
})

test.each([
  "Le logo n'est plus lisible.",
  'La photo est plus petite que demandé.',
  'Das Bad ist zu klein.',
  'Not und Elend sind das Thema.',
  'No hay problemas con el contraste.',
  'Logo のデザインが unclear です。',
])('knows nothing of another language: %s', (sentence) => {
  expect(opinionOf(sentence)).toBe(0)
})

test.each([
  '',
  'The proposal has three phases.',
  'Der Plan ist gut.',
  'The pump has a flow of two litres.',
  'The audit prevents fraud.',
])('does not judge: %s', (sentence) => {
  expect(opinionOf(sentence)).toBe(0)
})

test('a negation reaches no further than its clause', () => {
  expect(opinionOf('Not a pun, and a clear headline: good.')).toBe(1)
})

test('negations of one clause count once', () => {
  expect(opinionOf('There is no plan and no budget.')).toBe(-1)
})
