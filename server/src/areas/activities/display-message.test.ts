import { expect, test } from 'vitest'
import { displayMessage, templateIssues } from './display-message.ts'

const actor = { userId: 'ada', name: 'Ada' }

test.each<[what: string, template: string, data: unknown, message: string]>([
  ['a variable is filled in', '{{count}} files', { count: 3 }, '3 files'],
  ['{{a.b}} reaches into nested data', '{{a.b.c}}', { a: { b: { c: 'deep' } } }, 'deep'],
  ['elements of lists are reached by their index', '{{list.1}}', { list: ['a', 'b'] }, 'b'],
  ['spaces inside the braces do not count', '{{ name }}', { name: 'Bob' }, 'Bob'],
  ['a missing variable is empty', 'a{{nothing}}b{{a.nothing.more}}c', { a: 1 }, 'abc'],
  ['null is empty, false and 0 are not', '{{a}}{{b}}{{c}}', { a: null, b: false, c: 0 }, 'false0'],
  ['an object is shown as JSON', '{{a}}', { a: { b: [1] } }, '{"b":[1]}'],
  ['nothing is interpreted as HTML', '<b>{{a}}</b>', { a: '<script>&amp;' }, '<b><script>&amp;</b>'],
  ['a value is not read as a template', '{{a}}', { a: '{{b}}', b: 'no' }, '{{b}}'],
  ['replacement patterns are plain text', '{{a}}', { a: "$& $1 $'" }, "$& $1 $'"],
  ['the actor stands in where the data has none', '{{actionUser.name}} {{actionUser.email}}!', {}, 'Ada !'],
  ['the data comes before the actor', '{{actionUser.name}}', { actionUser: { name: 'Countess' } }, 'Countess'],
  ['prototypes are not reached', '{{constructor.name}}{{__proto__.x}}{{a.length}}', { a: 'text' }, ''],
  ['single and unclosed braces stay', '{a} {{a', { a: 1 }, '{a} {{a'],
])('%s', (_, template, data, message) => {
  expect(displayMessage(template, data, actor)).toBe(message)
})

test('a template has at most 200 placeholders; later ones of a template stored before are empty', () => {
  expect(displayMessage('{{a}}'.repeat(201), { a: 'x' }, {})).toBe('x'.repeat(200))
  const template = (count: number) => [{ displayMessageTemplate: '{{a}}'.repeat(count) }]
  expect(templateIssues(template(200))).toEqual([])
  expect(templateIssues(template(201))).toEqual([
    { path: 'activities[0].displayMessageTemplate', message: 'must have at most 200 placeholders' },
  ])
})
