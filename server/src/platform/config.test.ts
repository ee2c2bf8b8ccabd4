import { totalmem } from 'node:os'
import { expect, test } from 'vitest'
import { configFaults } from '../../test/start/config-faults.ts'
import { configurationMarkdown, readConfig } from './config.ts'
import { variables } from './environment.ts'

const secretKeys = `k1:${Buffer.alloc(32, 1).toString('base64')}`
const databaseUrl = 'postgres://user:password@db/precedent'

const aQuarterOfMemory = expect.toSatisfy((mb) => mb > 0 && mb <= totalmem() / 4 / 2 ** 20)

test('an empty environment gives the defaults of the contract', () => {
  expect(readConfig({})).toEqual({
    port: 8080,
    host: '127.0.0.1',
    dataDir: './data',
    databasePoolSize: 16,
    databasePipeline: 'on',
    statementTimeoutMs: 30_000,
    role: 'all',
    logLevel: 'info',
    trustProxy: [],
    bodyLimitBytes: 5_242_880,
    bodyLimitValues: 100_000,
    connections: 10_000,
    pageLimitBytes: 8_388_608,
    connectionsPerAddress: 1000,
    listLimit: 1000,
    headerAliases: ['x-velt'],
    outboundAllow: ['127.0.0.0/8', '::1/128'],
    rateLimitKey: 10_000,
    concurrencyKey: 1_000,
    rateLimitAddress: 100,
    rateLimitWorkspaceCreate: 30,
    rateLimitWorkspaceGet: 60,
    workspaceCreate: 'open',
    productionKeys: 'allowed',
    isLocal: true,
    disposableDomains: [],
    disposableDomainsAllow: [],
    sendgridUrl: 'https://api.sendgrid.com',
    webhookRetentionDays: 30,
    memoryAuthors: 'on',
    memoryIndexMb: aQuarterOfMemory,
    memoryVectorsMb: aQuarterOfMemory,
    warnings: [],
    workerStallSeconds: 60,
    console: 'on',
    passwordSignIn: 'on',
    oidcName: 'single sign-on',
    oidcScope: ['openid', 'email', 'profile'],
    oidcRoles: [],
    oidcAllow: [],
    embedder: 'builtin',
    tracing: 'off',
    tracingPercent: 100,
  })
})

test('variables are read as their types say', () => {
  const config = readConfig({
    PORT: '0',
    DATABASE_URL: databaseUrl,
    SECRET_KEYS: secretKeys,
    ROLE: 'worker',
    TRUST_PROXY: '10.0.0.1, 192.168.0.0/16',
    DATABASE_PIPELINE: 'off',
    MAIL_FROM: 'Precedent <mail@example.com>',
  })
  expect(config).toMatchObject({
    port: 0,
    databaseUrl,
    secretKeys,
    role: 'worker',
    trustProxy: ['10.0.0.1', '192.168.0.0/16'],
    databasePipeline: 'off',
    mailFrom: 'Precedent <mail@example.com>',
  })
})

test('an empty variable is unset, an empty list has no entries', () => {
  const config = readConfig({ PORT: '', DATABASE_URL: ' ', HEADER_ALIASES: '', OUTBOUND_ALLOW: '' })
  expect(config).toMatchObject({ port: 8080, headerAliases: [], outboundAllow: [] })
  expect(config.databaseUrl).toBeUndefined()
})

test('all faults are reported together, by name and rule', () => {
  const message = configFaults({
    PORT: '70000',
    LIST_LIMIT: 'many',
    ROLE: 'boss',
    DATABASE_URL: 'mysql://db',
    TRUST_PROXY: 'all',
    OUTBOUND_ALLOW: '10.0.0.0/8,10.0.0.0/99',
    HEADER_ALIASES: 'X Velt',
    SMTP_URL: 'smtp://mail',
    EMBEDDER: 'openai',
    DISPOSABLE_DOMAINS: '/does/not/exist',
  })
  expect(
    message
      .split('\n')
      .map((line) => line.trim())
      .sort(),
  ).toEqual([
    expect.stringMatching(/^DATABASE_URL must be a valid postgres:\/\/ URL;/),
    'DISPOSABLE_DOMAINS[0] must be a valid domain name or the path of a readable file',
    'EMBEDDER_MODEL is required with EMBEDDER=openai',
    'EMBEDDER_URL is required with EMBEDDER=openai',
    'HEADER_ALIASES[0] must be a valid lower-case header prefix',
    'LIST_LIMIT must be an integer',
    'MAIL_FROM is required with SMTP_URL',
    'OUTBOUND_ALLOW[1] must be a valid CIDR range',
    'PORT must be at most 65535',
    'ROLE must be one of all, api, worker',
    expect.stringMatching(/^SECRET_KEYS is required with DATABASE_URL; make one with: /),
    'TRUST_PROXY[0] must be a valid address or CIDR range',
    'The configuration is not valid:',
  ])
})

