import { type Database, json, sql } from '../../server/src/platform/db/db.ts'
import { keyOf } from '../../server/src/platform/id.ts'
import { repeat, type Subject } from '../subject.ts'
import { median, round } from '../table.ts'

const ORGANIZATION = 'bulk'

/**
 * Measures users/add against one hand-written upsert of the same rows: for new users, for users whose names change, and
 * for users who stay as they are. The goal: at least three quarters of its speed.
 */
export async function measureUsers(subject: Subject, count: number, rounds: number): Promise<(string | number)[][]> {
  await subject.client.organizations.addOrganizations({ organizations: [{ organizationId: ORGANIZATION }] })
  const rows: (string | number)[][] = []
  for (const [what, usersOf] of [
    ['new users', (side: string, round: number) => users(`new-${side}-${round}`, count)],
    ['users who change', (side: string, round: number) => users(`known-${side}`, count, ` ${round}`)],
    ['users who stay as they are', (side: string) => users(`same-${side}`, count)],
  ] as const) {
    const raw: number[] = []
    const api = await repeat(rounds, async (round) => {
      raw.push(await upsert(subject, usersOf('raw', round)))
      return subject.time('/v2/users/add', { organizationId: ORGANIZATION, users: usersOf('api', round) })
    })
    const counted = raw.slice(-rounds)
    const ratio = round(median(counted.map((elapsed, i) => elapsed / (api[i] ?? 1))))
    rows.push([what, count, round(median(counted), 1), round(median(api), 1), ratio, '≥ 0.75'])
  }
  return rows
}

interface User {
  userId: string
  name: string
  email: string
}

const users = (prefix: string, count: number, suffix = ''): User[] =>
  Array.from({ length: count }, (_, i) => ({
    userId: `${prefix}-${i}`,
    name: `User ${i}${suffix}`,
    email: `${prefix}-${i}@example.com`,
  }))

/** The time counts keys, parameters and the statement. A connection is open already, as in the server. */
async function upsert({ database, apiKey }: Subject, users: User[]): Promise<number> {
  const start = performance.now()
  await write(database, apiKey, users)
  return performance.now() - start
}

const write = (database: Database, apiKey: string, users: User[]) =>
  database.query(sql`
    with u as (
      select *
      from unnest(
        ${users.map(({ userId }) => keyOf(userId))}::uuid[],
        ${users.map(({ userId }) => userId)}::text[],
        ${users.map(({ name }) => name)}::text[],
        ${users.map(({ email }) => email)}::text[],
        ${users.map(() => json({}))}::jsonb[]
      ) as u (key, id, name, email, profile)
    ), written as (
      insert into app_user (api_key, key, id, name, email, profile)
      select ${apiKey}, key, id, name, email, profile
      from u
      on conflict (api_key, key) do update
      set name = excluded.name, email = excluded.email, profile = app_user.profile || excluded.profile,
        updated_at = now_ms()
    )
    insert into access_grant (api_key, organization_key, resource_type, resource_key, user_key)
    select ${apiKey}, ${keyOf(ORGANIZATION)}::uuid, 'organization', ${keyOf(ORGANIZATION)}::uuid, key
    from u
    on conflict (api_key, organization_key, resource_type, resource_key, user_key) do update
    set role = coalesce(excluded.role, access_grant.role)
    where excluded.role is distinct from access_grant.role`)
