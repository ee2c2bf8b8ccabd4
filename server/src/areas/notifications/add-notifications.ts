import { together } from '../../platform/db/db.ts'
import { randomId } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { SIZE_LIMIT } from '../../platform/record-size.ts'
import { itemResult } from '../../platform/schema.ts'
import { ownTurn } from '../../platform/turns/yield.ts'
import { lookUpPeople } from '../comments/comment/person.ts'
import { ensurePlace, keysOfPlace } from '../comments/thread/place.ts'
import { deliverOne } from './deliver.ts'
import { NotificationInput, notificationIssues, recordOf } from './notification-input.ts'
import {
  type Candidate,
  type Member,
  nextMembers,
  optedInUsers,
  PORTION,
  withAccess,
  withAccessFields,
} from './recipients/candidates.ts'

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
  const { actionUser, notifyUsers = [], notificationId: id = randomId('nt_') } = input
  const userIds = [actionUser, ...notifyUsers].map(({ userId }) => userId)
  const [place, people, first] = await together([
    ensurePlace(db, tenant, input),
    lookUpPeople(db, tenant, userIds),
    input.notifyAll === false
      ? Promise.resolve([])
      : nextMembers(db, tenant, keysOfPlace(tenant, input).organizationKey),
  ])
  const { organizationKey, documentKey } = place
  const record = recordOf(input, people.complete(actionUser))
  const named = new Map(notifyUsers.map((person) => [person.userId, people.complete(person)]))
  const others = (members: Member[]) =>
    members.flatMap(({ user }) =>
      user.userId === actionUser.userId || named.has(user.userId) ? [] : [{ user, forYou: false }],
    )

  async function notify(candidates: Candidate[]): Promise<boolean> {
    const wanting = await optedInUsers(db, tenant, place, candidates)
    const admitted = input.verifyUserPermissions ? await withAccess(db, tenant, place, wanting) : wanting
    const recipients = await withAccessFields(db, tenant, place, admitted, input.context)
    const target = { annotationKey: null, commentId: null }
    return deliverOne(db, tenant, { organizationKey, documentKey, id, ...target, record, recipients })
  }

  const isNew = await notify([...others(first), ...[...named.values()].map((user) => ({ user, forYou: true }))])
  for (let members = first; members.length === PORTION; ) {
    await ownTurn()
    members = await nextMembers(db, tenant, organizationKey, members.at(-1))
    await notify(others(members))
  }
  return { success: true, message: isNew ? ADDED : EXISTS }
})
