import type { ApiKeyScope } from '../../platform/context.ts'
import { hexId } from '../../platform/id.ts'
import { mapOf, Type } from '../../platform/schema.ts'

/** The id that answers show of a group: 32 hex digits, the same for as long as the group is there. */
export const userGroupId = ({ apiKey }: ApiKeyScope, organizationKey: string, groupId: string): string =>
  hexId(`usergroup:${organizationKey}`, apiKey, groupId)

/** One result per user of a change to the members of a group. */
export const MemberResults = mapOf(
  Type.Object({ success: Type.Boolean(), organizationUserGroupId: Type.String(), message: Type.String() }),
  'One result per user id.',
)
