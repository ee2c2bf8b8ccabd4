import { ORGANIZATION } from './prototype.ts'

/** Whose data a call works on: the rows of each record, and what only this key has. */
export interface Subject {
  apiKey: string
  authToken: string
  endpointId: string
  eventId: string
  rows: number
}

/** The input of the `i`-th call. `n` numbers an existing record, another for each call. */
type Call = (input: { i: number; n: number; subject: Subject }) => object

const organizationId = ORGANIZATION
const inAcme = { organizationId }
const share = (n: number, { rows }: Subject) => n % (Math.floor(rows / 1_000) + 1)
const documentOf = (n: number, subject: Subject) => `document-${share(n, subject)}`
const userOf = (n: number, subject: Subject) => `user-${share(n, subject)}`
const user = (n: number) => ({ userId: `user-${n}`, name: `User ${n}`, email: `user-${n}@example.com` })
const ofThread: Call = ({ n, subject }) => ({
  ...inAcme,
  documentId: documentOf(n, subject),
  annotationId: `thread-${n}`,
})
const threadsOf: Call = ({ n, subject }) => ({
  ...inAcme,
  documentId: documentOf(n, subject),
  annotationIds: [`thread-${n}`],
})
const page = { ...inAcme, pageSize: 10 }
const onDocument: Call = ({ n }) => ({ ...inAcme, documentIds: [`document-${n}`] })
const plain: Call = () => ({})
const resources = (n: number) => ({ resources: [{ type: 'document', id: `document-${n}`, organizationId }] })
const delivery: Call = ({ n, subject: { eventId, endpointId } }) => ({
  deliveryId: `dlv_${eventId.slice(4, 18)}${String(n).padStart(12, '0')}_${endpointId.slice(3)}`,
})

const PLACES: Record<string, Call> = {
  '/v2/organizations/add': ({ i }) => ({ organizations: [{ organizationId: `new-${i}` }] }),
  '/v2/organizations/delete': ({ n }) => ({ organizationIds: [`organization-${n}`] }),
  '/v2/organizations/delete/status': plain,
  '/v2/organizations/get': () => ({ pageSize: 10 }),
  '/v2/organizations/search': ({ n }) => ({ query: `organization ${n}` }),
  '/v2/organizations/update': ({ n }) => ({ organizations: [{ organizationId: `organization-${n}`, plan: 'x' }] }),
  '/v2/organizations/access/disablestate/update': ({ n }) => ({
    organizationIds: [`organization-${n}`],
    disabled: true,
  }),
  '/v2/organizations/folders/add': ({ i }) => ({ ...inAcme, folders: [{ folderId: `new-${i}` }] }),
  '/v2/organizations/folders/delete': ({ n }) => ({ ...inAcme, folderId: `folder-${n}` }),
  '/v2/organizations/folders/get': () => page,
  '/v2/organizations/folders/update': ({ n }) => ({ ...inAcme, folders: [{ folderId: `folder-${n}`, color: 'x' }] }),
  '/v2/organizations/folders/access/update': ({ n }) => ({
    ...inAcme,
    folderIds: [`folder-${n}`],
    accessType: 'restricted',
  }),
  '/v2/organizations/documents/add': ({ i }) => ({ ...inAcme, documents: [{ documentId: `new-${i}` }] }),
  '/v2/organizations/documents/count': () => inAcme,
  '/v2/organizations/documents/delete': onDocument,
  '/v2/organizations/documents/get': () => page,
  '/v1/organizations/documents/get': onDocument,
  '/v2/organizations/documents/migrate': ({ i, n }) => ({
    ...inAcme,
    documentId: `document-${n}`,
    newDocumentId: `moved-${i}`,
  }),
  '/v2/organizations/documents/move': (call) => ({ ...onDocument(call), folderId: `folder-${call.n}` }),
  '/v2/organizations/documents/update': ({ n }) => ({
    ...inAcme,
    documents: [{ documentId: `document-${n}`, documentName: 'x' }],
  }),
  '/v2/organizations/documents/access/update': (call) => ({ ...onDocument(call), accessType: 'restricted' }),
  '/v2/organizations/documents/access/disablestate/update': (call) => ({ ...onDocument(call), disabled: true }),
  '/v1/organizations/documents/locations/data/delete': ({ n, subject: { apiKey, authToken } }) => ({
    ...inAcme,
    apiKey,
    authToken,
    documentId: `document-${n}`,
    location: { id: 'location-0' },
  }),
  '/v1/organizations/documents/locations/update': ({ n, subject: { apiKey, authToken } }) => ({
    ...inAcme,
    apiKey,
    authToken,
    documentId: `document-${n}`,
    migrate: { oldLocation: { id: 'location-0' }, newLocation: { id: 'location-1' } },
  }),
}

