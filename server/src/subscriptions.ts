import { recordCommentActivities, recordRecordingActivities } from './areas/activities/on-changes.ts'
import { moveActivitiesOfDocument } from './areas/activities/on-document-migrated.ts'
import { moveThreadsOfDocument } from './areas/comments/on-document-migrated.ts'
import { deleteThreadsOfLocations, moveThreadsOfLocations } from './areas/comments/on-location-changed.ts'
import { deleteThreadsOfDocuments, deleteThreadsOfOrganizations } from './areas/comments/on-places-deleted.ts'
import { endSubscriptions } from './areas/comments/on-users-removed.ts'
import { removeThreadsOfRetired } from './areas/comments/remove-threads.job.ts'
import { announceDocumentsOfFolders } from './areas/documents/on-folders-deleted.ts'
import { deleteDocumentsOfOrganizations } from './areas/documents/on-organizations-deleted.ts'
import { queueEmails } from './areas/email/on-notifications-created.ts'
import { endEmails } from './areas/email/on-users-removed.ts'
import { deleteFoldersOfOrganizations } from './areas/folders/on-organizations-deleted.ts'
import {
  deleteKnowledgeOfDocuments,
  deleteKnowledgeOfOrganizations,
  deleteKnowledgeOfRetired,
  moveKnowledgeOfDocument,
} from './areas/knowledge/on-places-deleted.ts'
import { forgetActivityDecisions, rememberActivityDecisions } from './areas/memory/on-activities-recorded.ts'
import { forgetThreadDecisions, rememberCommentDecisions } from './areas/memory/on-comment-changed.ts'
import { moveJudgmentsOfDocument } from './areas/memory/on-document-migrated.ts'
import {
  deleteJudgmentsOfDocuments,
  deleteJudgmentsOfLocations,
  deleteJudgmentsOfOrganizations,
  deleteJudgmentsOfRetired,
  moveJudgmentsOfLocations,
  moveJudgmentsOfThreads,
} from './areas/memory/on-places-deleted.ts'
import { notifyOfCommentChanges } from './areas/notifications/on-comment-changed.ts'
import { followContexts } from './areas/notifications/on-context-changed.ts'
import { moveNotificationsOfDocument } from './areas/notifications/on-document-migrated.ts'
import {
  deleteNotificationsOfLocations,
  moveNotificationsOfLocations,
  moveNotificationsOfThreads,
} from './areas/notifications/on-location-changed.ts'
import { withdrawFromExcluded } from './areas/notifications/on-visibility-changed.ts'
import { removeEmptied } from './areas/organizations/remove-organization.job.ts'
import { moveGrantsOfDocument } from './areas/permissions/on-document-migrated.ts'
import { dropDocumentGrants, dropFolderGrants } from './areas/permissions/on-resources-deleted.ts'
import { moveReactionsOfDocument } from './areas/reactions/on-document-migrated.ts'
import {
  deleteReactionsOfLocations,
  moveReactionsOfLocations,
  moveReactionsOfThreads,
} from './areas/reactions/on-location-changed.ts'
import { moveRecordingsOfDocument } from './areas/recordings/on-document-migrated.ts'
import { deleteRecordingsOfLocations, moveRecordingsOfLocations } from './areas/recordings/on-location-changed.ts'
import { leaveGroups } from './areas/user-groups/on-memberships-ended.ts'
import { queueDeliveries } from './areas/webhooks/on-event.ts'
import { applyConfigOfNewKey } from './areas/webhooks/on-service-configured.ts'
import type { Subscription } from './platform/event.ts'

/** The reactions to events inside the transaction of the change, in this order. */
export const subscriptions: Subscription[] = [
  applyConfigOfNewKey,
  announceDocumentsOfFolders,
  deleteThreadsOfDocuments,
  deleteThreadsOfOrganizations,
  removeThreadsOfRetired,
  removeEmptied,
  dropDocumentGrants,
  dropFolderGrants,
  leaveGroups,
  endSubscriptions,
  endEmails,
  deleteThreadsOfLocations,
  moveThreadsOfLocations,
  deleteReactionsOfLocations,
  moveReactionsOfLocations,
  moveReactionsOfThreads,
  deleteRecordingsOfLocations,
  moveRecordingsOfLocations,
  deleteNotificationsOfLocations,
  moveNotificationsOfLocations,
  moveNotificationsOfThreads,
  followContexts,
  recordCommentActivities,
  recordRecordingActivities,
  notifyOfCommentChanges,
  withdrawFromExcluded,
  queueEmails,
  queueDeliveries,
  rememberCommentDecisions,
  rememberActivityDecisions,
  forgetThreadDecisions,
  forgetActivityDecisions,
  deleteJudgmentsOfOrganizations,
  deleteJudgmentsOfRetired,
  deleteJudgmentsOfDocuments,
  deleteJudgmentsOfLocations,
  moveJudgmentsOfLocations,
  moveJudgmentsOfThreads,
  deleteKnowledgeOfOrganizations,
  deleteKnowledgeOfRetired,
  deleteKnowledgeOfDocuments,
  deleteDocumentsOfOrganizations,
  deleteFoldersOfOrganizations,
  moveGrantsOfDocument,
  moveThreadsOfDocument,
  moveReactionsOfDocument,
  moveRecordingsOfDocument,
  moveNotificationsOfDocument,
  moveActivitiesOfDocument,
  moveJudgmentsOfDocument,
  moveKnowledgeOfDocument,
]
