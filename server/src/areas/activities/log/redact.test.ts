import { expect, test } from 'vitest'
import { ERASED_NAME, redact, userIdsIn } from './redact.ts'

const pseudonym = (userId: string) => (userId === 'ada' ? 'erased_1' : undefined)
const ada = { userId: 'ada', name: 'Ada', email: 'ada@example.com' }
const bob = { userId: 'bob', name: 'Bob' }
const erased = { userId: 'erased_1', name: ERASED_NAME }

test('users are found under every key that names them', () => {
  const value = { from: ada, list: [{ resolvedByUserId: 'bob' }], involvedUserIds: ['cy', 7], other: 'dee' }
  expect([...userIdsIn(value)]).toEqual(['ada', 'bob', 'cy'])
})

test.each<[what: string, value: unknown, isAuthor: boolean, redacted: unknown]>([
  ['an erased user is a pseudonym', { from: ada, assignedTo: bob }, false, { from: erased, assignedTo: bob }],
  [
    'ids are replaced under keys that name users alone',
    { userIds: ['ada', 'bob'], icon: 'ada' },
    false,
    { userIds: ['erased_1', 'bob'], icon: 'ada' },
  ],
  ['what an erased user said goes', { from: ada, commentText: 'hi', id: 1 }, false, { from: erased, id: 1 }],
  [
    'so does the name of a recording, and that of a thing stays',
    { entity: { from: ada, type: 'recorder', displayName: 'My talk' }, thing: { from: ada, displayName: 'Invoice 7' } },
    false,
    { entity: { from: erased, type: 'recorder' }, thing: { from: erased, displayName: 'Invoice 7' } },
  ],
  [
    'what others said stays',
    { from: ada, replies: [{ from: bob, commentText: 'hello' }] },
    true,
    { from: erased, replies: [{ from: bob, commentText: 'hello' }] },
  ],
  [
    'without a stated author it is the actor’s',
    { changes: { commentText: { from: 'a', to: 'b' }, status: { from: 'x', to: 'y' } } },
    true,
    { changes: { status: { from: 'x', to: 'y' } } },
  ],
  [
    'names and addresses go from texts, as whole words',
    { from: ada, text: 'Ada (ada@example.com) in Adana' },
    false,
    { from: erased, text: `${ERASED_NAME} (${ERASED_NAME}) in Adana` },
  ],
  [
    'mentions go from what others said, by id and by the words that stand for the user',
    {
      from: bob,
      commentText: 'x{{ada}}y @Lady, @Ladybird {{adam}}',
      taggedUserContacts: [{ userId: 'ada', text: '@Lady', contact: ada }],
    },
    false,
    {
      from: bob,
      commentText: `x${ERASED_NAME}y ${ERASED_NAME}, @Ladybird {{adam}}`,
      taggedUserContacts: [erased],
    },
  ],
  [
    'what names nobody erased stays',
    { from: bob, commentText: 'Ada', n: [1, null, true] },
    false,
    { from: bob, commentText: 'Ada', n: [1, null, true] },
  ],
])('%s', (_, value, isAuthor, redacted) => {
  expect(redact(value, pseudonym, isAuthor)).toEqual(redacted)
})

test('a name with the signs of regular expressions is a name', () => {
  const value = { from: { userId: 'ada', name: 'A. (da)|*' }, text: 'A. (da)|* and Ab (da)' }
  expect(redact(value, pseudonym)).toMatchObject({ text: `${ERASED_NAME} and Ab (da)` })
})

test('names are found beside each other, the longest first, and not in what stands for them', () => {
  const people = ['user', 'Ada', 'Ada L', '🦉'].map((name) => ({ userId: 'ada', name }))
  const text = 'user Ada Ada L, 🦉 (Ada) Adaé éAda users'
  expect(redact({ people, text }, pseudonym)).toMatchObject({
    text: `${Array(3).fill(ERASED_NAME).join(' ')}, ${ERASED_NAME} (${ERASED_NAME}) Adaé éAda users`,
  })
})

test('names of any length and number do not keep a user from being erased', () => {
  const from = { userId: 'ada', name: 'x'.repeat(50_000) }
  const people = Array.from({ length: 20_000 }, (_, index) => ({ userId: 'ada', name: `Ada the ${index}th` }))
  expect(redact({ from, people, text: 'By Ada the 7th' }, pseudonym)).toMatchObject({
    from: erased,
    text: `By ${ERASED_NAME}`,
  })
})
