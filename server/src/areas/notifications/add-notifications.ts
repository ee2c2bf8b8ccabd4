import { together } from '../../platform/db/db.ts'
import { randomId } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { SIZE_LIMIT } from '../../platform/record-size.ts'
import { itemResult } from '../../platform/schema.ts'
import { lookUpPeople } from '../comments/thread/person.ts'
import { ensurePlace, keysOfPlace } from '../comments/thread/place.ts'
import { deliverOne } from './deliver.ts'
import { NotificationInput, notificationIssues, recordOf } from './notification-input.ts'
import { membersOf, optedInUsers, withAccess, withFields } from './opted-in-users.ts'

const ADDED = 'Notification added successfully.'
const EXISTS = 'Notification already exists; it reaches only users who never got it.'

/**
 * Notifies users according to their preferences. While a notification is stored, its id reaches a user at most once,
 * even after the user's copy is deleted.
 */
export const addNotifications = operation({
  path: '/v2/notifications/add',
  twin: '/v1/notifications/add',
  auth: 'apiKey',
  access: 'write',
  summary: 'Add a notification',
  description: `Without \`notifyUsers\`, it is ${SIZE_LIMIT}.`,
  input: NotificationInput,
  example: {
    organizationId: 'example',
    documentId: 'landing-page',
    createDocument: true,
    notificationId: 'launch',
    actionUser: { userId: 'nadia', name: 'Nadia Quist' },
    notifyUsers: [{ userId: 'iris' }],
    displayHeadlineMessageTemplate: '{actionUser} asks for your review',
    displayHeadlineMessageTemplateData: { actionUser: { userId: 'nadia', name: 'Nadia Quist' } },
    displayBodyMessage: 'The landing page is ready.',
  },
  output: itemResult(),
  errors: ['NOT_FOUND'],
  message: ADDED,
  check: notificationIssues,
}).run(async ({ db, tenant, input }) => {
  const { actionUser, notifyUsers = [] } = input
  const userIds = [actionUser, ...notifyUsers].map(({ userId }) => userId)
  const [place, people, members] = await together([
    ensurePlace(db, tenant, input),
    lookUpPeople(db, tenant, userIds),
    input.notifyAll === false ? Promise.resolve([]) : membersOf(db, tenant, keysOfPlace(tenant, input).organizationKey),
  ])
  const { organizationKey, documentKey } = place
  const named = new Map(notifyUsers.map((person) => [person.userId, people.complete(person)]))
  const others = members.filter(({ userId }) => userId !== actionUser.userId)
  const users = new Map([...others.map((user) => [user.userId, user] as const), ...named])
  const candidates = [...users.values()].map((user) => ({ user, forYou: named.has(user.userId) }))
  const wanting = await optedInUsers(db, tenant, place, candidates)
  const admitted = input.verifyUserPermissions ? await withAccess(db, tenant, place, wanting) : wanting
  const isNew = await deliverOne(db, tenant, {
    organizationKey,
    documentKey,
    id: input.notificationId ?? randomId('nt_'),
    annotationKey: null,
    commentId: null,
    record: recordOf(input, people.complete(actionUser)),
    recipients: await withFields(db, tenant, place, admitted, input.context),
  })
  return { success: true, message: isNew ? ADDED : EXISTS }
})
