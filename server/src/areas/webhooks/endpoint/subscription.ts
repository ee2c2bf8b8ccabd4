import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, type Sql, sql } from '../../../platform/db/db.ts'
import { ACCESS_MODE_CHANGE, isOptIn, TRIGGER_TYPES } from '../../workspaces/setting/trigger.ts'
import { OPERATIONAL_TYPES } from './event-type.ts'

/** What an endpoint without a list does not get. */
const NOT_BY_DEFAULT = [...TRIGGER_TYPES.filter(isOptIn), ACCESS_MODE_CHANGE]

/** Whether the endpoint `t` subscribes to events of a type, given as SQL. */
export const subscribesToType = (type: Sql): Sql => sql`
      (${type} = any(t.filter_types) or (t.filter_types is null and ${type} <> all(${NOT_BY_DEFAULT}::text[])))`

/** Whether events of a type reach subscribers whatever their channels: true for operational events. */
export const ignoresChannels = (type: string): boolean => OPERATIONAL_TYPES.includes(type)

/** Whether the endpoint `t` subscribes to an event, given its type and its channels as SQL. */
export const subscribes = (type: Sql, channels: Sql): Sql => sql`(
      ${subscribesToType(type)}
      and (t.channels is null or t.channels && ${channels} or ${type} = any(${OPERATIONAL_TYPES}::text[]))
    )`

/** Replaces the channels by which events find an endpoint. */
export async function saveChannels(
  db: Db,
  { apiKey }: ApiKeyTenant,
  endpointId: string,
  channels: string[] | null,
): Promise<void> {
  await db.query(sql`
    with left_out as (
      delete from webhook_channel
      where api_key = ${apiKey}
        and endpoint_id = ${endpointId}
        -- Not as an array, because a cached plan would compare each channel with each element.
        and channel not in (select unnest(${channels ?? []}::text[]))
    )
    insert into webhook_channel (api_key, channel, endpoint_id)
    select ${apiKey}, channel, ${endpointId}
    from unnest(${channels ?? []}::text[]) as channel
    on conflict do nothing`)
}