const PEOPLE: Record<string, Call> = {
  '/v2/auth/permissions/add': ({ n }) => ({ user: { userId: `user-${n}` }, permissions: resources(n) }),
  '/v2/auth/permissions/check': ({ n }) => ({
    ...inAcme,
    checks: [{ userId: `user-${n}`, resource: { type: 'document', id: `document-${n}` }, action: 'view' }],
  }),
  '/v2/auth/generate_signature': ({ n }) => ({
    permissions: [{ userId: `user-${n}`, resourceId: `document-${n}`, type: 'document', hasAccess: true }],
  }),
  '/v2/auth/generate_token': ({ n }) => ({
    userId: `user-${n}`,
    userProperties: { name: 'x' },
    permissions: resources(n),
  }),
  '/v2/auth/token/get': ({ n, subject: { apiKey, authToken } }) => ({
    apiKey,
    authToken,
    userId: `user-${n}`,
    userProperties: inAcme,
  }),
  '/v2/auth/permissions/get': ({ n }) => ({ ...inAcme, userIds: [`user-${n}`], documentIds: [`document-${n}`] }),
  '/v2/auth/permissions/remove': ({ n }) => ({ userId: `user-${n}`, permissions: resources(n) }),
  '/v2/users/add': ({ i }) => ({ ...inAcme, users: [{ userId: `new-${i}`, name: 'x' }] }),
  '/v1/users/add': ({ i }) => ({ ...inAcme, users: [{ userId: `new-1-${i}`, name: 'x' }] }),
  '/v2/users/count': () => inAcme,
  '/v2/users/delete': ({ n }) => ({ ...inAcme, userIds: [`user-${n}`] }),
  '/v2/users/get': () => page,
  '/v2/users/search': ({ n }) => ({ query: `user ${n}` }),
  '/v2/users/update': ({ n }) => ({ ...inAcme, users: [{ userId: `user-${n}`, name: 'x' }] }),
  '/v1/users/update': ({ n }) => ({ ...inAcme, users: [{ userId: `user-${n}`, name: 'x' }] }),
  '/v2/organizations/usergroups/users/add': ({ n }) => ({
    ...inAcme,
    organizationUserGroupId: `group-${n}`,
    userIds: [`user-${n}`],
  }),
  '/v2/organizations/usergroups/add': ({ i }) => ({ ...inAcme, organizationUserGroups: [{ groupId: `new-${i}` }] }),
  '/v2/organizations/usergroups/users/delete': ({ n }) => ({
    ...inAcme,
    organizationUserGroupId: 'group-0',
    userIds: [`user-${n}`],
  }),
  '/v2/organizations/usergroups/delete': ({ n }) => ({ ...inAcme, organizationUserGroupIds: [`group-${n}`] }),
  '/v2/organizations/usergroups/get': () => page,
  '/v2/organizations/usergroups/update': ({ n }) => ({
    ...inAcme,
    organizationUserGroups: [{ groupId: `group-${n}`, groupName: 'x' }],
  }),
  '/v2/users/data/get': ({ n, subject }) => ({ ...inAcme, userId: userOf(n, subject) }),
  '/v2/users/data/delete': ({ n }) => ({ userIds: [`user-${n}`] }),
}

