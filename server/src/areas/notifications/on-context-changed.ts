import { json, type Sql, sql } from '../../platform/db/db.ts'
import { type ChangeContext, on } from '../../platform/event.ts'
import { byteBudget } from '../comments/change/abridge.ts'
import { type ChangedContext, contextChanged } from '../comments/change/context-changed.ts'
import { assertFits, countRows, largeOf } from '../comments/change/repeated.ts'
import { repeatedOf } from './comment-notification.ts'

/**
 * Gives the notifications of a thread its new context, so that they are shown to whom the thread is. Where many repeat
 * a large one, it is abridged but for who has access.
 */
export const followContexts = on(contextChanged, async (context, threads) => {
  const maxBytes = await shareOf(context, threads)
  const contexts = threads.map((thread) => abridged(thread.context, maxBytes))
  const { db, tenant } = context
  db.send(sql`
    update notification n
    set record = n.record - 'context'
      || case when m.context is null then '{}' else jsonb_build_object('context', m.context) end
    from ${changedIn(threads, contexts)}
    where n.api_key = ${tenant.apiKey} and n.organization_key = m.organization_key
      and n.annotation_key = m.annotation_key`)
})

const abridged = (context: ChangedContext['context'], maxBytes: number) =>
  context && (repeatedOf({ context }, maxBytes).context ?? null)

/** The bytes of context that each notification may hold. */
async function shareOf({ db, tenant }: ChangeContext, threads: ChangedContext[]): Promise<number> {
  const large = largeOf(threads.map((thread) => ({ ...thread, value: thread.context })))
  if (large.length === 0) return byteBudget(0)
  const rows = sql`${changedIn(large, [])}
    join notification n
      on n.api_key = ${tenant.apiKey} and n.organization_key = m.organization_key and n.annotation_key = m.annotation_key`
  const counts = await countRows(db, rows)
  const access = large.map((thread) => ({ ...thread, value: thread.context?.access ?? {} }))
  assertFits(access, counts, 'context.access')
  return byteBudget([...counts.values()].reduce((sum, count) => sum + count, 0))
}

/** SQL: the threads and their contexts, as a table `m`. */
const changedIn = (threads: ChangedContext[], contexts: ChangedContext['context'][]): Sql => sql`
  unnest(
    ${threads.map(({ organizationKey }) => organizationKey)}::uuid[],
    ${threads.map(({ annotationKey }) => annotationKey)}::uuid[],
    ${contexts.map((context) => (context === null ? null : json(context)))}::jsonb[]
  ) as m (organization_key, annotation_key, context)`
