import { describe, expect, test } from 'vitest'
import type { ApiError } from '../errors.ts'
import { email, identifier, nullable, oneOf, Type } from '../schema.ts'
import { compileInput, withListLimit } from './validate.ts'

const schema = Type.Object({
  organizationId: identifier('An id.'),
  users: Type.Array(Type.Object({ userId: identifier('An id.'), email: Type.Optional(email('An address.')) })),
  role: Type.Optional(oneOf(['viewer', 'editor'], 'A role.')),
  rateLimit: Type.Optional(nullable(Type.Integer({ minimum: 1 }))),
  title: Type.Optional(Type.String({ maxLength: 3 })),
})
const validate = compileInput(() => schema)

function issuesOf(data: unknown, judge: (data: unknown) => unknown = validate) {
  try {
    judge(data)
  } catch (error) {
    const { status, message, details } = error as ApiError
    return { status, message, issues: details?.issues }
  }
  return undefined
}

test('of an object with more fields than its schema has, only those are taken', () => {
  const more = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`field${i}`, i]))
  expect(validate({ ...more, users: [], title: null, organizationId: 'acme' })).toEqual({
    organizationId: 'acme',
    users: [],
  })
  const open = compileInput(() => Type.Object({ id: Type.String() }, { additionalProperties: true }))
  expect(open({ id: 'a', ...more })).toEqual({ id: 'a', ...more })
  expect(issuesOf({ ...more, organizationID: 'acme', users: [] })?.message).toContain('organizationID is not a field')
})

describe('bad input gets an error that names the field and the rule', () => {
  const ok = { organizationId: 'acme', users: [] }
  test.each([
    [{}, 'organizationId is required'],
    [{ ...ok, organizationId: 5 }, 'organizationId must be a string'],
    [{ ...ok, organizationId: '' }, 'organizationId must not be empty'],
    [{ ...ok, organizationId: 'a\nb' }, 'organizationId must not contain control characters'],
    [{ ...ok, organizationId: 'x'.repeat(257) }, 'organizationId must have at most 256 characters'],
    [{ ...ok, users: {} }, 'users must be an array'],
    [{ ...ok, users: [{ userId: 'a', email: 'x' }] }, 'users[0].email must be an email address'],
    [{ ...ok, users: [{ userId: 'a' }, null] }, 'users[1] must be an object'],
    [{ ...ok, role: 'owner' }, 'role must be one of viewer, editor'],
    [{ ...ok, rateLimit: 0 }, 'rateLimit must be at least 1'],
    [{ ...ok, rateLimit: 1.5 }, 'rateLimit must be an integer'],
    ['x', 'Must be an object'],
  ])('%j: %s', (data, message) => {
    expect(issuesOf(data)).toMatchObject({ status: 'INVALID_ARGUMENT', message })
  })

  test('details.issues lists every bad field', () => {
    expect(issuesOf({ users: [{ email: 'x' }], role: 1 })?.issues).toEqual([
      { path: 'organizationId', message: 'is required' },
      { path: 'users[0].userId', message: 'is required' },
      { path: 'users[0].email', message: 'must be an email address' },
      { path: 'role', message: 'must be one of viewer, editor' },
    ])
  })

  test('where a field may be of several types, only what is wrong inside the one that it has is said', () => {
    const map = Type.Record(Type.String(), Type.Boolean())
    const open = compileInput(() => Type.Object({ on: Type.Union([Type.Boolean(), map, Type.Array(Type.String())]) }))
    expect(issuesOf({ on: { added: 'x' } }, open)?.issues).toEqual([{ path: 'on.added', message: 'must be a boolean' }])
    expect(issuesOf({ on: ['x', 5] }, open)?.message).toBe('on[1] must be a string')
    expect(issuesOf({ on: 5 }, open)?.message).toBe('on must be a boolean, or must be an object, or must be an array')
  })

  test('of a text that is too long, nothing but its length is said', () => {
    const data = { ...ok, users: [{ userId: 'a', email: 'x'.repeat(321) }] }
    expect(issuesOf(data)?.message).toBe('users[0].email must have at most 320 characters')
  })

  test('of a great many bad fields the first fifty are listed', () => {
    const users = Array.from({ length: 40 }, () => ({ userId: 1, email: 'x' }))
    expect(issuesOf({ organizationId: 'a', users })?.issues).toHaveLength(50)
  })
})

