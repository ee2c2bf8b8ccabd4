import { expect, test } from 'vitest'
import { whyNone } from './why-none.ts'

const judged = { approvals: 6, rejections: 2 }

test('says what is missing: judgments, similar ones, or two on the likelier side', () => {
  const near = { near: 3, leading: 'reject' as const, supporting: 1 }
  expect(whyNone({ approvals: 0, rejections: 0 }, { ...near, near: 0 })).toMatch(
    /no judgment in scope has approved or rejected/,
  )
  expect(whyNone(judged, { ...near, near: 0 })).toMatch(/no judgment is similar enough to the item/)
  expect(whyNone(judged, near)).toMatch(/a rejection is more likely, but only one judgment .* rejects/)
  expect(whyNone(judged, { ...near, leading: 'approve', supporting: 0 })).toMatch(
    /an approval is more likely, but no judgment .* approves/,
  )
})

test('says that an item is off the topics that were learned', () => {
  const learned = { isOnTopic: false } as Parameters<typeof whyNone>[0]['learned']
  expect(whyNone({ ...judged, learned }, { near: 0, leading: 'approve', supporting: 0 })).toBe(
    'No suggestion: the item is less like what was judged than judged items are like one another. It is probably about something else.',
  )
})
