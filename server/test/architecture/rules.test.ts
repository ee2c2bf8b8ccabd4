import { expect, test } from 'vitest'
import { cycles, doors, doorsOfAreas, layers } from './imports.ts'
import { crowded, effects, namedExports, names, operationNames, sizes, transactions } from './shape.ts'
import { type Rule, source } from './source.ts'
import { organizationKeys, tenantStatements } from './statements.ts'
import { testNames } from './test-names.ts'

const area = (file: string) => `server/src/areas/${file}`
const operationText = 'export const addUsers = operation({}).run()\n'
const lines = (count: number) => 'f()\n'.repeat(count)

/** Returns the violations of the rule in files, given as path and text; without paths and lines. */
function judge(rule: Rule, files: Record<string, string>): string[] {
  return rule(Object.entries(files).map(([path, text]) => source(path, text))).map((fault) =>
    fault.slice(fault.indexOf(' ') + 1),
  )
}

test.each<[what: string, rule: Rule, files: Record<string, string>, fault: RegExp]>([
  [
    'an area known to the platform',
    layers,
    { 'server/src/platform/work/job.ts': "import type { A } from '../../areas/users/user.ts'" },
    /the platform imports only/,
  ],
  [
    'a later area, by its type in an import() type',
    layers,
    { [area('documents/document.ts')]: "type A = import('../comments/comment.ts').A" },
    /comments is not earlier than documents/,
  ],
  [
    'a later area, loaded when needed',
    layers,
    { [area('documents/document.ts')]: "await import('../comments/comment.ts')" },
    /comments is not earlier/,
  ],
  [
    'a later area, passed on',
    layers,
    { [area('documents/document.ts')]: "export * from '../comments/comment.ts'" },
    /comments is not earlier/,
  ],
  [
    'an operation of an earlier area',
    layers,
    {
      [area('comments/comment.ts')]: "import { addUsers } from '../users/add-users.ts'",
      [area('users/add-users.ts')]: operationText,
    },
    /of users only nouns and events/,
  ],
  [
    'the index of an earlier area',
    layers,
    { [area('comments/comment.ts')]: "import { users } from '../users/index.ts'" },
    /of users only nouns and events/,
  ],
  [
    'an operation of the same area',
    layers,
    {
      [area('users/user.ts')]: "import { addUsers } from './add-users.ts'",
      [area('users/add-users.ts')]: operationText,
    },
    /no file imports an operation/,
  ],
  [
    'the wiring',
    layers,
    { [area('users/user.ts')]: "import { app } from '../../app.ts'" },
    /only the platform and areas/,
  ],
  [
    'an area out of order',
    layers,
    { [area('gadgets/gadget.ts')]: "import '../users/user.ts'" },
    /no place in the order/,
  ],
  ['a second wiring', layers, { 'server/src/main.ts': "import './areas/users/user.ts'" }, /only app\.ts wires/],
  ['a dependency of the client', layers, { 'client/src/index.ts': "import ky from 'ky'" }, /the client stands alone/],
  ['the server in the mcp server', layers, { 'mcp/a.ts': "import '../server/src/app.ts'" }, /know only the client/],
  [
    'the root of an area in one of its rooms',
    layers,
    { [area('webhooks/sending/claim.ts')]: "import '../basic-endpoint.ts'" },
    /the room sending imports the root of webhooks/,
  ],
  [
    'a later room',
    layers,
    { [area('memory/judgment/judgment.ts')]: "import type { A } from '../vectors/nearest.ts'" },
    /the room vectors is not earlier than judgment/,
  ],
  [
    'a room that is apart',
    layers,
    { [area('webhooks/sending/claim.ts')]: "import type { A } from '../delivery/delivery.ts'" },
    /sending and delivery are apart/,
  ],
  ['an operation in a room', doorsOfAreas, { [area('memory/search/add.ts')]: operationText }, /root of memory/],
  ['a subscriber in a room', doorsOfAreas, { [area('comments/thread/on-event.ts')]: '' }, /root of comments/],
  ['a worker in a room', doorsOfAreas, { [area('webhooks/sending/deliver.worker.ts')]: '' }, /root of webhooks/],
  ['a room that nobody listed', doorsOfAreas, { [area('users/things/user.ts')]: '' }, /users does not list/],
  [
    'a crowded folder',
    crowded,
    Object.fromEntries(Array.from({ length: 41 }, (_, i) => [`server/src/platform/file-${i}.ts`, ''])),
    /holds 41 files, at most 40/,
  ],
  ['the server in the console', layers, { 'console/a.tsx': "import '../server/src/app.ts'" }, /know only the client/],
  [
    'the client in the server',
    layers,
    { 'server/src/app.ts': "import '@precedent/client'" },
    /the server stands alone/,
  ],
  [
    'a cycle through types',
    cycles,
    {
      'server/src/a.ts': "import type { B } from './b.ts'",
      'server/src/b.ts': "export { C } from './c.ts'",
      'server/src/c.ts': "import { type A } from './a.ts'",
    },
    /imports itself: server\/src\/a\.ts -> server\/src\/b\.ts -> server\/src\/c\.ts -> server\/src\/a\.ts/,
  ],
  ['a driver', doors, { [area('users/user.ts')]: "import pg from 'pg/lib/client.js'" }, /past the door: pg/],
  [
    'the type of a driver',
    doors,
    { 'server/src/app.ts': "import type { PGlite } from '@electric-sql/pglite'" },
    /pglite/,
  ],
  ['the HTTP library', doors, { 'server/src/app.ts': "import type { FastifyInstance } from 'fastify'" }, /fastify/],
  ['an HTTP client', doors, { 'server/src/platform/work/job.ts': "import { request } from 'undici'" }, /undici/],
  ['the HTTP client of the runtime', doors, { 'server/src/app.ts': 'await fetch(address)' }, /fetch/],
  ['mail', doors, { [area('email/send.job.ts')]: "import mail from 'nodemailer'" }, /nodemailer/],
  ['the environment', doors, { 'server/src/main.ts': 'start(process.env.PORT)' }, /process\.env/],
  ['the environment by its name', doors, { 'server/src/main.ts': "start(process['env'])" }, /process\.env/],
  ['the environment, taken apart', doors, { 'server/src/main.ts': 'const { env } = process' }, /process\.env/],
  [
    'the environment as a module',
    doors,
    { 'server/src/main.ts': "import { env } from 'node:process'" },
    /node:process/,
  ],
  [
    'a transaction in an area',
    transactions,
    { [area('users/user.ts')]: 'export const f = (db: Database) => db.transaction(work)' },
    /opens a transaction/,
  ],
  [
    'a transaction in the wiring',
    transactions,
    { 'server/src/app.ts': 'database.transaction(work)' },
    /opens a transaction/,
  ],
  [
    'a transaction as a statement',
    transactions,
    { [area('users/user.ts')]: 'db.query(sql` BEGIN isolation level serializable`)' },
    /opens a transaction/,
  ],
  [
    'db as the last parameter',
    transactions,
    { [area('users/user.ts')]: 'function f(id: string, db: Db) {}' },
    /takes db/,
  ],
  ['db that may be left out', transactions, { [area('users/user.ts')]: 'const f = (db?: Db) => 1' }, /takes db/],
  ['db with a default', transactions, { [area('users/user.ts')]: 'const f = (db = pool) => 1' }, /takes db/],
  ['a timer', effects, { [area('users/user.ts')]: 'setTimeout(f, 1)' }, /beside its transaction/],
  ['a timer that is awaited', effects, { [area('users/user.ts')]: "import 'node:timers/promises'" }, /beside its/],
  ['the next tick', effects, { [area('users/user.ts')]: 'process.nextTick(f)' }, /beside its transaction/],
  ['a promise let go', effects, { [area('users/user.ts')]: 'void send()' }, /beside its transaction/],
  [
    'mail sent by an operation',
    effects,
    { [area('users/add-users.ts')]: `import { send } from '../../platform/outbound/mail.ts'\n${operationText}` },
    /calls the outside from an operation/,
  ],
  [
    'a request by an operation',
    effects,
    { [area('users/add-users.ts')]: 'operation({}).run(({ outbound }) => outbound.request(address))' },
    /calls the outside from an operation/,
  ],
  ['two operations', operationNames, { [area('users/add-users.ts')]: operationText.repeat(2) }, /holds 2 operations/],
  ['another name', operationNames, { [area('users/create.ts')]: operationText }, /exports no create/],
  ['a junk room', names, { 'server/src/platform/utils.ts': '' }, /says nothing/],
  ['a junk room with tests', names, { 'client/src/helper.test.ts': '' }, /says nothing/],
  ['a directory of junk', names, { 'server/src/common/name.ts': '' }, /says nothing/],
  [
    'a test named after nothing beside it',
    testNames,
    { [area('users/add-users.ts')]: operationText, [area('users/concurrency.test.ts')]: '' },
    /named after nothing/,
  ],
  [
    'a test in another folder than its file',
    testNames,
    { [area('memory/search/fusion.ts')]: '', [area('memory/lexical/fusion.test.ts')]: '' },
    /named after nothing/,
  ],
  ['a default export', namedExports, { 'server/src/app.ts': 'export default 1' }, /default export/],
  ['a default export by name', namedExports, { 'server/src/app.ts': 'export { f as default }' }, /default export/],
  ['a long operation', sizes, { [area('users/add-users.ts')]: operationText + lines(121) }, /at most 120/],
  ['a long file', sizes, { 'server/src/app.ts': lines(301) }, /301 lines, at most 300/],
  ['a long test', sizes, { 'server/src/app.test.ts': lines(301) }, /301 lines, at most 300/],
  ['a long comment', sizes, { 'server/src/app.ts': `// ${'x'.repeat(118)}` }, /comment of 121 characters, at most 120/],
  [
    'a long function',
    sizes,
    { 'server/src/app.ts': `export const f = () => {\n${lines(59)}}` },
    /function of 61 lines, at most 60/,
  ],
  [
    'a select without the tenant',
    tenantStatements,
    { [area('users/user.ts')]: 'sql`select api_key, name from users where id = $1`' },
    /does not name the tenant/,
  ],
  [
    'a deletion whose tenant is in a comment',
    tenantStatements,
    { [area('users/user.ts')]: 'sql`delete from users -- api_key = 1\n where id = $1`' },
    /does not name the tenant/,
  ],
  [
    'an insert without the tenant',
    tenantStatements,
    { [area('users/user.ts')]: 'sql`insert into users (id, name) values ($1, $2)`' },
    /does not name the tenant/,
  ],
  [
    'the key of an organization that its id alone makes',
    organizationKeys,
    { [area('users/user.ts')]: 'const key = keyOf(input.organizationId)' },
    /makes the key of an organization/,
  ],
  [
    'the keys of organizations that their ids alone make',
    organizationKeys,
    { [area('users/user.ts')]: 'const keys = organizationIds.map(keyOf)' },
    /makes the key of an organization/,
  ],
])('finds %s', (_, rule, files, fault) => {
  const faults = judge(rule, files)
  expect(faults).toHaveLength(1)
  expect(faults[0]).toMatch(fault)
})

