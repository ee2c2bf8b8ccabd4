import { expect, test } from 'vitest'
import {
  groupedTriggers,
  isOptIn,
  isTriggered,
  mergeTriggers,
  shortNameOf,
  standardTriggers,
  TRIGGER_TYPES,
  type Triggers,
} from './trigger.ts'

test.each([
  ['comment_annotation.add', true],
  ['comment.add', true],
  ['comment.update', true],
  ['comment.delete', true],
  ['comment_annotation.status_change', true],
  ['comment_annotation.assign', true],
  ['comment_annotation.priority_change', true],
  ['comment_annotation.suggestion_accept', false],
  ['comment_annotation.suggestion_reject', false],
  ['comment.reaction_add', true],
  ['comment.reaction_delete', true],
  ['huddle.create', true],
  ['huddle.join', true],
  ['crdt.update_data', false],
  ['recorder.done', false],
])('%s is %s in a seeded map, and where a map does not mention it', (type, on) => {
  expect(standardTriggers(['comment', 'huddle', 'crdt', 'recorder'])[type]).toBe(on)
  expect(isTriggered({}, type)).toBe(on)
  expect(isTriggered({ [type]: !on }, type)).toBe(!on)
})

test('a seeded map names every type of its groups and no other', () => {
  expect(Object.keys(standardTriggers(['comment', 'huddle', 'crdt', 'recorder']))).toEqual(TRIGGER_TYPES)
  expect(TRIGGER_TYPES).toHaveLength(21)
  expect(standardTriggers(['huddle'])).toEqual({ 'huddle.create': true, 'huddle.join': true })
})

test('a seeded grouped map holds short names under their groups', () => {
  const { comment, huddle } = groupedTriggers(['comment', 'huddle'])
  expect(comment).toMatchObject({ newlyAdded: true, added: true, suggestionAccepted: false })
  expect(huddle).toEqual({ created: true, join: true })
})

test.each<[string, Triggers]>([
  ['its flat type', { 'comment_annotation.add': false }],
  ['its flat short name', { newlyAdded: false }],
  ['its type under its group', { comment: { 'comment_annotation.add': false } }],
  ['its short name under its group', { comment: { newlyAdded: false } }],
  ['the rest of its type under the first part', { comment_annotation: { add: false } }],
])('an event is switched by %s', (_, triggers) => {
  expect(isTriggered(triggers, 'comment_annotation.add')).toBe(false)
  expect(isTriggered(triggers, 'comment.add')).toBe(true)
})

test('every short name means its event', () => {
  for (const type of TRIGGER_TYPES) {
    expect(isTriggered({ [shortNameOf(type) ?? '']: false }, type, true)).toBe(false)
    expect(isTriggered({ [shortNameOf(type) ?? '']: true }, type, false)).toBe(true)
  }
  expect(isTriggered({ huddle: { joined: false } }, 'huddle.join')).toBe(false)
})

test('a flat key beats a grouped one, and a type its short name', () => {
  expect(isTriggered({ comment: { added: false }, 'comment.add': true }, 'comment.add')).toBe(true)
  expect(isTriggered({ comment: { 'comment.add': false }, added: true }, 'comment.add')).toBe(true)
  expect(isTriggered({ added: true, 'comment.add': false }, 'comment.add')).toBe(false)
})

test('the default of the caller counts where the map is silent', () => {
  expect(isTriggered({ 'comment.add': false }, 'comment_annotation.suggestion_accept', true)).toBe(true)
  expect(isTriggered({}, 'comment.add', false)).toBe(false)
})

test('updates merge per key, flat and grouped', () => {
  expect(mergeTriggers({ 'comment.add': true, 'comment.update': true }, { 'comment.add': false })).toEqual({
    'comment.add': false,
    'comment.update': true,
  })
  expect(mergeTriggers({ comment: { added: true, updated: true } }, { comment: { added: false } })).toEqual({
    comment: { added: false, updated: true },
  })
})

test('an update in another spelling is kept and takes effect', () => {
  const stored = standardTriggers(['comment'])
  const merged = mergeTriggers(stored, { comment: { added: false } })
  expect(merged).toEqual({ ...stored, 'comment.add': false, comment: { added: false } })
  expect(isTriggered(merged, 'comment.add')).toBe(false)
})

test('one value for a whole group, or a group for one event, is refused, and nothing stored is dropped', () => {
  const stored = { comment: { added: false }, 'comment.update': false }
  for (const group of ['comment', 'huddle', 'crdt', 'recorder']) {
    const refused = `triggers.${group} must be an object of switches by event`
    expect(() => mergeTriggers(stored, { [group]: false })).toThrow(refused)
  }
  for (const event of ['comment.update', 'updated', 'joined']) {
    expect(() => mergeTriggers(stored, { [event]: { on: true } })).toThrow(`triggers.${event} must be a boolean`)
  }
  expect(mergeTriggers({ comment: true }, { comment: { added: false } })).toEqual({ comment: { added: false } })
  expect(mergeTriggers(stored, { own: true, others: { own: true } })).toMatchObject(stored)
})

const many = (count: number, of = 'key') =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`${of}${i}`, true]))

test('a map and each of its groups hold at most 200 keys, those stored before included', () => {
  expect(Object.keys(mergeTriggers(many(100), many(100, 'other')))).toHaveLength(200)
  expect(() => mergeTriggers(many(100), many(101, 'other'))).toThrow('triggers must have at most 200 keys')
  expect(mergeTriggers({ comment: many(100) }, { comment: many(100, 'other') })).toMatchObject({ comment: many(100) })
  expect(() => mergeTriggers({ comment: many(100) }, { comment: many(101, 'other') })).toThrow(
    'triggers.comment must have at most 200 keys',
  )
})

test('a map holds at most 1 MiB, what was stored before included', () => {
  const half = (name: string) => ({ [name]: { ['x'.repeat(600_000)]: true } })
  const stored = mergeTriggers({}, half('a'))
  expect(mergeTriggers(stored, half('a'))).toEqual(stored)
  expect(() => mergeTriggers(stored, half('b'))).toThrow('triggers must hold at most 1 MiB')
})

test('merging maps walks each of them and reads each key a few times, however many there are', () => {
  let [walks, reads] = [0, 0]
  const counted = <Map extends object>(map: Map) =>
    new Proxy(map, {
      ownKeys: (target) => {
        walks++
        return Reflect.ownKeys(target)
      },
      get: (target, key) => {
        reads++
        return Reflect.get(target, key)
      },
    })
  const large = () =>
    counted(Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`group${i}`, counted(many(20))])))
  mergeTriggers(large(), large())
  // A scan of the update for each stored key would be 1.6 billion steps with the largest maps.
  const [maps, keys] = [2 * 21, 2 * 20 * 21]
  expect(walks).toBeLessThanOrEqual(4 * maps)
  expect(reads).toBeLessThanOrEqual(4 * keys)
})

test('keys such as __proto__ are plain data', () => {
  const sent = JSON.parse('{"__proto__": true, "constructor": {"toString": false}}')
  const merged = mergeTriggers({}, sent)
  expect(JSON.stringify(merged)).toBe('{"__proto__":true,"constructor":{"toString":false}}')
  expect(isTriggered(merged, 'comment.add')).toBe(true)
})

test('only the suggestion events must be asked for', () => {
  expect(TRIGGER_TYPES.filter(isOptIn)).toEqual([
    'comment_annotation.suggestion_accept',
    'comment_annotation.suggestion_reject',
  ])
})
