import { inAcme, user } from './calls/call.ts'

const RECORDS = 1_000
const BATCH = 50

const page = { ...inAcme, pageSize: RECORDS }
const ids = (noun: string, count = RECORDS) => Array.from({ length: count }, (_, i) => `${noun}-${i + 1}`)
const batch = <Item>(item: (n: number) => Item) => Array.from({ length: BATCH }, (_, n) => item(n))
const inDocument = { ...inAcme, documentId: 'document-0' }
const ofThread = { ...inDocument, annotationId: 'many-0' }

/** Calls that read or change many records at once, by what they do, in the order in which they work. */
export const MANY: Record<string, [path: string, data: object]> = {
  'a page of folders': ['/v2/organizations/folders/get', page],
  'a page of documents': ['/v2/organizations/documents/get', page],
  'documents by id': ['/v2/organizations/documents/get', { ...page, documentIds: ids('document') }],
  'a page of users': ['/v2/users/get', page],
  'users by id': ['/v2/users/get', { ...page, userIds: ids('user') }],
  'the users of a group': ['/v2/users/get', { ...page, organizationUserGroupId: 'group-0' }],
  'a page of user groups': ['/v2/organizations/usergroups/get', page],
  'a page of threads': ['/v2/commentannotations/get', page],
  'threads by id': ['/v2/commentannotations/get', { ...page, annotationIds: ids('thread') }],
  'the threads of a document': ['/v2/commentannotations/get', { ...page, documentIds: ['document-0', 'document-1'] }],
  'counts of threads': [
    '/v2/commentannotations/count/get',
    { ...inAcme, documentIds: ids('document', 30), userId: 'user-0' },
  ],
  'a page of reactions': ['/v2/reactions/get', page],
  'reactions by id': ['/v2/reactions/get', { ...page, reactionIds: ids('reaction', 30) }],
  'a page of recordings': ['/v2/recordings/get', page],
  'recordings by id': ['/v2/recordings/get', { ...page, recordingIds: ids('recording', 30) }],
  'a page of activities': ['/v2/activities/get', page],
  'a page of notifications': ['/v2/notifications/get', { ...page, userId: 'user-0' }],
  'the notifications of a document': ['/v2/notifications/get', { ...page, documentId: 'document-0' }],
  'the permissions of users': [
    '/v2/auth/permissions/get',
    { ...inAcme, userIds: ids('user', BATCH), documentIds: ids('document', 30) },
  ],
  'the data of a user': ['/v2/users/data/get', { ...inAcme, userId: 'user-0' }],
  'a page of deliveries': ['/v2/workspace/advancedwebhook/deliveries/list', { pageSize: RECORDS }],
  'users that are added': ['/v2/users/add', { ...inAcme, users: batch((n) => user(n)) }],
  'documents that are updated': [
    '/v2/organizations/documents/update',
    { ...inAcme, documents: batch((n) => ({ documentId: `document-${n}`, documentName: 'x' })) },
  ],
  'folders that are updated': [
    '/v2/organizations/folders/update',
    { ...inAcme, folders: batch((n) => ({ folderId: `folder-${n}`, folderName: 'x' })) },
  ],
  'users who join a group': [
    '/v2/organizations/usergroups/users/add',
    { ...inAcme, organizationUserGroupId: 'group-1', userIds: ids('user', BATCH) },
  ],
  'threads that are added': [
    '/v2/commentannotations/add',
    {
      ...inDocument,
      commentAnnotations: batch((n) => ({
        annotationId: `many-${n}`,
        commentData: [{ from: user(n), commentText: 'Look' }],
      })),
    },
  ],
  'threads that are updated': [
    '/v2/commentannotations/update',
    { ...inDocument, annotationIds: batch((n) => `many-${n}`), updatedData: { context: { a: 1 } } },
  ],
  'comments that are added': [
    '/v2/commentannotations/comments/add',
    { ...ofThread, commentData: batch((n) => ({ from: user(n), commentText: 'Yes' })) },
  ],
  'reactions that are added': [
    '/v2/reactions/add',
    { ...ofThread, reactions: batch((n) => ({ reactionId: `many-${n}`, icon: 'ok', from: user(n) })) },
  ],
  'reactions that are deleted': ['/v2/reactions/delete', { ...inAcme, reactionIds: batch((n) => `many-${n}`) }],
  'a notification to many users': [
    '/v2/notifications/add',
    {
      ...inDocument,
      notificationId: 'many',
      actionUser: user(0),
      notifyUsers: batch((n) => user(n)),
      notifyAll: false,
      displayHeadlineMessageTemplate: 'x',
      displayBodyMessage: 'x',
    },
  ],
  'threads that are deleted': [
    '/v2/commentannotations/delete',
    { ...inDocument, annotationIds: batch((n) => `many-${n}`) },
  ],
  'documents that are deleted': [
    '/v2/organizations/documents/delete',
    { ...inAcme, documentIds: batch((n) => `document-${n + RECORDS}`) },
  ],
  'users who are deleted': ['/v2/users/delete', { ...inAcme, userIds: batch((n) => `user-${n + RECORDS}`) }],
}
