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
export const consoleRegistry: Registry = { operators }
