import { expect, test } from 'vitest'
import { abridgeChanges, boundPeople } from './abridge-activities.ts'
import type { ActivityInput } from './activity.ts'

const naming = (userIds: string[]): { activity: ActivityInput } => ({
  activity: {
    featureType: 'comment',
    actionType: 'comment_annotation.access_mode_change',
    actionUser: { userId: 'ada' },
    targetEntityId: 't',
    changes: { visibilityConfig: { from: { type: 'restricted', userIds }, to: { type: 'public' } } },
    entityData: { annotationId: 't', status: { name: 'Open', userIds } },
    entityTargetData: { annotationId: 't', from: { userId: 'ada', name: 'Ada' } },
  },
})
const crowd = Array.from({ length: 60_000 }, (_, n) => `u${n}`)

test('records that name at most 100,000 people in all stay as they are', () => {
  const logged = [naming(crowd), naming(['bob'])]
  expect(boundPeople(logged, 2)).toBe(logged)
})

test('of a batch that names more, records that name more than their share keep ids alone', () => {
  const few = naming(['bob'])
  const [large, small] = boundPeople([naming(crowd), few], 4)
  expect(small).toBe(few)
  expect(large?.activity).toEqual({
    ...few.activity,
    changes: {
      visibilityConfig: {
        from: { type: 'restricted', userIds: [], isAbridged: true },
        to: { type: 'public', isAbridged: true },
      },
    },
    entityData: { annotationId: 't', status: undefined, isAbridged: true },
    entityTargetData: { annotationId: 't', from: undefined, isAbridged: true },
  })
})

test('who was assigned keeps the id by which an erasure finds the name', () => {
  const bob = { userId: 'bob', name: 'Bob', photoUrl: 'x'.repeat(900) }
  expect(abridgeChanges({ assignedTo: { from: null, to: bob } }, 20)).toEqual({
    assignedTo: { from: null, to: { userId: 'bob', name: 'Bob', isAbridged: true } },
  })
})
