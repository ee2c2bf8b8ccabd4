import type { ApiKeyScope } from '../../platform/context.ts'
import { hexId } from '../../platform/id.ts'

/** The id that answers show of a group: 32 hex digits, the same for as long as the group is there. */
export const userGroupId = ({ apiKey }: ApiKeyScope, organizationKey: string, groupId: string): string =>
  hexId(`usergroup:${organizationKey}`, apiKey, groupId)
