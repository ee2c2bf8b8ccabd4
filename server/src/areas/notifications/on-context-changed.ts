import { json, sql } from '../../platform/db/db.ts'
import { on } from '../../platform/event.ts'
import { contextChanged } from '../comments/change/context-changed.ts'

/** Gives the notifications of a thread its new context, so that they are shown to whom the thread is. */
export const followContexts = on(contextChanged, async ({ db, tenant }, threads) => {
  db.send(sql`
    update notification n
    set record = n.record - 'context'
      || case when m.context is null then '{}' else jsonb_build_object('context', m.context) end
    from unnest(
      ${threads.map(({ organizationKey }) => organizationKey)}::uuid[],
      ${threads.map(({ annotationKey }) => annotationKey)}::uuid[],
      ${threads.map(({ context }) => (context === null ? null : json(context)))}::jsonb[]
    ) as m (organization_key, annotation_key, context)
    where n.api_key = ${tenant.apiKey} and n.organization_key = m.organization_key
      and n.annotation_key = m.annotation_key`)
})
