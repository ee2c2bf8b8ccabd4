import { expect, test } from 'vitest'
import { namedIn } from './asked-for.ts'

const REVIEWERS = [
  { userId: 'u-17', name: 'Ann Lee' },
  { userId: 'u-18', name: 'Will Stone' },
  { userId: 'ann', name: 'Ann Ode' },
  { userId: 'z_assessor_9', name: 'z_assessor_9' },
]
const named = (question: string) => namedIn(question, REVIEWERS).map(({ userId }) => userId)

test.each([
  ['Why did Ann Lee reject photos?', ['u-17']],
  ['what does ann lee’s review say?', ['u-17']],
  ['What does Ann say?', ['u-17', 'ann']],
  ['Did Will approve it?', ['u-18']],
  ['What did z_assessor_9 think?', ['z_assessor_9']],
  ['What is (u-18) about?', ['u-18']],
  ['Will the plan do?', []],
  ['What will be refused, and who lee?', []],
  ['Why do we reject stock photos?', []],
])('%s names %j', (question, users) => {
  expect(named(question)).toEqual(users)
})
