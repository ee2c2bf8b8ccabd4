import type { Api } from './api.ts'

type Result<Operation> = Operation extends (...input: never[]) => Promise<infer Answer> ? Answer : never
type Data<Operation> = Result<Operation> extends { data: infer Value } ? Value : never
/** A record of the list that an operation returns. */
type Listed<Operation> = NonNullable<Extract<Data<Operation>, readonly unknown[]>[number]>

export type Organization = Listed<Api['organizations']['getOrganizations']>
export type Folder = Listed<Api['folders']['getFolders']>
export type Document = Listed<Api['documents']['getDocuments']>

/** A user as a list of users shows it, with the role at the level that was asked for. */
export type User = Listed<Api['users']['getUsers']>
export type UserGroup = Listed<Api['userGroups']['getUserGroups']>
/** What one check of `permissions/check` says. */
export type PermissionDecision = Listed<Api['permissions']['checkPermissions']>

/** A comment thread; the operations call it comment annotation. */
export type Thread = Listed<Api['comments']['getCommentAnnotations']>
export type Comment = Thread['comments'][number]
export type Status = Thread['status']
export type Priority = NonNullable<Thread['priority']>
export type Reaction = Listed<Api['reactions']['getReactions']>
export type Recording = Listed<Api['recordings']['getRecordings']>

export type Activity = Listed<Api['activities']['getActivities']>
export type Notification = Listed<Api['notifications']['getNotifications']>

/** An advanced webhook endpoint. */
export type Endpoint = Data<Api['webhooks']['getEndpoints']>['endpoints'][number]
export type Delivery = Listed<Api['webhooks']['listDeliveries']>

/** A past decision, as a search finds it. */
export type Judgment = Result<Api['memory']['searchJudgments']>['results'][number]
/** What `memory/suggest` suggests. */
export type Suggestion = NonNullable<Result<Api['memory']['suggestDecision']>['primary']>
export type KnowledgeSource = Result<Api['knowledge']['listKnowledge']>[number]
