import { type Database, json, sql } from '../../server/src/platform/db/db.ts'
import { keyOf } from '../../server/src/platform/id.ts'
import { median, round } from '../table.ts'
import { repeat, type Subject } from './subject.ts'

const ORGANIZATION = 'bulk'

/**
 * Measures users/add against one hand-written upsert of the same rows, for new and for existing users. The goal: at
 * least half of its speed.
 */
export async function measureUsers(subject: Subject, count: number, rounds: number): Promise<(string | number)[][]> {
  await subject.client.organizations.addOrganizations({ organizations: [{ organizationId: ORGANIZATION }] })
  const rows: (string | number)[][] = []
  for (const [what, batchOf] of [
    ['new users', (round: number) => round],
    ['users who exist', () => 0],
  ] as const) {
    const raw: number[] = []
    const api = await repeat(rounds, async (round) => {
      const users = (side: string) => usersOf(`${what}-${side}-${batchOf(round)}`, count)
      raw.push(await upsert(subject, users('raw')))
      return subject.time('/v2/users/add', { organizationId: ORGANIZATION, users: users('api') })
    })
    const counted = raw.slice(-rounds)
    const ratio = round(median(counted.map((elapsed, i) => elapsed / (api[i] ?? 1))))
    rows.push([what, count, round(median(counted), 1), round(median(api), 1), ratio, '≥ 0.5'])
  }
  return rows
}

interface User {
  userId: string
  name: string
  email: string
}

function usersOf(prefix: string, count: number): User[] {
  const id = prefix.replaceAll(' ', '-')
  return Array.from({ length: count }, (_, i) => ({
    userId: `${id}-${i}`,
    name: `User ${i}`,
    email: `${id}-${i}@example.com`,
  }))
}

/** The time counts keys, parameters and the statement. A connection is open already, as in the server. */
export async function upsert({ database, apiKey }: Subject, users: User[]): Promise<number> {
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
