import { sql } from '../../platform/db/db.ts'
import { on } from '../../platform/event.ts'
import { keyOf } from '../../platform/id.ts'
import { commentChanged } from '../comments/change/comment-event.ts'
import { organizationKeyOf } from '../organizations/organization-key.ts'
import { isLive } from '../permissions/access/grant.ts'

/** Deletes the notifications of a thread for users who may no longer see it. */
export const withdrawFromExcluded = on(commentChanged, async ({ db, tenant }, changes) => {
  const narrowed = changes.filter(
    ({ action, visibility }) => action === 'comment_annotation.access_mode_change' && visibility.type !== 'public',
  )
  if (narrowed.length === 0) return
  const admitted = narrowed.flatMap(({ annotationKey, visibility: { userIds = [] }, people }) =>
    [people.author.userId, ...userIds].map((userId) => ({ annotationKey, userKey: keyOf(userId) })),
  )
  const privateTo = narrowed.map(({ visibility: { organizationId } }) =>
    organizationId === undefined ? null : organizationKeyOf(tenant, organizationId),
  )
  db.send(sql`
    delete from notification_recipient r
    using unnest(
      ${narrowed.map(({ place }) => place.organizationKey)}::uuid[],
      ${narrowed.map(({ annotationKey }) => annotationKey)}::uuid[],
      ${privateTo}::uuid[]
    ) as c (organization_key, annotation_key, private_to), notification n
    where n.api_key = ${tenant.apiKey} and n.organization_key = c.organization_key
      and n.annotation_key = c.annotation_key
      and r.api_key = ${tenant.apiKey} and r.organization_key = c.organization_key and r.notification_key = n.key
      and not exists (
        select
        from unnest(
          ${admitted.map(({ annotationKey }) => annotationKey)}::uuid[],
          ${admitted.map(({ userKey }) => userKey)}::uuid[]
        ) as a (annotation_key, user_key)
        where a.annotation_key = c.annotation_key and a.user_key = r.user_key)
      and not exists (
        select
        from access_grant g
        where g.api_key = ${tenant.apiKey} and g.organization_key = c.private_to
          and g.resource_type = 'organization' and g.resource_key = c.private_to and g.user_key = r.user_key
          and ${isLive})`)
})
