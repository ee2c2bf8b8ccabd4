import { type Static, Type, timestamp } from '../../platform/schema.ts'
import type { ServiceKind } from '../workspaces/setting/service-config.ts'
import { groupedTriggers, isOnByDefault, isOptIn, Triggers } from '../workspaces/setting/trigger.ts'

/** The activity config of an API key, besides its switch. */
export const ActivityServiceConfig = Type.Object({
  immutable: Type.Boolean({ description: 'Whether records can neither be updated nor deleted.' }),
  triggers: Triggers,
  enabledTime: Type.Optional(timestamp('Since when activities are logged.')),
})

/** Whether the log records an event type that its triggers do not mention: suggestions and recordings too. */
export const isLoggedByDefault = (type: string): boolean =>
  isOnByDefault(type) || isOptIn(type) || type.startsWith('recorder.')

/** The activity log. */
export const activityService: ServiceKind<Static<typeof ActivityServiceConfig>> = {
  name: 'activity',
  schema: ActivityServiceConfig,
  defaults: { immutable: false, triggers: {} },
  secretFields: [],
  seed: (now) => ({ triggers: groupedTriggers(['comment', 'recorder'], isLoggedByDefault), enabledTime: now }),
}
