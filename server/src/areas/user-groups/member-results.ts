import { mapOf, Type } from '../../platform/schema.ts'

/** One result per user of a change to a group. */
export const MemberResults = mapOf(
  Type.Object({ success: Type.Boolean(), organizationUserGroupId: Type.String(), message: Type.String() }),
  'One result per user id.',
)
