import { type Sql, sql } from '../../platform/db/db.ts'
import { isOptIn, TRIGGER_TYPES } from '../workspaces/trigger.ts'
import { OPERATIONAL_TYPES } from './event-type.ts'

const OPT_IN_TYPES = TRIGGER_TYPES.filter(isOptIn)

/** Whether the endpoint `t` subscribes to events of a type, given as SQL. */
export const subscribesToType = (type: Sql): Sql => sql`
      (${type} = any(t.filter_types) or (t.filter_types is null and ${type} <> all(${OPT_IN_TYPES}::text[])))`

/** Whether events of a type, given as SQL, are of every channel: what the service says about its deliveries. */
export const isOfEveryChannel = (type: Sql): Sql => sql`${type} = any(${OPERATIONAL_TYPES}::text[])`

/** Whether the endpoint `t` subscribes to an event, given its type and its channels as SQL. */
export const subscribes = (type: Sql, channels: Sql): Sql => sql`(
      ${subscribesToType(type)}
      and (t.channels is null or t.channels && ${channels} or ${isOfEveryChannel(type)})
    )`
