import { join, type Sql, sql } from '../../platform/db/db.ts'
import { narrowing } from '../../platform/db/narrowing.ts'
import { keyOf } from '../../platform/id.ts'
import { identifier, type Static, Type } from '../../platform/schema.ts'
import { atLocations } from '../locations/location.ts'

/**
 * The filters that reading, updating and deleting notifications share. A notification must match all that are given.
 */
export const notificationFilter = {
  documentId: Type.Optional(identifier('Only notifications of this document.')),
  locationId: Type.Optional(
    Type.Union([identifier('The id of the location.'), Type.Number()], {
      description: 'Only at this location: its own id, or the `locationId` that records show.',
    }),
  ),
  userId: Type.Optional(identifier("Only this user's copies.")),
}

/** The filter by id. */
export const notificationIds = Type.Optional(Type.Array(identifier('Id of a notification.')))

const Filter = Type.Object({ ...notificationFilter, notificationIds })

/** The SQL condition on `notification n`. It does not cover `userId`. */
export function conditionOf({ documentId, locationId, notificationIds }: Static<typeof Filter>): Sql {
  const narrowed = narrowing(notificationIds)
  return join(
    [
      sql`true`,
      ...(documentId === undefined ? [] : [narrowed(sql`n.document_key = ${keyOf(documentId)}`)]),
      ...(locationId === undefined ? [] : [narrowed(atLocations(sql`n.location_key`, [locationId]))]),
      ...(notificationIds === undefined ? [] : [sql`n.key = any(${notificationIds.map(keyOf)}::uuid[])`]),
    ],
    ' and ',
  )
}
