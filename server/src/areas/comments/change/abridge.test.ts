import { expect, test } from 'vitest'
import { abridge, abridgePart } from './abridge.ts'

const longId = '𝄞'.repeat(256)

test('what does not fit loses its largest fields, keeps its ids, and says so', () => {
  const thread = { annotationId: longId, color: 'x'.repeat(900), customList: ['x'.repeat(900)], type: 'comment' }
  expect(abridge(thread, 300)).toEqual({ annotationId: longId, customList: [], isAbridged: true })
  const comment = { commentId: 12_345_678_901_234, commentText: 'x'.repeat(90) }
  expect(abridge(comment, 10)).toEqual({ commentId: 12_345_678_901_234, isAbridged: true })
})

test('a field of the caller with the name of an id, but longer than any, is no id', () => {
  expect(abridge({ id: `${longId}.`, title: 'short' }, 300)).toEqual({ title: 'short', isAbridged: true })
})

test('what fits stays as it is', () => {
  const thread = { annotationId: 't', color: 'x'.repeat(200) }
  expect(abridge(thread, 300)).toBe(thread)
})

test('what a thread holds of itself keeps its type and the beginning of its name', () => {
  const status = { id: 's', type: 'ongoing', name: `${'x'.repeat(255)}𝄞${'y'.repeat(900)}`, svg: 'x'.repeat(900) }
  const name = `${'x'.repeat(255)}\ufffd`
  expect(abridgePart(status, 100)).toEqual({ id: 's', type: 'ongoing', name, isAbridged: true })
  const visibility = { type: 'restricted', userIds: ['x'.repeat(900)] }
  expect(abridgePart(visibility, 10)).toEqual({ type: 'restricted', userIds: [], isAbridged: true })
  expect(abridgePart(status, 9_000)).toBe(status)
})

test('a type or a name that is no text is abridged like any other field', () => {
  // A suggestion may have fields of the caller's own.
  const suggestion = { id: 's', name: { long: 'x'.repeat(900) }, type: ['x'.repeat(900)] }
  expect(abridgePart(suggestion, 100)).toEqual({ id: 's', name: undefined, type: [], isAbridged: true })
})