test('an address is written in full: no number of proxies, and no range cut short', () => {
  expect(readConfig({ TRUST_PROXY: '10.0.0.1,10.0.0.0/8,::1,fd00::/8' }).trustProxy).toHaveLength(4)
  expect(configFaults({ TRUST_PROXY: '1' })).toContain('TRUST_PROXY[0] must be a valid address or CIDR range')
  expect(configFaults({ TRUST_PROXY: '10/8' })).toContain('TRUST_PROXY[0] must be a valid address or CIDR range')
  expect(configFaults({ OUTBOUND_ALLOW: '10/8' })).toContain('OUTBOUND_ALLOW[0] must be a valid CIDR range')
})

test('faults never show the value of a secret', () => {
  const secret = 'hunter2hunter2hunter2'
  const message = configFaults({
    DATABASE_URL: `mysql://user:${secret}@db`,
    SECRET_KEYS: `k1:${secret}`,
    SMTP_URL: `http://user:${secret}@mail`,
  })
  expect(message).toMatch(/DATABASE_URL.*SMTP_URL.*SECRET_KEYS must be a comma-separated list/s)
  expect(message).not.toContain(secret)
})

test('how a key is made is told where one is missing or malformed, not where its id is repeated', () => {
  const faults = (text: string) => configFaults({ SECRET_KEYS: text }).split('\n').slice(1)
  expect(faults('k1:short')).toEqual([expect.stringMatching(/entry 1 is not; make one with: echo/)])
  expect(faults(`${secretKeys},${secretKeys}`)).toEqual(['  SECRET_KEYS must not repeat a key id'])
})

test.each([
  ['DATABASE_URL', 'postgres://user:p@ss/hunter2@db/precedent'],
  ['DATABASE_URL', 'postgres://user:hunter2/x@db/precedent'],
  ['DATABASE_DIRECT_URL', 'postgres://user:12/hunter2@db/precedent'],
  ['SMTP_URL', 'smtp://user:12/hunter2@mail'],
])(
  '%s with a password that is not percent-encoded is refused, with the remedy and without the password',
  (name, url) => {
    const message = configFaults({
      DATABASE_URL: databaseUrl,
      SECRET_KEYS: secretKeys,
      MAIL_FROM: 'a@b.test',
      [name]: url,
    })
    expect(message).toMatch(new RegExp(`${name} must be .* percent-encoded, such as / as %2F$`, 'm'))
    expect(message).not.toContain('hunter2')
  },
)

test('a percent-encoded password is taken', () => {
  const url = 'postgres://user:p%40ss%2Fword@db/precedent?sslmode=require'
  expect(readConfig({ DATABASE_URL: url, SECRET_KEYS: secretKeys }).databaseUrl).toBe(url)
})

test.each(['PUBLIC_URL', 'SENDGRID_URL', 'EMBEDDER_URL'])(
  '%s holds no credentials, which nobody would be sent',
  (name) => {
    for (const url of ['http://user:hunter2@host/v1', 'https://user@host', 'https://:hunter2@host']) {
      const message = configFaults({ [name]: url })
      expect(message).toContain(`${name} must be a valid http(s) URL without user name, password, ? and #`)
      expect(message).not.toContain('hunter2')
    }
  },
)

test.each(['PUBLIC_URL', 'SENDGRID_URL', 'EMBEDDER_URL', 'CHAT_URL'])(
  '%s has no query and no fragment, behind which the paths that are added to it would lead nowhere',
  (name) => {
    for (const url of ['https://host/v1?key=1', 'https://host/?', 'https://host/#top', 'https://host#']) {
      expect(configFaults({ [name]: url })).toContain(
        `${name} must be a valid http(s) URL without user name, password, ? and #`,
      )
    }
  },
)

test.each(['sk-1\nsk-2', 'sk 1', 'sk-1—'])('a token that no header can carry is refused: %j', (token) => {
  const message = configFaults({ EMBEDDER_API_KEY: token })
  expect(message).toContain('EMBEDDER_API_KEY must be a valid token of ASCII characters without spaces')
  expect(message).not.toContain(token)
})

test('WORKSPACE_CREATE=token is refused at start without OPERATOR_TOKEN', () => {
  expect(configFaults({ WORKSPACE_CREATE: 'token' })).toMatch(/OPERATOR_TOKEN is required with WORKSPACE_CREATE=token/)
  expect(configFaults({ WORKSPACE_CREATE: 'token', OPERATOR_TOKEN: 'too-short' })).toMatch(/OPERATOR_TOKEN/)
  expect(readConfig({ WORKSPACE_CREATE: 'token', OPERATOR_TOKEN: 'x'.repeat(32) }).workspaceCreate).toBe('token')
})

