// Generated from the messages of advanced endpoints by `npm run generate`. Do not edit.
import type { EventType } from './api.ts'

/** The thread after the event; of a deletion, before it. */
export type MessageThread = {
  annotationId: string
  /** Which thread of its document it was, from 1 on. It stays. */
  annotationNumber?: number
  /** The same. */
  annotationIndex?: number
  /** A suggestion proposes a change. */
  type?: "comment" | "suggestion"
  commentType?: string
  from?: MessageUser
  assignedTo?: MessageUser
  status?: MessageStatus
  statusUpdatedByUserId?: string
  priority?: MessagePriority
  resolvedByUserId?: string
  resolvedByUser?: MessageUser
  /** A location in the document, with any fields of your own. */
  location?: {
    /** Identifies the location; 0 is one. */
    id?: string | number
    /** Name; identifies the location when it has no id. */
    locationName?: string
    [key: string]: unknown
  }
  /** What the thread points at. */
  targetElement?: Record<string, unknown>
  /** Data of the caller. */
  context?: Record<string, unknown>
  visibilityConfig?: MessageVisibility
  suggestion?: {
    /** Id of what would change. */
    targetId?: string
    /** Kind of what would change. */
    targetType?: string
    /** The present value. */
    oldValue?: unknown
    /** The proposed value. */
    newValue?: unknown
    /** The change in words. */
    summary?: string | null
    /** Whether it was accepted or rejected. */
    status?: "pending" | "accepted" | "rejected" | "stale" | "apply_failed"
    /** Whether the target has changed since. */
    driftDetected?: boolean
    /** Why it was rejected. */
    rejectReason?: string | null
    /** Who decided. */
    resolvedBy?: Record<string, unknown> | null
    /** When it was decided, in epoch milliseconds. */
    resolvedAt?: number | null
    [key: string]: unknown
  }
  /** Further fields are kept. */
  agent?: {
    /** Id of the agent. */
    agentId?: string
    /** Where the agent runs. */
    agentSource?: string
    /** Default: external for the source `external`, else custom. */
    agentType?: "built-in" | "custom" | "external"
    /** Name of the agent. */
    agentName?: string
    /** Id of the run in which the agent wrote this. */
    executionId?: string
    /** The page that the agent reviewed. */
    url?: string
    /** What the agent found: title, description, severity, findingId, … */
    reason?: Record<string, unknown>
    /** What else is known of it. */
    agentFields?: Array<string>
    [key: string]: unknown
  }
  /** An item of a list of the caller. */
  customList?: Array<Record<string, unknown>>
  /** The page that the thread is on. */
  pageInfo?: Record<string, unknown>
  color?: string
  sourceType?: string
  contextId?: string
  comments?: Array<MessageComment>
  /** Epoch milliseconds. */
  createdAt?: number
  /** Epoch milliseconds. */
  lastUpdated?: number
  locationId?: number | null
  metadata?: {
    apiKey?: string
    documentId?: string
    organizationId?: string
  }
  /** By a hash of the user id. */
  subscribedUsers?: Record<string, {
    user?: MessageUser
    /** By taking part, or by wish. */
    type?: "auto" | "manual"
  }>
  /** By a hash of the user id. */
  unsubscribedUsers?: Record<string, {
    user?: MessageUser
    /** By taking part, or by wish. */
    type?: "auto" | "manual"
  }>
  /** Authors, mentioned and assigned users. */
  involvedUserIds?: Array<string>
  mentionedUserIds?: Array<string>
  viewedByUserIds?: Array<string>
  /** Ids of the reactions to the thread as a whole. */
  reactionAnnotationIds?: Array<string>
  /** How many comments it has; `comments` has the first and the latest. */
  commentsCount?: number
  /** True: its largest fields are left out, since it is too large. */
  isAbridged?: boolean
}

