import type { ApiKeyTenant } from '../../platform/context.ts'
import { SIZE_LIMIT } from '../../platform/record-size.ts'
import {
  anyObject,
  clearedByNull,
  identifier,
  oneOf,
  personName,
  requiredText,
  type Static,
  Type,
  text,
} from '../../platform/schema.ts'
import { displayMessage } from './display-message.ts'

/** Who acted: the log says who it was then. */
const ActionUser = Type.Object(
  {
    userId: identifier('Id of the user.'),
    name: Type.Optional(
      personName(
        'Omitted: the stored name, then the id, unless `isActivityResolverUsed` is true. It stays when the user gets another.',
      ),
    ),
    email: Type.Optional(Type.String({ maxLength: 320, description: 'Address of the user.' })),
  },
  { additionalProperties: true, description: 'Who acted; further fields are kept.' },
)

const Changes = Type.Record(
  Type.String(),
  Type.Object({ from: Type.Optional(Type.Unknown()), to: Type.Optional(Type.Unknown()) }),
  { description: 'What changed, by the name of the field.' },
)

/** The fields of a record that can be updated. */
const changeableFields = {
  changes: Type.Optional(Changes),
  entityData: Type.Optional(Type.Unknown({ description: 'The entity at the time of the action.' })),
  entityTargetData: Type.Optional(Type.Unknown({ description: 'The target entity at the time of the action.' })),
  displayMessageTemplate: Type.Optional(text('A message with `{{variable}}` placeholders.')),
  displayMessageTemplateData: Type.Optional(anyObject('The values of the placeholders.')),
  actionIcon: Type.Optional(text('Address or name of an icon.')),
}

/** The same in an update, where null clears. */
export const clearableFields = {
  ...changeableFields,
  changes: clearedByNull(Changes),
  displayMessageTemplate: clearedByNull(changeableFields.displayMessageTemplate),
  displayMessageTemplateData: clearedByNull(changeableFields.displayMessageTemplateData),
  actionIcon: clearedByNull(changeableFields.actionIcon),
}

const recordFields = {
  featureType: oneOf(['comment', 'reaction', 'recorder', 'crdt', 'custom'], 'What the action belongs to.'),
  actionType: requiredText('Name of the action, such as `comment.add`.', 256),
  actionUser: ActionUser,
  targetEntityId: Type.Optional(identifier('Id of what was acted on; required when featureType is custom.')),
  targetSubEntityId: Type.Optional(identifier('Id of the part that was acted on.')),
  ...changeableFields,
  isActivityResolverUsed: Type.Optional(
    Type.Boolean({ description: 'Whether personal data was left out, to be filled in again by your resolver.' }),
  ),
}

/** A record as sent to add it. */
export const ActivityInput = Type.Object(
  {
    id: Type.Optional(identifier('Id of the record; one that exists is overwritten. Default: a new one.')),
    ...recordFields,
  },
  { description: `A record; ${SIZE_LIMIT}.` },
)
export type ActivityInput = Static<typeof ActivityInput>

/** A record as returned. */
export const Activity = Type.Object({
  id: Type.String(),
  ...recordFields,
  displayMessage: Type.Optional(Type.String({ description: 'The template with its values filled in.' })),
  timestamp: Type.Integer({ description: 'When the record was added, in epoch milliseconds.' }),
  metadata: Type.Object({ apiKey: Type.String(), documentId: Type.String(), organizationId: Type.String() }),
})
export type Activity = Static<typeof Activity>

const RECORD_FIELDS = [
  'featureType',
  'actionType',
  'targetEntityId',
  'targetSubEntityId',
  'actionIcon',
  'isActivityResolverUsed',
] as const
const CONTENT_FIELDS = [
  'changes',
  'entityData',
  'entityTargetData',
  'displayMessageTemplate',
  'displayMessageTemplateData',
] as const

/** The parts of a record as the log keeps them: `actor` and `content` may hold personal data and can be erased. */
export interface ActivityParts {
  record: Record<string, unknown>
  actor: unknown
  content: Record<string, unknown> | null
}

/** Splits a record into its parts and drops unknown fields. */
export function partsOf(activity: Omit<ActivityInput, 'id'>): ActivityParts {
  const content = pick(activity, CONTENT_FIELDS)
  const hasContent = Object.keys(content).length > 0
  return { record: pick(activity, RECORD_FIELDS), actor: activity.actionUser, content: hasContent ? content : null }
}

/** Applies a change to the parts. Fields that it omits stay, and so do fields that an update cannot change. */
export function applyChange({ record, actor, content }: ActivityParts, change: object): ActivityParts {
  const changed = withoutCleared({ ...content, ...pick(change, CONTENT_FIELDS) })
  return {
    record: withoutCleared({ ...record, ...pick(change, ['actionIcon']) }),
    actor,
    content: Object.keys(changed).length > 0 ? changed : null,
  }
}

const withoutCleared = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter(([field, value]) => value !== null || isValue(field)))

// Null is a value of an entity like any other.
const isValue = (field: string) => field === 'entityData' || field === 'entityTargetData'

const pick = (value: object, fields: readonly string[]): Record<string, unknown> => {
  const entries = Object.entries(value).filter(([key, item]) => fields.includes(key) && item !== undefined)
  return Object.fromEntries(entries)
}

/** A stored version: its parts, its ids and its time. */
interface StoredActivity extends ActivityParts {
  id: string
  documentId: string
  timestamp: number
}

/** Converts a stored version to the record that operations return, with its message rendered. */
export function toActivity({ apiKey }: ApiKeyTenant, organizationId: string, stored: StoredActivity): Activity {
  const { id, documentId, timestamp, record, actor, content } = stored
  const template = content?.displayMessageTemplate
  const fields = { ...record, actionUser: actor, ...content } as Omit<ActivityInput, 'id'>
  return {
    id,
    ...fields,
    ...(typeof template === 'string' && {
      displayMessage: displayMessage(template, content?.displayMessageTemplateData, actor),
    }),
    timestamp,
    metadata: { apiKey, documentId, organizationId },
  }
}