const CONVERSATION: Record<string, Call> = {
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

const SETTINGS: Record<string, Call> = {
  '/v2/workspace/domains/add': ({ i }) => ({ domains: [`new-${i}.example.com`] }),
  '/v2/workspace/domains/delete': ({ i }) => ({ domains: [`new-${i}.example.com`] }),
  '/v2/workspace/apikeyconfig/get': plain,
  '/v2/workspace/apikeymetadata/get': plain,
  '/v2/workspace/domains/get': plain,
  '/v2/workspace/requests/list': () => ({ pageSize: 10 }),
  '/v2/workspace/apikeyconfig/update': () => ({ advancedQueries: true }),
  '/v2/workspace/permissionproviderconfig/get': plain,
  '/v2/workspace/permissionproviderconfig/update': () => ({ permissionProviderConfig: {} }),
  '/v2/workspace/activityconfig/get': plain,
  '/v2/workspace/activityconfig/update': () => ({ activityServiceConfig: { isEnabled: true } }),
  '/v2/workspace/notificationconfig/get': plain,
  '/v2/workspace/notificationconfig/update': () => ({ useNotificationService: true }),
  '/v2/workspace/emailconfig/get': plain,
  '/v2/workspace/emails/list': () => ({ pageSize: 10 }),
  '/v2/workspace/emails/preview': plain,
  '/v2/workspace/advancedwebhook/endpoints/create': () => ({ url: 'https://hooks.example.com/', disabled: true }),
  '/v2/workspace/advancedwebhookconfig/get': plain,
  '/v2/workspace/advancedwebhookconfig/update': () => ({ isEnabled: true }),
  '/v2/workspace/advancedwebhook/endpoints/secret/get': ({ subject: { endpointId } }) => ({ endpointId }),
  '/v2/workspace/advancedwebhook/endpoints/secret/rotate': ({ subject: { endpointId } }) => ({ endpointId }),
  '/v2/workspace/advancedwebhook/endpoints/update': ({ subject: { endpointId } }) => ({ endpointId, description: 'x' }),
  '/v2/workspace/advancedwebhook/endpoints/get': plain,
  '/v2/workspace/advancedwebhook/endpoints/test': ({ subject: { endpointId } }) => ({ endpointId }),
  '/v2/workspace/advancedwebhook/deliveries/list': () => ({ pageSize: 10 }),
  '/v2/workspace/advancedwebhook/deliveries/get': delivery,
  '/v2/workspace/advancedwebhook/deliveries/resend': delivery,
  '/v2/workspace/webhookconfig/get': plain,
  '/v2/workspace/webhookconfig/update': () => ({ useWebhookService: false }),
}

const MEMORY: Record<string, Call> = {
  '/v2/memory/judgments/add': ({ i, n }) => ({
    ...inAcme,
    judgments: [{ recordId: `new-${i}`, decision: 'approve', reasoning: 'x', actionUser: user(n) }],
  }),
  '/v2/memory/judgments/delete': ({ n }) => ({ recordIds: [`judgment-${n}`] }),
  '/v2/memory/judgments/query': () => ({ ...inAcme, limit: 10 }),
  '/v2/memory/evaluations/get': plain,
  '/v2/memory/stats/get': plain,
  '/v2/memory/alerts/config/get': plain,
  '/v2/memory/alerts/config/update': () => ({ config: { enabled: true } }),
  '/v2/memory/alerts/list': plain,
  '/v2/memory/knowledge/list': plain,
  '/v2/memory/knowledge/search': () => ({ query: 'invoice' }),
  '/v2/memory/knowledge/upload-url': () => ({ mimeType: 'text/plain', fileSize: 10, fileName: 'a.txt' }),
  '/v2/memory/knowledge/ingest': ({ i }) => {
    const text = `- Rule ${i}.`
    const base64 = Buffer.from(text).toString('base64')
    return {
      source: 'inline',
      file: { base64, mimeType: 'text/plain', fileName: 'a.txt', fileSize: text.length },
    }
  },
}

/** The calls that are measured, by path. */
export const CALLS: Record<string, Call> = { ...PLACES, ...PEOPLE, ...CONVERSATION, ...SETTINGS, ...MEMORY }
