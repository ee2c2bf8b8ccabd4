import type { EventType } from './api.ts'
import type { Comment, Priority, Status, Thread } from './records.ts'

interface Circumstances {
  /** Who did it. Of `comment_annotation.subscribe` and `unsubscribe`: whose subscription it is. */
  actionUser: Thread['from']
  /** Where it happened, with the fields of your own that the document has. */
  metadata: {
    apiKey: string
    organizationId: string
    documentId: string
    /** Empty where the document has no name. */
    documentName: string
    [field: string]: unknown
  }
}

interface CommentEventData extends Circumstances {
  commentAnnotation: Abridged<Thread>
  /** The comment that the event is about. */
  targetComment: Abridged<Comment>
  oldStatus: Status
  newStatus: Status
  newPriority: Priority
  /** The reaction that was added or deleted. */
  reaction: { id: string; icon: string; from: Thread['from'] }
  /** Absent: public. */
  visibility: Thread['visibilityConfig']
}

interface RecorderEventData extends Circumstances {
  /** Id of the recording. */
  recorderId: string
  from: Thread['from'] | null
  assets: Record<string, unknown>[]
  assetsAllVersions: Record<string, unknown>[]
  transcription: Record<string, unknown>
}

/** A report on deliveries, which is about no place. */
interface Report {
  metadata?: undefined
}

interface EndpointDisabledData extends Report {
  endpointId: string
  url: string
  reason: 'gone' | 'failing' | 'manual'
  /** Epoch milliseconds; null where its last attempt succeeded. */
  failingSince: number | null
}

interface AttemptExhaustedData extends Report {
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

/** A record whose largest fields are left out where it is too large, or which `enableDataProtection` has reduced. */
type Abridged<Record> = Partial<Record> & { isAbridged?: true }

interface Event<Type extends EventType, Data> {
  event: Type
  /** The same on every attempt, for every endpoint: deduplicate by the header `webhook-id`. */
  webhookId: string
  actionType: string
  source: string
  platform: string
  /** Sent by `endpoints/test`: `data` then holds the `endpointId` only. */
  test?: true
  data: Partial<Data>
}

type CommentEventType = Extract<EventType, `comment.${string}` | `comment_annotation.${string}`>
type ReportType = 'endpoint.disabled' | 'message.attempt.exhausted'
type OtherEventType = Exclude<EventType, CommentEventType | ReportType | 'recorder.done'>

/**
 * An event as an advanced webhook endpoint receives it; `event` tells which. Each field of `data` may be absent: which
 * ones an event has depends on its type, and on the options of the endpoint. `data.metadata` tells where it happened.
 */
export type WebhookEvent =
  | Event<CommentEventType, CommentEventData>
  | Event<'recorder.done', RecorderEventData>
  | Event<'endpoint.disabled', EndpointDisabledData>
  | Event<'message.attempt.exhausted', AttemptExhaustedData>
  | Event<OtherEventType, Circumstances & Record<string, unknown>>