test.each(['a@b.co', "o'neil+x@mail.b-c.co", 'ada@localhost', 'ünï@münchen.de', 'a.b=c/d{e}@b.co'])(
  '%s is an email address',
  (address) => {
    const users = [{ userId: 'a', email: address }]
    expect(issuesOf({ organizationId: 'a', users })).toBeUndefined()
  },
)

test.each([
  'a',
  'a@',
  '@b.co',
  'a@b..co',
  'a b@c.co',
  'a@b@c.co',
  'a;b@c.co',
  'a,b@c.co',
  'a@b,c.co',
  '<a@b.co>',
  'g:a@b.co;',
  'a(b)@c.co',
  '"a"@b.co',
  'a\\@b.co',
  'a@b.co\u202e',
])('%j is no single email address', (address) => {
  const users = [{ userId: 'a', email: address }]
  expect(issuesOf({ organizationId: 'a', users })?.message).toBe('users[0].email must be an email address')
})

test('null for an optional field means absent, except for fields that list null', () => {
  const users = [{ userId: 'a', email: null }]
  expect(validate({ organizationId: 'acme', users, role: null, rateLimit: null })).toEqual({
    organizationId: 'acme',
    users: [{ userId: 'a' }],
    rateLimit: null,
  })
  expect(issuesOf({ organizationId: null, users })?.message).toBe('organizationId must be a string')
})

test('null for an optional field means absent also inside of what may be null itself', () => {
  const owner = Type.Object({ userId: Type.String(), name: Type.Optional(Type.String()) })
  const clearable = compileInput(() => Type.Object({ owner: nullable(owner) }))
  expect(clearable({ owner: { userId: 'a', name: null } })).toEqual({ owner: { userId: 'a' } })
  expect(clearable({ owner: null })).toEqual({ owner: null })
})

test('a character is a Unicode code point', () => {
  expect(validate({ organizationId: '🜁'.repeat(256), users: [], title: '🜁🜁🜁' })).toBeDefined()
  expect(issuesOf({ organizationId: '🜁'.repeat(257), users: [] })?.message).toMatch(/at most 256/)
  expect(issuesOf({ organizationId: 'a', users: [], title: 'four' })?.message).toMatch(/at most 3/)
})

test('unknown fields are kept for the operation to ignore, __proto__ and constructor as plain data', () => {
  const data = JSON.parse('{"organizationId":"a","users":[],"__proto__":{"x":1},"constructor":2}')
  expect(JSON.stringify(validate(data))).toBe(JSON.stringify(data))
  expect(({} as { x?: number }).x).toBeUndefined()
})

test('a list has at most the configured number of items, unless its schema says otherwise', () => {
  const limited = compileInput(() => withListLimit(schema, 2))
  expect(issuesOf({ organizationId: 'a', users: [1, 2, 3].map((n) => ({ userId: `${n}` })) }, limited)?.message).toBe(
    'users must have at most 2 items',
  )
})

test('of a map with too many keys nothing but their number is looked at', () => {
  const map = { ...Type.Record(Type.String(), Type.Integer()), maxProperties: 2 }
  const judge = compileInput(() => Type.Object({ context: Type.Optional(nullable(Type.Object({ access: map }))) }))
  const access = { a: 1, b: 2 }
  expect(judge({ context: { access } })).toEqual({ context: { access } })
  Object.defineProperty(access, 'c', {
    enumerable: true,
    get: () => {
      throw new Error('looked at')
    },
  })
  expect(issuesOf({ context: { access } }, judge)?.message).toBe('context.access must have at most 2 keys')
})
