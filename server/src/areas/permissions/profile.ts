import type { ApiKeyTenant } from '../../platform/context.ts'
import { json, sql, type Transaction } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'

/** The known fields of a user; a missing field keeps its stored value. */
export interface Profile {
  userId: string
  name?: string | undefined
  email?: string | undefined
  initial?: string | undefined
  /** Further fields of the user, merged into those stored. */
  more?: Record<string, unknown>
}

/**
 * Sends a statement that adds users and updates those that exist; ids must be distinct. It locks their rows, but does
 * not write those that stay as they are.
 */
export function writeProfiles(db: Transaction, tenant: ApiKeyTenant, profiles: Profile[]): void {
  if (profiles.length === 0) return
  db.send(sql`
    insert into app_user (api_key, key, id, name, email, initial, profile)
    select ${tenant.apiKey}, u.*
    from unnest(
      ${profiles.map(({ userId }) => keyOf(userId))}::uuid[],
      ${profiles.map(({ userId }) => userId)}::text[],
      ${profiles.map(({ name }) => name ?? null)}::text[],
      ${profiles.map(({ email }) => email ?? null)}::text[],
      ${profiles.map(({ initial }) => initial ?? null)}::text[],
      ${profiles.map(({ more }) => json(more ?? {}))}::jsonb[]
    ) as u (key, id, name, email, initial, profile)
    order by 2
    on conflict (api_key, key) do update
    set name = coalesce(excluded.name, app_user.name),
      email = coalesce(excluded.email, app_user.email),
      initial = coalesce(excluded.initial, app_user.initial),
      profile = app_user.profile || excluded.profile,
      updated_at = now_ms()
    where coalesce(excluded.name, app_user.name) is distinct from app_user.name
      or coalesce(excluded.email, app_user.email) is distinct from app_user.email
      or coalesce(excluded.initial, app_user.initial) is distinct from app_user.initial
      or app_user.profile || excluded.profile <> app_user.profile`)
}
