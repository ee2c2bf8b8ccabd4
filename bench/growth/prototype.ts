import { type Api, createClient } from '../../client/src/index.ts'
import type { Credentials } from '../subject.ts'

/** The organization that everything lies in. */
export const ORGANIZATION = 'acme'
const place = { organizationId: ORGANIZATION, documentId: 'document-0' }
const from = { userId: 'user-0', name: 'User 0', email: 'user-0@example.com' }
const AT = 1_780_000_000_000

/** The ids that the service gave to what it made. */
export interface Prototypes {
  endpointId: string
  /** A knowledge source. */
  sourceId: string
  migrationId: string
  /** The job of an erasure. */
  jobId: string
}

/** Writes one record of each kind through the API, with ids that end in 0. `fill` multiplies them by SQL. */
export async function writePrototypes(baseUrl: string, credentials: Credentials): Promise<Prototypes> {
  const api = createClient({ baseUrl, ...credentials })
  const organizationId = ORGANIZATION
  const organizations = [{ organizationId }, { organizationId: 'organization-0', organizationName: 'Organization 0' }]
  await api.organizations.addOrganizations({ organizations })
  await api.folders.addFolders({ organizationId, folders: [{ folderId: 'folder-0', folderName: 'Folder 0' }] })
  await api.documents.addDocuments({
    organizationId,
    documents: [{ documentId: 'document-0', documentName: 'Plan 0' }],
  })
  await api.users.addUsers({ organizationId, users: [from] })
  await api.userGroups.addUserGroups({ organizationId, organizationUserGroups: [{ groupId: 'group-0' }] })
  await api.userGroups.addGroupUsers({ organizationId, organizationUserGroupId: 'group-0', userIds: ['user-0'] })
  await api.activities.updateActivityConfig({ activityServiceConfig: { isEnabled: true } })
  await api.notifications.updateNotificationConfig({ useNotificationService: true })
  await api.webhooks.updateAdvancedWebhookConfig({ isEnabled: true })
  const endpoint = await api.webhooks.createEndpoint({ url: 'https://hooks.example.com/' })
  const activities = [
    {
      id: 'activity-0',
      featureType: 'custom',
      actionType: 'view',
      actionUser: from,
      targetEntityId: 'target-0',
    } as const,
  ]
  await api.activities.addActivities({ ...place, activities })
  await api.notifications.addNotifications({
    ...place,
    notificationId: 'notification-0',
    actionUser: from,
    notifyUsers: [from],
    notifyAll: false,
    displayHeadlineMessageTemplate: 'Look here',
    displayBodyMessage: 'Please',
  })
  await writeThread(api)
  const judgment = { decision: 'approve', reasoning: 'The total matches the order.', content: 'Invoice' } as const
  await api.memory.addJudgments({
    ...place,
    judgments: [{ ...judgment, recordId: 'judgment-0', actionUser: from, createdAt: AT }],
  })
  await api.notifications.setUserNotificationConfig({
    organizationId,
    documentIds: ['document-0'],
    userIds: ['user-0'],
    config: { inbox: 'ALL', email: 'NONE' },
  })
  return { endpointId: endpoint.data.id, ...(await writeOthers(api)) }
}

/** Writes what `fill` does not multiply. */
async function writeOthers(api: Api): Promise<Omit<Prototypes, 'endpointId'>> {
  const document = { organizationId: ORGANIZATION, documentId: 'document-before' }
  await api.documents.addDocuments({ organizationId: ORGANIZATION, documents: [{ documentId: document.documentId }] })
  const migration = await api.documents.migrateDocument({ ...document, newDocumentId: 'document-after' })
  const erasure = await api.userData.deleteUserData({ userIds: ['nobody'] })
  const { sourceId } = await api.knowledge.ingestKnowledge({
    source: 'inline',
    file: ruleFile('- Totals match the order.'),
  })
  return { sourceId, migrationId: migration.data.migrationId, jobId: erasure.data.jobId }
}

/** A file with rules, as `knowledge/ingest` takes it. */
export const ruleFile = (text: string) =>
  ({
    base64: Buffer.from(text).toString('base64'),
    mimeType: 'text/plain',
    fileName: 'rules.txt',
    fileSize: text.length,
  }) as const

async function writeThread(api: Api): Promise<void> {
  const commentData = [{ commentId: 1, from, commentText: 'Which one do we mean?' }]
  await api.comments.addCommentAnnotations({
    ...place,
    commentAnnotations: [{ annotationId: 'thread-0', location: { id: 'location-0' }, commentData }],
    triggerActivities: false,
  })
  const reactions = [{ reactionId: 'reaction-0', icon: 'ok', from }]
  await api.reactions.addReactions({ ...place, annotationId: 'thread-0', reactions, triggerActivities: false })
  const recordedTime = { duration: 1_000, display: '00:00:01' }
  await api.recordings.addRecordings({
    ...place,
    recordings: [
      { annotationId: 'recording-0', from, recordingType: 'audio', mode: 'floating', recordedTime, attachments: [] },
    ],
    triggerActivities: false,
  })
}
