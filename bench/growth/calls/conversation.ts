import { type Call, documentOf, inAcme, ofThread, page, threadsOf, user, userOf } from './call.ts'

export const CONVERSATION: Record<string, Call> = {
  '/v2/commentannotations/add': ({ i, n, subject }) => ({
    ...inAcme,
    documentId: documentOf(n, subject),
    commentAnnotations: [{ annotationId: `new-${i}`, commentData: [{ from: user(n), commentText: 'Look' }] }],
  }),
  '/v2/commentannotations/comments/add': (call) => ({
    ...ofThread(call),
    commentData: [{ from: user(call.n), commentText: 'Yes' }],
  }),
  '/v2/commentannotations/count/get': ({ n, subject }) => ({
    ...inAcme,
    documentIds: [documentOf(n, subject)],
    userId: userOf(n, subject),
  }),
  '/v2/commentannotations/delete': threadsOf,
  '/v2/commentannotations/comments/delete': (call) => ({ ...ofThread(call), commentIds: [1] }),
  '/v2/commentannotations/get': () => page,
  '/v1/commentannotations/get': ({ n, subject }) => ({ ...page, documentId: documentOf(n, subject) }),
  '/v2/commentannotations/comments/get': ofThread,
  '/v2/commentannotations/update': (call) => ({ ...threadsOf(call), updatedData: { context: { a: 1 } } }),
  '/v2/commentannotations/comments/update': (call) => ({
    ...ofThread(call),
    commentIds: [1],
    updatedData: { commentText: 'Better' },
  }),
  '/v2/reactions/add': (call) => ({
    ...ofThread(call),
    reactions: [{ reactionId: `new-${call.i}`, icon: 'ok', from: user(call.n) }],
  }),
  '/v2/reactions/delete': ({ n }) => ({ ...inAcme, reactionIds: [`reaction-${n}`] }),
  '/v2/reactions/get': () => page,
  '/v2/recordings/add': ({ i, n, subject }) => ({
    ...inAcme,
    documentId: documentOf(n, subject),
    recordings: [
      {
        annotationId: `new-${i}`,
        recordingType: 'audio',
        mode: 'floating',
        recordedTime: { duration: 1 },
        attachments: [],
        from: user(n),
      },
    ],
  }),
  '/v2/recordings/delete': ({ n }) => ({ ...inAcme, recordingIds: [`recording-${n}`] }),
  '/v2/recordings/get': () => page,
  '/v2/recordings/update': ({ n, subject }) => ({
    ...inAcme,
    documentId: documentOf(n, subject),
    recordings: [{ annotationId: `recording-${n}`, displayName: 'x' }],
  }),
  '/v2/activities/add': ({ i, n, subject }) => ({
    ...inAcme,
    documentId: documentOf(n, subject),
    activities: [
      { id: `new-${i}`, featureType: 'custom', actionType: 'view', actionUser: user(n), targetEntityId: 't' },
    ],
  }),
  '/v2/activities/delete': ({ n }) => ({ ...inAcme, activityIds: [`activity-${n}`] }),
  '/v2/activities/get': () => page,
  '/v2/activities/update': ({ n }) => ({ ...inAcme, activities: [{ id: `activity-${n}`, actionIcon: 'x' }] }),
  '/v2/notifications/add': ({ i, n, subject }) => ({
    ...inAcme,
    documentId: documentOf(n, subject),
    notificationId: `new-${i}`,
    actionUser: user(0),
    notifyUsers: [user(n)],
    notifyAll: false,
    displayHeadlineMessageTemplate: 'x',
    displayBodyMessage: 'x',
  }),
  '/v2/notifications/delete': ({ n }) => ({ ...inAcme, notificationIds: [`notification-${n}`] }),
  '/v2/notifications/count/get': ({ n, subject }) => ({ ...inAcme, userId: userOf(n, subject) }),
  '/v2/notifications/get': ({ n, subject }) => ({ ...page, userId: userOf(n, subject) }),
  '/v2/notifications/config/get': ({ n }) => ({
    ...inAcme,
    documentIds: ['document-0'],
    userId: `user-${n}`,
  }),
  '/v2/notifications/config/set': ({ n }) => ({
    ...inAcme,
    documentIds: ['document-0'],
    userIds: [`user-${n}`],
    config: { inbox: 'ALL', email: 'ALL' },
  }),
  '/v2/notifications/update': ({ n, subject }) => ({
    ...inAcme,
    userId: userOf(n, subject),
    notifications: [{ id: `notification-${n}`, displayBodyMessage: 'x' }],
  }),
}
