import { decide } from '../../server/src/areas/permissions/access/access.ts'
import { keyOf } from '../../server/src/platform/id.ts'
import { analyze, keyInSql as key, quantile, repeat, type Subject, statement } from '../subject.ts'
import { round } from '../table.ts'

const ORGANIZATION = 'access'
const DEPTH = 20
const CHAINS = 50
const DOCUMENTS = 1_000
const GRANTS_OF_A_USER = 100
const CONNECTIONS = 8
const PAIRS = 100

/**
 * Measures permissions/check of documents in folders 20 levels deep. Every user has 100 grants, spread over all folders
 * and documents. Goals: p95 of one pair at 8 connections within 5 ms, 100 pairs in one call within 20 ms.
 */
export async function measurePermissions(
  subject: Subject,
  grants: number,
  calls: number,
): Promise<(string | number)[][]> {
  const users = Math.ceil(grants / GRANTS_OF_A_USER)
  await fill(subject, users)
  const check = (i: number) => pair(i, users)
  const one = (i: number) => ({ organizationId: ORGANIZATION, checks: [check(i)] })
  const many = (i: number) => ({
    organizationId: ORGANIZATION,
    checks: Array.from({ length: PAIRS }, (_, n) => check(i * PAIRS + n)),
  })
  const send = (data: object) => subject.time('/v2/auth/permissions/check', data)
  // A server that has just started is still compiling its code.
  await inParallel(2 * calls, (i) => send(one(i + 5)))
  const alone = await repeat(Math.ceil(calls / 10), (i) => send(one(i + 10)))
  const together = await inParallel(calls, (i) => send(one(i)))
  const bare = await inParallel(calls, (i) => timeDecision(subject, check(i)))
  const bulk = await repeat(Math.ceil(calls / 20), (i) => send(many(i + 10)))
  return [
    row('one pair, 1 connection', grants, alone, ''),
    row(`one pair, ${CONNECTIONS} connections`, grants, together, 'p95 ≤ 5'),
    row(`its statement alone, ${CONNECTIONS} under way`, grants, bare, ''),
    row(`${PAIRS} pairs in a call, 1 connection`, grants, bulk, 'p50 ≤ 20'),
  ]
}

const pair = (i: number, users: number) => ({
  // The steps share no factor with the counts, so that pairs repeat late.
  userId: `user-${(i * 7_919) % users}`,
  resource: { type: 'document' as const, id: `document-${(i * 619) % DOCUMENTS}` },
  action: 'view' as const,
})

/** The time of the response without HTTP, authentication and a separate process. */
async function timeDecision(
  { database, apiKey }: Subject,
  { userId, resource: { type, id }, action }: ReturnType<typeof pair>,
): Promise<number> {
  const start = performance.now()
  const tenant = { apiKey }
  await decide(database, tenant, keyOf(ORGANIZATION), [{ userKey: keyOf(userId), type, key: keyOf(id), action }])
  return performance.now() - start
}

const row = (what: string, grants: number, times: number[], goal: string) => [
  what,
  grants,
  round(quantile(times, 0.5)),
  round(quantile(times, 0.95)),
  round(quantile(times, 0.99)),
  goal,
]

/** One caller per connection, each with one call after the other. The first tenth is not counted. */
async function inParallel(calls: number, measure: (i: number) => Promise<number>): Promise<number[]> {
  const times: number[] = []
  let next = 0
  async function caller(): Promise<void> {
    while (next < calls) times.push(await measure(next++))
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, caller))
  return times.slice(Math.floor(calls / 10))
}

/** Creates the resources through the API; users and grants by SQL. */
async function fill({ client, database, apiKey }: Subject, users: number): Promise<void> {
  const organizationId = ORGANIZATION
  await client.organizations.addOrganizations({ organizations: [{ organizationId }] })
  const folders = Array.from({ length: CHAINS * DEPTH }, (_, i) => ({
    folderId: `folder-${i}`,
    parentFolderId: i % DEPTH === 0 ? 'root' : `folder-${i - 1}`,
  }))
  await client.folders.addFolders({ organizationId, folders })
  for (let chain = 0; chain < CHAINS; chain++) {
    const documents = Array.from({ length: DOCUMENTS / CHAINS }, (_, i) => ({
      documentId: `document-${i * CHAINS + chain}`,
      accessType: 'restricted' as const,
    }))
    await client.documents.addDocuments({ organizationId, folderId: `folder-${(chain + 1) * DEPTH - 1}`, documents })
  }
  const places = CHAINS * DEPTH + DOCUMENTS
  await statement(
    database,
    `insert into app_user (api_key, key, id, name)
     select '${apiKey}', ${key("'user-' || i")}, 'user-' || i, 'User ' || i
     from generate_series(0, ${users - 1}) as i`,
  )
  await statement(
    database,
    `insert into access_grant (api_key, organization_key, resource_type, resource_key, user_key, role)
     select '${apiKey}', r.organization_key, r.type, r.key, ${key("'user-' || u")}, 'viewer'
     from generate_series(0, ${users - 1}) as u
     cross join generate_series(0, ${GRANTS_OF_A_USER - 1}) as g
     join (
       select organization_key, key, type, row_number() over (order by key) - 1 as number
       from (
         select organization_key, key, 'folder' as type from folder where api_key = '${apiKey}'
         union all
         select organization_key, key, 'document' from document where api_key = '${apiKey}'
       ) places
       where organization_key = ${key(`'${organizationId}'`)}
     ) r on r.number = (u * 31 + g * ${Math.floor(places / GRANTS_OF_A_USER)}) % ${places}`,
  )
  await analyze(database)
}
