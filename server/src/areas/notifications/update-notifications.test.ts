import { beforeAll, beforeEach, expect, test } from 'vitest'
import { at, newReview, type Review } from '../../../test/review.ts'
import { type Service, startService } from '../../../test/running-service.ts'

const { organizationId } = at
let service: Service
let review: Review
beforeAll(async () => {
  service = await startService()
})
beforeEach(async () => {
  review = await newReview(service)
  await review.ws.ok('/v2/notifications/add', {
    ...at,
    notificationId: 'n',
    actionUser: { userId: 'ada' },
    notifyUsers: [{ userId: 'bob' }],
    displayHeadlineMessageTemplate: 'News',
    displayBodyMessage: 'Text',
    location: { id: 'x' },
  })
})

const changed = (metadata: unknown) => ({ organizationId, notifications: [{ id: 'n', metadata }] })
const update = (metadata: unknown) => review.ws.ok('/v2/notifications/update', changed(metadata))
const foundAt = async (locationId: string) =>
  (await review.ws.ok('/v2/notifications/get', { organizationId, locationId })).data

test('metadata moves a notification to the location that it names, and leaves it where it names none', async () => {
  await update({ location: { id: 'y', locationName: 'Y' }, mine: 1 })
  expect(await foundAt('x')).toEqual([])
  const [moved] = await foundAt('y')
  expect(moved?.metadata).toMatchObject({ mine: 1, location: { id: 'y', locationName: 'Y' } })
  await update({ locationId: 'z' })
  expect(await foundAt('z')).toHaveLength(1)
  for (const metadata of [{ mine: 2 }, null]) {
    await update(metadata)
    expect(await foundAt('z')).toHaveLength(1)
  }
})

test.each([
  ['location', { location: 'x' }, 'notifications[0].metadata.location'],
  ['id of a location', { location: { id: {} } }, 'notifications[0].metadata.location.id'],
  ['locationId', { locationId: {} }, 'notifications[0].metadata.locationId'],
])('a wrong %s in metadata is refused as notifications/add refuses it', async (_, metadata, path) => {
  const { body } = await review.ws.call('/v2/notifications/update', changed(metadata))
  expect(body.error).toMatchObject({ status: 'INVALID_ARGUMENT', details: { issues: [{ path }] } })
})
