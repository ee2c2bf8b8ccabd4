import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { newWorkspace, type Service, startService } from '../../../test/running-service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})

const DOCUMENTS = ['d1', 'd2']
const LOCATIONS = [undefined, 'x', 'y']
const USERS = ['u1', 'u2', 'u3']
const IDS = ['n0', 'n1', 'n2', 'n3', 'n4', 'n5']

interface Made {
  id: string
  documentId: string
  locationId: string | undefined
  users: Set<string>
}

const notification = fc.record({
  documentId: fc.constantFrom(...DOCUMENTS),
  locationId: fc.constantFrom(...LOCATIONS),
  users: fc.uniqueArray(fc.constantFrom(...USERS)),
})
const filter = fc.record(
  {
    documentId: fc.constantFrom(...DOCUMENTS, 'none'),
    locationId: fc.constantFrom('x', 'y', 'none'),
    userId: fc.constantFrom(...USERS, 'none'),
    notificationIds: fc.uniqueArray(fc.constantFrom(...IDS, 'none'), { maxLength: 4 }),
  },
  { requiredKeys: [] },
)
type Filter = { documentId?: string; locationId?: string; userId?: string; notificationIds?: string[] }

/** A model of a deletion, taken from the contract. */
function expected(made: Map<string, Made>, { documentId, locationId, userId, notificationIds }: Filter) {
  const result = Object.fromEntries((notificationIds ?? []).map((id) => [id, false]))
  for (const each of [...made.values()]) {
    if (documentId !== undefined && each.documentId !== documentId) continue
    if (locationId !== undefined && each.locationId !== locationId) continue
    if (userId !== undefined && !each.users.has(userId)) continue
    if (notificationIds !== undefined && !notificationIds.includes(each.id)) continue
    if (userId !== undefined) each.users.delete(userId)
    if (userId === undefined || each.users.size === 0) made.delete(each.id)
    result[each.id] = true
  }
  return result
}

test('a deletion takes exactly what every filter admits, in every combination', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(notification, { minLength: IDS.length, maxLength: IDS.length }),
      fc.array(filter, { minLength: 1, maxLength: 6 }),
      async (notifications, filters) => {
        const ws = await newWorkspace(service)
        const made = new Map<string, Made>()
        for (const [index, { documentId, locationId, users }] of notifications.entries()) {
          const id = IDS[index] ?? ''
          made.set(id, { id, documentId, locationId, users: new Set(users) })
          await ws.ok('/v2/notifications/add', {
            organizationId: 'acme',
            createOrganization: true,
            documentId,
            createDocument: true,
            notificationId: id,
            actionUser: { userId: 'actor' },
            displayHeadlineMessageTemplate: 'H',
            displayBodyMessage: 'B',
            notifyAll: false,
            notifyUsers: users.map((userId) => ({ userId })),
            ...(locationId !== undefined && { location: { id: locationId } }),
          })
        }
        for (const each of filters) {
          const answer = await ws.call('/v2/notifications/delete', { organizationId: 'acme', ...each })
          if (Object.keys(each).length === 0) {
            expect(answer.body.error.status).toBe('INVALID_ARGUMENT')
            continue
          }
          const outcomes = Object.entries(answer.body.result.data as Record<string, { success: boolean }>)
          const outcome = Object.fromEntries(outcomes.map(([id, { success }]) => [id, success]))
          expect(outcome).toEqual(expected(made, each))
          await expectLeft(made, (more) => ws.ok('/v2/notifications/get', { organizationId: 'acme', ...more }))
        }
      },
    ),
    { numRuns: 25 },
  )
}, 120_000)

type Read = (more: object) => Promise<{ data: { id: string }[] }>

async function expectLeft(made: Map<string, Made>, read: Read): Promise<void> {
  const ids = async (more: object) => (await read(more)).data.map(({ id }) => id).sort()
  expect(await ids({})).toEqual([...made.keys()].sort())
  for (const userId of USERS) {
    const own = [...made.values()].filter(({ users }) => users.has(userId))
    expect(await ids({ userId })).toEqual(own.map(({ id }) => id).sort())
  }
}
