import type { App } from '../app.ts'
import type { ApiKeyTenant } from '../platform/context.ts'
import { judgmentsUntil } from './judgments.ts'
import { DOCUMENTS, FOLDERS, ORGANIZATION, PEOPLE, REVIEWERS } from './places.ts'
import { POLICY } from './policy.ts'
import { DECISIONS, REACTIONS, THREADS, threadUntil } from './threads.ts'

const organizationId = ORGANIZATION

/**
 * Gives a new API key the people, the documents and the past judgments of a small team, in one organization. A
 * suggestion can be asked for afterwards.
 */
export async function addExample(app: App, tenant: ApiKeyTenant): Promise<void> {
  const call = callerFor(app, tenant)
  await addPlaces(call)
  await call('/v2/memory/judgments/add', { organizationId, judgments: judgmentsUntil(app.services.clock.now()) })
}

/**
 * Adds the access and the rules of that team, its threads, and what follows from these: notifications and activities,
 * which it switches on. Webhooks and emails stay off, so nothing leaves the service.
 */
export async function completeExample(app: App, tenant: ApiKeyTenant): Promise<void> {
  const call = callerFor(app, tenant)
  await addAccess(call)
  await addPolicy(call)
  await call('/v2/workspace/activityconfig/update', { activityServiceConfig: { isEnabled: true } })
  await call('/v2/workspace/notificationconfig/update', { useNotificationService: true })
  await addThreads(call, app.services.clock.now())
}

type Call = (path: string, data: object) => Promise<unknown>

/** Calls operations as a caller with the API key does. */
const callerFor =
  (app: App, { workspaceId, apiKey }: ApiKeyTenant): Call =>
  (path, data) =>
    app.callInside(path, data, { workspaceId, apiKey })

async function addPlaces(call: Call): Promise<void> {
  await call('/v2/organizations/add', {
    organizations: [{ organizationId, organizationName: 'Larkwing Bikes (example)' }],
  })
  await call('/v2/users/add', { organizationId, users: PEOPLE })
  await call('/v2/organizations/folders/add', { organizationId, folders: FOLDERS })
  for (const [folderId, documents] of Object.entries(DOCUMENTS)) {
    await call('/v2/organizations/documents/add', { organizationId, folderId, documents })
  }
}

async function addAccess(call: Call): Promise<void> {
  await call('/v2/organizations/usergroups/add', {
    organizationId,
    organizationUserGroups: [{ groupId: 'designers', groupName: 'Designers' }],
  })
  await call('/v2/organizations/usergroups/users/add', {
    organizationId,
    organizationUserGroupId: 'designers',
    userIds: ['tomas', 'owen'],
  })
  // The poster is restricted, and Iris comes in by no folder of it.
  const editors = ['june', 'owen'].map((userId) => ({ userId, accessRole: 'editor' }))
  await call('/v2/users/add', { organizationId, documentId: 'poster', users: editors })
  const reviewers = REVIEWERS.map((userId) => ({ userId, accessRole: 'viewer' }))
  await call('/v2/users/add', { organizationId, folderId: 'campaigns', users: reviewers })
}

async function addPolicy(call: Call): Promise<void> {
  const bytes = Buffer.from(POLICY)
  await call('/v2/memory/knowledge/ingest', {
    organizationId,
    source: 'inline',
    file: {
      base64: bytes.toString('base64'),
      mimeType: 'text/plain',
      fileName: 'review-guideline.md',
      fileSize: bytes.length,
    },
  })
}

async function addThreads(call: Call, now: number): Promise<void> {
  for (const [documentId, threads] of Object.entries(THREADS)) {
    const commentAnnotations = threads.map((thread) => threadUntil(now, thread))
    await call('/v2/commentannotations/add', { organizationId, documentId, commentAnnotations })
  }
  for (const { documentId, annotationId, commentId, icon, userId } of REACTIONS) {
    const reactions = [{ icon, from: { userId } }]
    await call('/v2/reactions/add', { organizationId, documentId, annotationId, commentId, reactions })
  }
  for (const { documentId, annotationId, userId, updatedData } of DECISIONS) {
    await call('/v2/commentannotations/update', {
      organizationId,
      documentId,
      annotationIds: [annotationId],
      updatedData,
      actionUser: { userId },
    })
  }
}
