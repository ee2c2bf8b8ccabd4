import type { Issue } from '../../../platform/errors.ts'
import { SIZE_LIMIT } from '../../../platform/record-size.ts'
import { clearedByNull, nullable, REFUSES_NULL, type Static, Type } from '../../../platform/schema.ts'
import type { User } from '../../users/user.ts'
import { type People, Person } from '../comment/person.ts'
import { type AnnotationRecord, Suggestion } from './annotation.ts'
import { fieldsAsSent, threadInput } from './annotation-input.ts'
import { PriorityInput, toPriority, toStatus } from './status.ts'
import { changedVisibility, toVisibility } from './visibility.ts'

/** The fields of a thread that an update may change. */
export const UpdatedData = Type.Object(
  {
    ...threadInput,
    suggestion: Type.Optional(
      Type.Object(Suggestion.properties, {
        additionalProperties: true,
        description: 'Replaces the suggestion as a whole: to decide, send what was proposed too.',
      }),
    ),
    assignedTo: Type.Optional(nullable(Person)),
    priority: Type.Optional(nullable(PriorityInput)),
    context: Type.Optional(nullable(threadInput.context)),
    targetElement: Type.Optional(nullable(threadInput.targetElement)),
    pageInfo: clearedByNull(threadInput.pageInfo),
    location: clearedByNull(threadInput.location),
    color: clearedByNull(threadInput.color),
    sourceType: clearedByNull(threadInput.sourceType),
    contextId: clearedByNull(threadInput.contextId),
    from: Type.Optional(Person),
    statusUpdatedByUserId: Type.Optional(nullable(Type.String({ description: 'Who changed the status.' }))),
    resolvedByUserId: Type.Optional(nullable(Type.String({ description: 'Who resolved the thread.' }))),
  },
  {
    ...REFUSES_NULL,
    description: `What changes; ${SIZE_LIMIT}, as is the thread without its comments afterwards. Null clears a field.`,
  },
)
export type UpdatedData = Static<typeof UpdatedData>

/** The fields whose total size is limited; each alone is within the size limit of a record. */
export function limitedFieldsOfThread({ record }: { record: AnnotationRecord }) {
  const { location, targetElement, context, pageInfo, customList, suggestion } = record
  return { location, targetElement, context, pageInfo, customList, suggestion }
}

/** The user who updates, the time and the organization. */
export interface UpdateContext {
  people: People
  actor: User | null
  organizationId: string
  now: number
}

/** Names a status of a suggestion that an update cannot give it. */
export const suggestionIssues = (path: string, suggestion: UpdatedData['suggestion']): Issue[] =>
  [undefined, 'pending', 'accepted', 'rejected'].includes(suggestion?.status)
    ? []
    : [{ path: `${path}.status`, message: 'must be one of pending, accepted, rejected' }]

const CLEARABLE = [
  'assignedTo',
  'priority',
  'context',
  'targetElement',
  'pageInfo',
  'location',
  'color',
  'sourceType',
  'contextId',
] as const

/** The record without the fields that the update sets to null. */
function withoutCleared(record: AnnotationRecord, data: UpdatedData): AnnotationRecord {
  const kept = { ...record }
  for (const field of CLEARABLE) if (data[field] === null) delete kept[field]
  return kept
}

/** Applies an update to a record; null clears a field. A status that is not terminal clears who resolved the thread. */
export function patchRecord(record: AnnotationRecord, data: UpdatedData, context: UpdateContext): AnnotationRecord {
  const { people, organizationId } = context
  const { assignedTo, priority, suggestion, visibility, customList } = data
  const from = data.from ? people.complete(data.from) : record.from
  return {
    ...withoutCleared(patchStatus(record, data, context), data),
    ...fieldsAsSent(data),
    from,
    ...(assignedTo && { assignedTo: people.complete(assignedTo) }),
    ...(priority && { priority: toPriority(priority) }),
    ...(customList && { customList }),
    visibilityConfig: changedVisibility(
      record.visibilityConfig,
      toVisibility(visibility ?? record.visibilityConfig, from, organizationId),
    ),
    ...(suggestion && { suggestion: decideSuggestion(suggestion, record.suggestion, context) }),
  }
}

function patchStatus(record: AnnotationRecord, data: UpdatedData, { people, actor }: UpdateContext): AnnotationRecord {
  const { statusUpdatedByUserId, resolvedByUserId, resolvedByUser, ...rest } = record
  const status = data.status ? toStatus(data.status) : record.status
  const changer = sentOr(data.statusUpdatedByUserId, data.status ? actor?.userId : statusUpdatedByUserId)
  const isNewlyResolved = data.status !== undefined && record.status.type !== 'terminal'
  const resolver = sentOr(data.resolvedByUserId, isNewlyResolved ? actor?.userId : resolvedByUserId)
  const isOver = status.type === 'terminal' || data.status === undefined
  return {
    ...rest,
    status,
    ...(changer !== undefined && { statusUpdatedByUserId: changer }),
    ...(isOver &&
      resolver !== undefined && {
        resolvedByUserId: resolver,
        resolvedByUser:
          [actor, resolvedByUser].find((user) => user?.userId === resolver) ?? people.complete({ userId: resolver }),
      }),
  }
}

/** The value sent (null clears it), or the other if none was sent. */
const sentOr = (sent: string | null | undefined, otherwise: string | undefined) =>
  sent === undefined ? otherwise : (sent ?? undefined)

/** Whether this status means that a suggestion was decided. */
export const isDecision = (status: Suggestion['status']) => status === 'accepted' || status === 'rejected'

/** Whether the update may decide this record: only a suggestion can be accepted or rejected. */
export const canDecide = ({ type, suggestion }: AnnotationRecord, data: UpdatedData | undefined) =>
  !isDecision(data?.suggestion?.status) || type === 'suggestion' || suggestion !== undefined

function decideSuggestion(sent: Suggestion, before: Suggestion | undefined, { actor, now }: UpdateContext): Suggestion {
  const status = sent.status ?? 'pending'
  if (!isDecision(status)) return { ...sent, status }
  const isSame = before?.status === status
  const resolvedBy = sent.resolvedBy ?? (isSame ? before?.resolvedBy : actor) ?? null
  const resolvedAt = sent.resolvedAt ?? (isSame ? before?.resolvedAt : now) ?? null
  return { ...sent, status, resolvedBy, resolvedAt }
}
