import { expect, test } from 'vitest'
import { asksForCount, namedIn } from './asked-for.ts'

const REVIEWERS = [
  { userId: 'u-17', name: 'Ann Lee' },
  { userId: 'u-18', name: 'Will Stone' },
  { userId: 'ann', name: 'Ann Ode' },
  { userId: 'z_assessor_9', name: 'z_assessor_9' },
  { userId: 'ada', name: 'Ada' },
  { userId: '7', name: 'Seven' },
]
const named = (question: string) => {
  const { named, isInFull } = namedIn(question, REVIEWERS)
  return [named.map(({ userId }) => userId), isInFull]
}

test.each([
  ['Why did Ann Lee reject photos?', ['u-17'], true],
  ['What does Ann Lee’s review say?', ['u-17'], true],
  ['What does Ann say?', ['u-17', 'ann'], false],
  ['Did Will approve it?', ['u-18'], false],
  ['What did Ada say?', ['ada'], false],
  ['What did z_assessor_9 think?', ['z_assessor_9'], true],
  ['What is (u-18) about?', ['u-18'], true],
  ['Will the plan do in 7 days?', [], false],
  ['What will be refused, and who lee?', [], false],
  ['Why do we reject stock photos?', [], false],
])('%s names %j, in full: %s', (question, users, isInFull) => {
  expect(named(question)).toEqual([users, isInFull])
})

test.each([
  ['How many photos were rejected?', true],
  ['Wie viele Fotos wurden abgelehnt?', true],
  ['Combien de photos ?', true],
  ['Сколько фото отклонили?', true],
  ['كم صورة رفضت؟', true],
  ['Warum wurden die Fotos abgelehnt?', false],
  ['Who counts photos?', false],
])('%s asks for a count: %s', (question, asks) => {
  expect(asksForCount(question)).toBe(asks)
})