test('leaves code alone that keeps the rules', () => {
  const files = {
    'server/src/app.ts':
      "import { users } from './areas/users/index.ts'\nimport { createHttp } from './platform/http/http.ts'",
    'server/src/platform/http/http.ts': "import fastify from 'fastify'",
    'server/src/platform/http/execute.ts': 'database.transaction((db) => work(db))',
    'server/src/platform/db/postgres.ts': "import pg from 'pg'",
    [area('users/index.ts')]: "export { addUsers } from './add-users.ts'",
    [area('users/add-users.ts')]: `import { user } from './user.ts'\n${operationText}`,
    [area('users/get-users.v1.ts')]: 'export const getUsersV1 = operation({}).run()',
    [area('users/user.ts')]: `
      import { document } from '../documents/document.ts'
      export function find(db: Db, ids: string[]) {
        return db.query(sql\`select name from users where (api_key, id) in (select \${key}, unnest(\${ids}))\`)
      }
      export const condition = sql\`and name = \${name}\`
      sql\`with gone as (delete from users where api_key = \${key} returning id) select id from gone\`
      sql\`select w.name from workspace as w where w.id = \${id}\`
      sql\`insert into users (api_key, id) select \${key}, unnest(\${ids})\``,
    [area('users/user.test.ts')]:
      "import { startService } from '../../../test/running-service.ts'\nprocess.env.TZ = 'UTC'",
    [area('users/users-concurrency.test.ts')]: '',
    [area('users/get-users.v1.test.ts')]: '',
    'client/src/api.ts': `// One function for every operation.\n${lines(2000)}`,
  }
  const rules = [
    layers,
    doorsOfAreas,
    crowded,
    cycles,
    doors,
    transactions,
    effects,
    operationNames,
    names,
    namedExports,
    sizes,
    tenantStatements,
    organizationKeys,
    testNames,
  ]
  for (const rule of rules) expect(judge(rule, files)).toEqual([])
})
