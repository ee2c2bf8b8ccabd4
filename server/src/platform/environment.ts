import { type Static, Type } from './schema.ts'
import { memorySettings } from './settings/memory.ts'
import { operatorSettings } from './settings/operators.ts'
import { BASE_URL, DOMAIN, HOST, POSTGRES_URL, SENDER, SMTP_URL } from './settings/setting-formats.ts'
import { tracingSettings } from './settings/tracing.ts'

/**
 * Every variable of the environment that the service reads: its type, unit, default and meaning. The documentation, the
 * parser and the type `Config` derive from it. `otherwise` describes a default that depends on other variables. A
 * secret with `orFile` may stand in a file. Those of a large topic are declared in `settings/`.
 */
export const variables = Type.Object({
  PORT: Type.Integer({
    default: 8080,
    minimum: 0,
    maximum: 65535,
    unit: 'TCP port',
    description: 'Where the server listens; 0 takes a free port.',
  }),
  HOST: Type.String({
    default: '127.0.0.1',
    format: HOST,
    unit: 'address',
    description: 'The address to listen on; `0.0.0.0` or `::` opens the service to other machines.',
  }),
  DATA_DIR: Type.String({
    default: './data',
    unit: 'directory',
    description: 'Where the embedded database and its secret keys are kept; unused with `DATABASE_URL`.',
  }),
  DATABASE_URL: Type.Optional(
    Type.String({
      format: POSTGRES_URL,
      orFile: true,
      unit: 'URL',
      otherwise: 'the embedded database',
      description: 'The PostgreSQL (15 or later) that holds all data.',
    }),
  ),
  DATABASE_DIRECT_URL: Type.Optional(
    Type.String({
      format: POSTGRES_URL,
      orFile: true,
      unit: 'URL',
      otherwise: '`DATABASE_URL`',
      description:
        'The same database without the connection pooler that `DATABASE_URL` leads to. Needed behind a pooler, for notifications and migrations.',
    }),
  ),
  DATABASE_POOL_SIZE: Type.Integer({
    default: 16,
    minimum: 1,
    maximum: 1000,
    unit: 'connections',
    description:
      'The most connections for writes that each process opens to `DATABASE_URL`. One API key uses at most three quarters of them at a time.',
  }),
  DATABASE_PIPELINE: Type.Enum(['on', 'off'], {
    default: 'on',
    description: 'Whether statements are pipelined on a connection; `off` is for poolers that do not support it.',
  }),
  STATEMENT_TIMEOUT_MS: Type.Integer({
    default: 30_000,
    minimum: 0,
    maximum: 3_600_000,
    unit: 'milliseconds',
    description: 'After how long a statement is cancelled and its operation returns DEADLINE_EXCEEDED; 0 is never.',
  }),
  SECRET_KEYS: Type.Optional(
    Type.String({
      orFile: true,
      unit: '`id:key` list',
      otherwise: 'generated for the embedded database, required with `DATABASE_URL`',
      description:
        'The master keys for stored secrets, each `id:` and the base64 of 32 random bytes; the first encrypts, all decrypt.',
    }),
  ),
  ROLE: Type.Enum(['all', 'api', 'worker'], {
    default: 'all',
    description:
      'What this process does: serve requests (`api`), run jobs and deliveries (`worker`), or both. All serve health and metrics. An embedded database needs `all`.',
  }),
  WORKER_STALL_SECONDS: Type.Integer({
    default: 60,
    minimum: 1,
    maximum: 86_400,
    unit: 'seconds',
    description: 'How long a loop of the worker may stand still while work is due, before `/readyz` returns 503.',
  }),
  LOG_LEVEL: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    default: 'info',
    description: 'The lowest severity that is logged.',
  }),
  PUBLIC_URL: Type.Optional(
    Type.String({
      format: BASE_URL,
      unit: 'URL',
      otherwise: 'the address that the server listens on',
      description:
        'The address under which callers reach the service, for links in emails and documents. A warning is logged if it is unset while `SMTP_URL` is set.',
    }),
  ),
  TRUST_PROXY: Type.Array(Type.String({ format: 'address or CIDR range' }), {
    default: [],
    unit: 'addresses or CIDR ranges',
    description: 'The proxies whose `X-Forwarded-For` names the client address.',
  }),
  BODY_LIMIT_BYTES: Type.Integer({
    default: 5 * 1024 * 1024,
    minimum: 1024,
    maximum: 256 * 1024 * 1024,
    unit: 'bytes',
    description: 'The largest request body that is accepted.',
  }),
  BODY_LIMIT_VALUES: Type.Integer({
    default: 100_000,
    minimum: 1000,
    maximum: 10_000_000,
    unit: 'values',
    description: 'The most values (strings, numbers, lists, objects …) that a request body may hold.',
  }),
  CONNECTIONS: Type.Integer({
    default: 10_000,
    minimum: 0,
    maximum: 1_000_000,
    unit: 'connections',
    description:
      'The most HTTP connections that a process holds open; 0 is no limit. Never more than its limit of open files leaves room for.',
  }),
  CONNECTIONS_PER_ADDRESS: Type.Integer({
    default: 1000,
    minimum: 0,
    maximum: 1_000_000,
    unit: 'connections',
    description: 'The most HTTP connections from one address; 0 is no limit. Set 0 behind a proxy.',
  }),
  PAGE_LIMIT_BYTES: Type.Integer({
    default: 8 * 1024 * 1024,
    minimum: 1024,
    maximum: 256 * 1024 * 1024,
    unit: 'bytes',
    description:
      'The most bytes of records in a page of a list, or in a search of the memory. It holds at least one record.',
  }),
  LIST_LIMIT: Type.Integer({
    default: 1000,
    minimum: 1,
    maximum: 10_000,
    unit: 'items',
    description: 'The longest list that a request may hold.',
  }),
  HEADER_ALIASES: Type.Array(Type.String({ format: 'lower-case header prefix' }), {
    default: ['x-velt'],
    unit: 'header prefixes',
    description: 'Prefixes that are accepted besides `x-service` in the names of the credential headers.',
  }),
  OUTBOUND_ALLOW: Type.Optional(
    Type.Array(Type.String({ format: 'CIDR range' }), {
      unit: 'CIDR ranges',
      otherwise:
        'loopback while the database is embedded, `HOST` is loopback, and neither `TRUST_PROXY` nor a `PUBLIC_URL` beyond loopback is set; else none',
      description: 'Private or otherwise special addresses that webhooks and other outbound requests may reach.',
    }),
  ),
  RATE_LIMIT_KEY: Type.Integer({
    default: 10_000,
    minimum: 0,
    unit: 'calls per second',
    description: 'How often one API key may call each process; 0 sets no limit.',
  }),
  CONCURRENCY_KEY: Type.Integer({
    default: 1_000,
    minimum: 0,
    unit: 'calls',
    description: 'How many calls of one API key each process works on at a time; 0 sets no limit.',
  }),
  RATE_LIMIT_ADDRESS: Type.Integer({
    default: 100,
    minimum: 0,
    unit: 'requests per second',
    description: 'How often one address may request what needs no credentials, except health; 0 sets no limit.',
  }),
  RATE_LIMIT_WORKSPACE_CREATE: Type.Integer({
    default: 30,
    minimum: 0,
    maximum: 1_000_000,
    unit: 'calls per minute',
    description: 'How often one client address may create a workspace; 0 sets no limit.',
  }),
  RATE_LIMIT_WORKSPACE_GET: Type.Integer({
    default: 60,
    minimum: 0,
    maximum: 1_000_000,
    unit: 'calls per minute',
    description: 'How often one workspace may be read; 0 sets no limit.',
  }),
  WORKSPACE_CREATE: Type.Enum(['open', 'token', 'off'], {
    default: 'open',
    description:
      'Who may create workspaces: anyone who reaches the service (`open`), callers with `OPERATOR_TOKEN` (`token`), or nobody (`off`).',
  }),
  PRODUCTION_KEYS: Type.Enum(['allowed', 'refused'], {
    default: 'allowed',
    description: 'Whether callers may create API keys of the type `production`.',
  }),
  DISPOSABLE_DOMAINS: Type.Array(Type.String({ format: DOMAIN }), {
    default: [],
    unit: 'domains, or a file with one per line',
    description:
      'Email domains that may not own a workspace, besides the built-in list of disposable ones. The path of a file has a `/`, as in `./domains.txt`.',
  }),
  DISPOSABLE_DOMAINS_ALLOW: Type.Array(Type.String({ format: DOMAIN }), {
    default: [],
    unit: 'domains, or a file with one per line',
    description: 'Email domains that may own a workspace although they are listed as disposable.',
  }),
  SMTP_URL: Type.Optional(
    Type.String({
      format: SMTP_URL,
      orFile: true,
      unit: 'URL',
      otherwise: 'no mail is sent',
      description:
        'The mail server, with its user name and password if it requires them. A process without it leaves emails to those that have it.',
    }),
  ),
  MAIL_FROM: Type.Optional(
    Type.String({
      format: SENDER,
      unit: 'email address',
      otherwise: 'required with `SMTP_URL`',
      description: 'The sender of emails, as `name@host` or `Name <name@host>`.',
    }),
  ),
  SENDGRID_URL: Type.String({
    default: 'https://api.sendgrid.com',
    format: BASE_URL,
    unit: 'URL',
    description: 'The base address of the SendGrid API, which customers use with keys of their own.',
  }),
  WEBHOOK_RETENTION_DAYS: Type.Integer({
    default: 30,
    minimum: 7,
    maximum: 366,
    unit: 'days',
    description:
      'The shortest time that events and the log of their deliveries are kept and can be replayed. They are deleted by the week.',
  }),
  ...operatorSettings,
  ...tracingSettings,
  ...memorySettings,
})

/** The values of the variables after parsing. */
export type Variables = Static<typeof variables>
