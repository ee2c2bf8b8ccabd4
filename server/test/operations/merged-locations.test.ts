import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { AnyPage } from '../answer.ts'
import { ada, at, bob, newReview, type Review } from '../review.ts'
import { type Service, startService } from '../running-service.ts'

const ROUNDS = 5

let service: Service
let review: Review

beforeAll(async () => {
  service = await startService()
})
beforeEach(async () => {
  review = await newReview(service)
  await review.thread('reacted')
})

const old = { id: 'old', scene: 7, color: 'red' }
const next = { id: 'new', color: 'blue' }

const merge = (oldLocation: object, newLocation: object) => {
  const { apiKey, keyHeaders } = review.ws
  const credentials = { ...at, apiKey, authToken: keyHeaders['x-service-auth-token'] }
  const data = { ...credentials, migrate: { oldLocation, newLocation }, merge: true }
  return review.ws.call('/v1/organizations/documents/locations/update', data)
}

/** Adds one record of each kind that has a location. */
const addAt = (location: object, id: string) =>
  [
    ['commentannotations/add', { commentAnnotations: [{ annotationId: id, location, commentData: [{ from: ada }] }] }],
    [
      'recordings/add',
      {
        recordings: [
          {
            annotationId: id,
            location,
            recordingType: 'audio',
            mode: 'thread',
            recordedTime: { duration: 1 },
            attachments: [],
          },
        ],
      },
    ],
    ['reactions/add', { annotationId: 'reacted', location, reactions: [{ reactionId: id, icon: 'HEART', from: ada }] }],
    [
      'notifications/add',
      {
        notificationId: id,
        location,
        actionUser: ada,
        notifyUsers: [bob],
        displayHeadlineMessageTemplate: 'h',
        displayBodyMessage: 'b',
      },
    ],
  ].map(([path, data]) => review.ws.call(`/v2/${path}`, { ...at, triggerNotification: false, ...(data as object) }))

/** The location of every record of one kind, by its id. */
async function locationsOf(kind: 'commentannotations' | 'recordings' | 'reactions' | 'notifications') {
  const { data } = (await review.ws.ok(`/v2/${kind}/get`, at)) as AnyPage
  const located = data.flatMap((each) => {
    const location = each.location ?? each.metadata?.location
    return location ? [[each.annotationId ?? each.id, location]] : []
  })
  return Object.fromEntries(located)
}

const KINDS = ['commentannotations', 'recordings', 'reactions', 'notifications'] as const

test('records of every kind added while their location is merged are at one place, and none is lost', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    await Promise.all(addAt(old, `before${round}`))
    const answers = await Promise.all([
      ...addAt(old, `a${round}`),
      merge(old, next),
      ...addAt(next, `b${round}`),
      merge(old, next),
      ...addAt(old, `c${round}`),
    ])
    for (const { status, body } of answers) expect(status, JSON.stringify(body)).toBe(200)
    expect((await merge(old, next)).status).toBe(200)
  }
  const ids = Array.from({ length: ROUNDS }, (_, round) => ['before', 'a', 'c'].map((side) => `${side}${round}`)).flat()
  const merged = Object.fromEntries(ids.map((id) => [id, { id: 'new', scene: 7, color: 'blue' }]))
  const born = Object.fromEntries(Array.from({ length: ROUNDS }, (_, round) => [`b${round}`, next]))
  for (const kind of KINDS) expect(await locationsOf(kind), kind).toEqual({ ...merged, ...born })
})

test('two locations merged into each other at once wait in turn: what is at them ends at one', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    await Promise.all([...addAt(old, `a${round}`), ...addAt(next, `b${round}`)])
    const answers = await Promise.all([merge(old, next), merge(next, old), merge(old, next), merge(next, old)])
    for (const { status, body } of answers) expect(status, JSON.stringify(body)).toBe(200)
    const places = await Promise.all(KINDS.map(async (kind) => Object.values(await locationsOf(kind))))
    const ids = new Set(places.flat().map((location) => (location as { id: string }).id))
    expect([...ids]).toHaveLength(1)
    expect(places.map(({ length }) => length)).toEqual(KINDS.map(() => 2 * (round + 1)))
  }
})
