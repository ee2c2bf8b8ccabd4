import { anyObject, nullable, type Static, Type } from '../../platform/schema.ts'
import { Location, locationId, locationKey } from '../locations/location.ts'
import { User } from '../users/user.ts'

const ReactionRecord = Type.Object({
  icon: Type.String({ description: 'What stands for the reaction.' }),
  from: User,
  location: Type.Optional(Location),
  context: Type.Optional(anyObject('Data of the caller.')),
})

/** The stored part of a reaction, without its id, place and time. */
export type ReactionRecord = Static<typeof ReactionRecord>

/** A reaction as returned. */
export const ReactionAnnotation = Type.Object({
  annotationId: Type.String({ description: 'Id of the reaction.' }),
  type: Type.Literal('reaction'),
  icon: Type.String(),
  commentAnnotationId: Type.String({ description: 'Id of the thread.' }),
  commentId: nullable(Type.Integer({ description: 'Null: a reaction to the thread as a whole.' })),
  from: User,
  fromUsers: Type.Array(Type.Object({ from: User, lastUpdated: Type.Integer() })),
  location: Type.Optional(Location),
  locationId: nullable(Type.Integer()),
  context: Type.Optional(anyObject('Data of the caller.')),
  lastUpdated: Type.Integer({ description: 'Epoch milliseconds.' }),
  metadata: Type.Object({ apiKey: Type.String(), documentId: Type.String(), organizationId: Type.String() }),
})
export type ReactionAnnotation = Static<typeof ReactionAnnotation>

/** A row of `reaction`, with the ids of its thread and document. */
export interface ReactionRow {
  id: string
  annotationId: string
  commentId: number | null
  documentId: string
  record: ReactionRecord
  createdAt: number
}

/** Converts a row to the reaction as returned. */
export function toReactionAnnotation(row: ReactionRow, apiKey: string, organizationId: string): ReactionAnnotation {
  const { from, icon, location, context } = row.record
  return {
    annotationId: row.id,
    type: 'reaction',
    icon,
    commentAnnotationId: row.annotationId,
    commentId: row.commentId,
    from,
    fromUsers: [{ from, lastUpdated: row.createdAt }],
    ...(location && { location }),
    locationId: locationId(locationKey(location)),
    ...(context && { context }),
    lastUpdated: row.createdAt,
    metadata: { apiKey, documentId: row.documentId, organizationId },
  }
}
