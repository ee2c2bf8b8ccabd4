import * as activities from './areas/activities/index.ts'
import * as audit from './areas/audit/index.ts'
import * as comments from './areas/comments/index.ts'
import * as documents from './areas/documents/index.ts'
import * as email from './areas/email/index.ts'
import * as folders from './areas/folders/index.ts'
import * as insights from './areas/insights/index.ts'
import * as knowledge from './areas/knowledge/index.ts'
import * as locations from './areas/locations/index.ts'
import * as memory from './areas/memory/index.ts'
import * as notifications from './areas/notifications/index.ts'
import * as operators from './areas/operators/index.ts'
import * as organizations from './areas/organizations/index.ts'
import * as permissions from './areas/permissions/index.ts'
import * as reactions from './areas/reactions/index.ts'
import * as recordings from './areas/recordings/index.ts'
import * as userData from './areas/user-data/index.ts'
import * as userGroups from './areas/user-groups/index.ts'
import * as users from './areas/users/index.ts'
import { MESSAGES, SHARED_BY_MESSAGES } from './areas/webhooks/endpoint/message-schema.ts'
import * as webhooks from './areas/webhooks/index.ts'
import * as workspaces from './areas/workspaces/index.ts'
import type { Registry } from './platform/operation.ts'

/** Every operation, one line per area; the area's name is its tag in the documentation. */
export const registry: Registry = {
  workspaces,
  organizations,
  folders,
  documents,
  permissions,
  users,
  userGroups,
  locations,
  comments,
  reactions,
  recordings,
  activities,
  notifications,
  email,
  webhooks,
  memory,
  insights,
  knowledge,
  userData,
  audit,
}

/** The operations of the console, which have doors of their own and are no part of the API. */
export const consoleRegistry = { operators } satisfies Registry

/** What the operations of each area are about, as the API reference says it. */
const AREAS: Record<string, string> = {
  workspaces: 'A workspace, its API keys and their tokens, allowed domains and options.',
  organizations: 'The customers of your product. Folders, documents, users and threads belong to one.',
  folders: 'Folders of an organization, within one another, and who may enter them.',
  documents: 'What is reviewed: a page, a file, a video. A document is in a folder or at the top.',
  permissions: 'Who may view, comment and edit what, tokens for the users of your product, and a permission provider.',
  users: 'The people of an organization, and of a folder or document.',
  userGroups: 'Groups of users, which a comment can mention.',
  locations: 'The places within a document that threads are about.',
  comments: 'Threads and their comments: mentions, assignment, priority, status, approval, suggestions of agents.',
  reactions: 'Reactions to a comment or a place.',
  recordings: 'Recordings of voice, video and screen. The files stay with you.',
  activities: 'What happened in an organization, as a log that can be made immutable and verified.',
  notifications: 'The inbox of each user, what is told to whom, and what has been read.',
  email: 'Emails about what happened: settings, a preview, a test, and what became of each.',
  webhooks: 'Events to your endpoints, signed and retried: settings, endpoints, deliveries, replay.',
  memory:
    'The decision memory: past judgments, search by words and meaning, a suggested decision, answers, evaluation.',
  insights: 'What the judgments show: patterns, profiles of reviewers, alerts.',
  knowledge: 'Policies and rules to decide by, which suggestions cite.',
  userData: 'All data of a user, to hand out or to delete.',
  audit: 'Who administered what in the workspace, as a log that can be verified.',
}

/** What the OpenAPI document says besides the operations. */
export const DESCRIBED = { areas: AREAS, messages: MESSAGES, schemas: SHARED_BY_MESSAGES }