test('an embedded database is served by one process with every role', () => {
  expect(configFaults({ ROLE: 'worker' })).toMatch(/ROLE must be all without DATABASE_URL/)
})

test.each([
  [{ EMBEDDER_URL: 'http://models.test/v1', EMBEDDER_MODEL: 'm' }, ['EMBEDDER_URL', 'EMBEDDER_MODEL']],
  [{ EMBEDDER: 'onnx', EMBEDDER_URL: 'http://models.test/v1', EMBEDDER_MODEL: 'm' }, ['EMBEDDER_URL']],
  [{ EMBEDDER: 'openai', EMBEDDER_URL: 'http://models.test/v1', EMBEDDER_MODEL: 'm' }, []],
  [{ CHAT_MODEL: 'm', CHAT_API_KEY: 'k' }, ['CHAT_MODEL', 'CHAT_API_KEY']],
  [{ CHAT_URL: 'http://models.test/v1', CHAT_MODEL: 'm' }, []],
  [{ DATABASE_DIRECT_URL: 'postgres://db.test/reviews' }, ['DATABASE_DIRECT_URL']],
  [{ MAIL_FROM: 'reviews@example.com' }, ['MAIL_FROM']],
  [{ OIDC_CLIENT_SECRET: 'secret' }, ['OIDC_CLIENT_SECRET']],
  [{ EMBEDDER_API_KEY: 'secret' }, ['EMBEDDER_API_KEY']],
  [{ EMBEDDER: 'onnx', EMBEDDER_MODEL: '/model', EMBEDDER_API_KEY: 'secret' }, ['EMBEDDER_API_KEY']],
  [{ EMBEDDER_QUERY_PREFIX: 'query:' }, ['EMBEDDER_QUERY_PREFIX']],
])('settings without the one that they belong to are warned of: %j', (env, idle) => {
  const { warnings } = readConfig(env)
  expect(warnings).toEqual(idle.map((name) => expect.stringMatching(new RegExp(`^${name} has no effect without`))))
})

test.each([
  [{ HOST: '::1' }, ['127.0.0.0/8', '::1/128']],
  [{ HOST: 'localhost' }, ['127.0.0.0/8', '::1/128']],
  [{ PUBLIC_URL: 'http://localhost:8080' }, ['127.0.0.0/8', '::1/128']],
  [{ PUBLIC_URL: 'http://[::1]:8080' }, ['127.0.0.0/8', '::1/128']],
  [{ PUBLIC_URL: 'https://reviews.example.com' }, []],
  [{ TRUST_PROXY: '127.0.0.1' }, []],
  [{ HOST: '0.0.0.0' }, []],
  [{ HOST: '10.1.2.3' }, []],
  [{ DATABASE_URL: databaseUrl, SECRET_KEYS: secretKeys }, []],
  [{ HOST: '0.0.0.0', OUTBOUND_ALLOW: '10.0.0.0/8' }, ['10.0.0.0/8']],
])('loopback may be called only by an embedded service that only this machine reaches: %j', (env, allowed) => {
  expect(readConfig(env).outboundAllow).toEqual(allowed)
})

test('a misspelt variable is named beside the faults that it may have caused, without its value', () => {
  const faults = configFaults({ DATABASE_URL: databaseUrl, SECRET_KEY: secretKeys })
  expect(faults).toMatch(/SECRET_KEYS is required with DATABASE_URL.*\n {2}The variable SECRET_KEY is not a setting/)
  expect(faults).toContain('Is SECRET_KEYS meant?')
  expect(faults).not.toContain(secretKeys)
})

test('the settings cannot be changed', () => {
  const config = readConfig({})
  expect(() => Object.assign(config, { port: 1 })).toThrow(TypeError)
  expect(() => config.headerAliases.push('x')).toThrow(TypeError)
  expect(readConfig({}).headerAliases).toEqual(['x-velt'])
})

test('every variable has a line in the documentation, with type, default and meaning', () => {
  const rows = configurationMarkdown()
    .split('\n')
    .filter((line) => line.startsWith('| `'))
  expect(rows).toHaveLength(Object.keys(variables.properties).length)
  for (const row of rows) expect(row).toMatch(/^\| `[A-Z_]+` \| [^|]+ \| [^|]+ \| [^|]+\. \|$/)
  expect(rows[0]).toBe('| `PORT` | TCP port | `8080` | Where the server listens; 0 takes a free port. |')
})
