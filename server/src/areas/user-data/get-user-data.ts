import { FIRST_KEY, keyOf } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, nullable, Type } from '../../platform/schema.ts'
import { ShownThread } from '../comments/thread/shown-thread.ts'
import { Notification } from '../notifications/notification.ts'
import type { Position } from '../notifications/read-notifications.ts'
import { organizationKeyOf } from '../organizations/organization-key.ts'
import { ReactionAnnotation } from '../reactions/reaction.ts'
import { Recording } from '../recordings/recording.ts'
import { User } from '../users/user.ts'
import { exportNotifications, exportReactions, exportRecordings } from './export.ts'
import { exportThreads, type ThreadCursor } from './export-threads.ts'
import { readProfile } from './read-profile.ts'

const PATH = '/v2/users/data/get'

/** The cursor of each list; null: it has ended. */
interface Cursors {
  comments: ThreadCursor | null
  reactions: number | null
  recordings: number | null
  notifications: Position | null
}

const START: Cursors = { comments: [FIRST_KEY, null], reactions: 0, recordings: 0, notifications: [0, FIRST_KEY] }
const ENDED = { items: [], next: null }

/**
 * Returns all data of a user in an organization, at most 100 items of each kind per page. One token continues all
 * lists.
 */
export const getUserData = operation({
  path: PATH,
  twin: '/v1/users/data/get',
  auth: 'apiKey',
  access: 'read',
  administers: true,
  summary: "Get a user's data",
  input: Type.Object({
    organizationId: identifier('Id of the organization.'),
    userId: identifier('Id of the user.'),
    pageToken: Type.Optional(Type.String({ description: 'From the page before.' })),
  }),
  example: { organizationId: 'example', userId: 'sam' },
  output: Type.Object({
    user: nullable(User),
    comments: Type.Array(ShownThread, {
      description:
        'Threads that the user wrote in or started, or is mentioned in and may see. Each shows the comments of the user ' +
        'first; where they do not fit, it is repeated on the next page with the rest.',
    }),
    reactions: Type.Array(ReactionAnnotation),
    recordings: Type.Array(Recording),
    notifications: Type.Array(Notification, { description: 'Those that the user got or caused.' }),
  }),
  errors: [],
  message: 'Data fetched successfully.',
  page: 'nextPageToken',
}).run(async (context) => {
  const { db, tenant, input, pageTokens, config } = context
  const { organizationId, userId, pageToken } = input
  const scope = { operation: PATH, tenant: tenant.apiKey, filters: [organizationId, userId] }
  const from = pageToken === undefined ? START : (pageTokens.open(scope, pageToken) as Cursors)
  const subject = {
    organizationId,
    organizationKey: organizationKeyOf(tenant, organizationId),
    userId,
    userKey: keyOf(userId),
    // The four kinds of records share a page.
    maxBytes: config.pageLimitBytes / 4,
  }
  const [user, comments, reactions, recordings, notifications] = await Promise.all([
    readProfile(db, tenant, subject),
    from.comments === null ? ENDED : exportThreads(context, subject, from.comments),
    from.reactions === null ? ENDED : exportReactions(db, tenant, subject, from.reactions),
    from.recordings === null ? ENDED : exportRecordings(db, tenant, subject, from.recordings),
    from.notifications === null ? ENDED : exportNotifications(db, tenant, subject, from.notifications),
  ])
  const next: Cursors = {
    comments: comments.next,
    reactions: reactions.next,
    recordings: recordings.next,
    notifications: notifications.next,
  }
  return {
    data: {
      user,
      comments: comments.items,
      reactions: reactions.items,
      recordings: recordings.items,
      notifications: notifications.items,
    },
    next: Object.values(next).some((cursor) => cursor !== null) ? pageTokens.seal(scope, next) : null,
  }
})