export type MessageComment = {
  commentId: number
  /** How it was said. */
  type?: "text" | "voice"
  /** Whether it was changed since. */
  status?: "added" | "updated"
  from?: MessageUser
  commentText?: string
  commentHtml?: string
  commentVoiceUrl?: string
  /** Data of the caller. */
  context?: Record<string, unknown>
  isCommentResolverUsed?: boolean
  isCommentTextAvailable?: boolean
  isEdited?: boolean
  editedAt?: number
  attachments?: Array<{
    attachmentId?: number
    /** Name of the file. */
    name?: string
    /** Address of the file. */
    url?: string
    /** Media type of the file. */
    mimeType?: string
    /** Kind of the file. */
    type?: string
    /** Size in bytes. */
    size?: number
  }>
  /** A recording in the comment. */
  recorders?: Array<Record<string, unknown>>
  /** An item of a list of the caller. */
  customList?: Array<Record<string, unknown>>
  taggedUserContacts?: Array<{
    userId: string
    text?: string
    contact?: MessageUser
  }>
  /** The mentioned users. */
  to?: Array<MessageUser>
  /** A mentioned user group. */
  toOrganizationUserGroup?: Array<Record<string, unknown>>
  /** Further fields are kept. */
  agent?: {
    /** Id of the agent. */
    agentId?: string
    /** Where the agent runs. */
    agentSource?: string
    /** Default: external for the source `external`, else custom. */
    agentType?: "built-in" | "custom" | "external"
    /** Name of the agent. */
    agentName?: string
    /** Id of the run in which the agent wrote this. */
    executionId?: string
    /** The page that the agent reviewed. */
    url?: string
    /** What the agent found: title, description, severity, findingId, … */
    reason?: Record<string, unknown>
    /** What else is known of it. */
    agentFields?: Array<string>
    [key: string]: unknown
  }
  /** Epoch milliseconds. */
  createdAt?: number
  /** Epoch milliseconds. */
  lastUpdated?: number
  /** Ids of the reactions to it. */
  reactionAnnotationIds?: Array<string>
  /** True: its largest fields are left out, since it is too large. */
  isAbridged?: boolean
}

export type MessageUser = {
  userId: string
  name?: string
  email?: string
  initial?: string
  photoUrl?: string
  color?: string
  textColor?: string
  isAdmin?: boolean
  plan?: string
  type?: string
  isReadOnly?: boolean
  isGuest?: boolean
}

export type MessageStatus = {
  id: string
  name: string
  /** A `terminal` status ends the review of the thread. */
  type: "default" | "ongoing" | "terminal"
  /** Color of the status. */
  color?: string
  /** Color behind the status. */
  lightColor?: string
  /** An icon, as SVG. */
  svg?: string
  /** Address of an icon. */
  iconUrl?: string
  /** True: its largest fields are left out, since it is too large. */
  isAbridged?: boolean
}

export type MessagePriority = {
  id: string
  name: string
  /** Color of the status. */
  color?: string
  /** Color behind the status. */
  lightColor?: string
  /** An icon, as SVG. */
  svg?: string
  /** Address of an icon. */
  iconUrl?: string
  /** True: its largest fields are left out, since it is too large. */
  isAbridged?: boolean
}

export type MessageVisibility = {
  /** public: whoever sees the document; organizationPrivate: users of the organization; restricted: the listed users. */
  type: "public" | "organizationPrivate" | "restricted"
  /** The organization of a thread that is organizationPrivate. */
  organizationId?: string
  /** Who sees a restricted thread. */
  userIds?: Array<string>
  /** True: its largest fields are left out, since it is too large. */
  isAbridged?: boolean
}

/** Where it happened, with the fields of your own that the document has. */
export type MessagePlace = {
  apiKey: string
  organizationId: string
  documentId: string
  /** Empty: it has none. */
  documentName?: string
  [key: string]: unknown
}

/** What an event tells, by its type. */
export interface WebhookData {
  /** A thread was added */
  'comment_annotation.add': {
    actionUser?: MessageUser
    metadata: MessagePlace
    commentAnnotation: MessageThread
    targetComment?: MessageComment
    visibility?: MessageVisibility
  }
  /** The status of a thread changed */
  'comment_annotation.status_change': {
    actionUser?: MessageUser
    metadata: MessagePlace
    commentAnnotation: MessageThread
    oldStatus: MessageStatus
    newStatus: MessageStatus
    visibility?: MessageVisibility
  }
  /** A thread was assigned, or is no longer */
  'comment_annotation.assign': {
    actionUser?: MessageUser
    metadata: MessagePlace
    commentAnnotation: MessageThread
    visibility?: MessageVisibility
  }
  /** The priority of a thread changed; without `newPriority` it was cleared */
  'comment_annotation.priority_change': {
    actionUser?: MessageUser
    metadata: MessagePlace
    commentAnnotation: MessageThread
    newPriority?: MessagePriority
    visibility?: MessageVisibility
  }
  /** The custom list of a thread changed */
  'comment_annotation.custom_list_change': {
    actionUser?: MessageUser
    metadata: MessagePlace
    commentAnnotation: MessageThread
    visibility?: MessageVisibility
  }
  /** A suggestion was accepted */
  'comment_annotation.suggestion_accept': {
    actionUser?: MessageUser
    metadata: MessagePlace
    commentAnnotation: MessageThread
    visibility?: MessageVisibility
  }
  /** A suggestion was rejected */
  'comment_annotation.suggestion_reject': {
    actionUser?: MessageUser
    metadata: MessagePlace
    commentAnnotation: MessageThread
    visibility?: MessageVisibility
  }
  /** A user subscribed to a thread: `actionUser` */
  'comment_annotation.subscribe': {
    actionUser?: MessageUser
    metadata: MessagePlace
    commentAnnotation: MessageThread
    visibility?: MessageVisibility
  }
  /** A user unsubscribed from a thread: `actionUser` */
  'comment_annotation.unsubscribe': {
    actionUser?: MessageUser
    metadata: MessagePlace
    commentAnnotation: MessageThread
    visibility?: MessageVisibility
  }
  /** A comment was added to a thread */
  'comment.add': {
    actionUser?: MessageUser
    metadata: MessagePlace
    commentAnnotation: MessageThread
    targetComment: MessageComment
    visibility?: MessageVisibility
  }
  /** A comment was changed */
  'comment.update': {
    actionUser?: MessageUser
    metadata: MessagePlace
    commentAnnotation: MessageThread
    targetComment: MessageComment
    visibility?: MessageVisibility
  }
  /** A comment was deleted; without `targetComment` the whole thread */
  'comment.delete': {
    actionUser?: MessageUser
    metadata: MessagePlace
    commentAnnotation: MessageThread
    targetComment?: MessageComment
    visibility?: MessageVisibility
  }
  /** A reaction was added */
  'comment.reaction_add': {
    actionUser?: MessageUser
    metadata: MessagePlace
    commentAnnotation: MessageThread
    reaction: {
      id: string
      icon: string
      from: MessageUser
    }
    targetComment?: MessageComment
    visibility?: MessageVisibility
  }
  /** A reaction was deleted */
  'comment.reaction_delete': {
    actionUser?: MessageUser
    metadata: MessagePlace
    commentAnnotation: MessageThread
    reaction: {
      id: string
      icon: string
      from: MessageUser
    }
    targetComment?: MessageComment
    visibility?: MessageVisibility
  }
  /** A recording was added */
  'recorder.done': {
    actionUser?: MessageUser
    metadata: MessagePlace
    /** Id of the recording. */
    recorderId: string
    from: MessageUser | null
    /** A file of the recording. */
    assets: Array<Record<string, unknown>>
    /** A file of the recording. */
    assetsAllVersions: Array<Record<string, unknown>>
    /** What was said. */
    transcription?: Record<string, unknown>
  }
  /** An endpoint was disabled */
  'endpoint.disabled': {
    endpointId: string
    url: string
    /** It answered 410, failed for too long, or was disabled by a call. */
    reason: "gone" | "failing" | "manual"
    /** Epoch milliseconds. */
    failingSince: number | null
  }
  /** The last retry of a message has failed */
  'message.attempt.exhausted': {
    endpointId: string
    /** The `webhook-id` of the message that did not arrive. */
    messageId: string
    eventType: string
    attempts: number
    /** HTTP status of the last attempt; null without a response. */
    lastStatus: number | null
    /** Why there was no response. */
    lastError: string | null
    /** Epoch milliseconds. */
    lastAttemptAt: number
  }
}

interface Envelope {
  /** The same on every attempt and for every endpoint. */
  webhookId: string
  actionType: string
  source: string
  platform: string
}

interface Message<Type extends keyof WebhookData> extends Envelope {
  event: Type
  /** Of `TestMessage` alone. */
  test?: undefined
  data: WebhookData[Type]
}

/** Sent by `endpoints/test`. */
export interface TestMessage extends Envelope {
  event: EventType
  test: true
  data: {
    endpointId: string
  }
}

/** What an advanced webhook endpoint receives. `test` tells a test from an event, and `event` the type of it. */
export type WebhookEvent = { [Type in keyof WebhookData]: Message<Type> }[keyof WebhookData] | TestMessage
