import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { gate } from '../test/gate.ts'
import { rowsInVain } from '../test/measuring/explained.ts'
import { testReceiver } from '../test/receiver.ts'
import { freshNativeUrl, newWorkspace, type Service, startAlone, startOn } from '../test/running-service.ts'
import { startProxy } from '../test/tcp-proxy.ts'
import { newWebhookWorkspace } from '../test/webhook-workspace.ts'
import { emailDeliveries } from './areas/email/deliver.worker.ts'
import { webhookDeliveries } from './areas/webhooks/deliver.worker.ts'
import { sql } from './platform/db/db.ts'
import { openPostgres } from './platform/db/postgres.ts'
import { migrate } from './platform/migrate.ts'
import { jobQueue } from './platform/work/job.ts'

/** The samples that the service shows to a scraper, by metric and labels. */
async function scrape({ url }: Service): Promise<Record<string, number>> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]))
}

let alone: Service

beforeAll(async () => {
  alone = await startAlone()
})
afterAll(async () => {
  await alone.app.http.close()
  await alone.database.close()
})

/** A further service on the database of this file, which has measured nothing yet. */
async function fresh(): Promise<Service> {
  const another = await startOn(alone.database, {})
  onTestFinished(async () => {
    await another.app.http.close()
    await another.app.worker.stop()
  })
  return another
}

test('a running worker shows when its loops turned and how long deliveries take from when they are due', async () => {
  const service = await fresh()
  const receiver = await testReceiver()
  const ws = await newWebhookWorkspace(service)
  await ws.createEndpoint({ url: `${receiver.url}/hook` })
  await ws.emit()
  expect(await scrape(service)).not.toHaveProperty('worker_loop_idle_seconds{source="jobs"}')
  service.clock.ahead = 40_000
  await service.app.worker.start()
  await receiver.next()
  await expect.poll(() => scrape(service)).toMatchObject({ delivery_latency_seconds_count: 1 })
  const seen = await scrape(service)
  expect(seen).toMatchObject({
    'delivery_latency_seconds_bucket{le="30"}': 0,
    'delivery_latency_seconds_bucket{le="60"}': 1,
  })
  expect(seen['worker_loop_idle_seconds{source="jobs"}']).toBeLessThan(5)
})

describe('queues', () => {
  test('each queue shows how many items wait and how long the oldest has been due, jobs by type', async () => {
    const service = await fresh()
    const ws = await newWebhookWorkspace(service)
    await ws.createEndpoint({ url: 'https://one.test/hook' })
    await ws.createEndpoint({ url: 'https://two.test/hook' })
    await ws.emit('comment.add', [{}, {}, {}])
    await ws.ok('/v2/organizations/add', { organizations: [{ organizationId: 'acme' }] })
    await ws.ok('/v2/users/data/delete', { userIds: ['ada'] })
    const now = Date.now()
    await service.database.query(sql`
      update webhook_pending
      set status = 'scheduled', due_at = ${now + 60_000}::bigint
      where seq = (select max(seq) from webhook_pending)`)
    await service.database.query(sql`
      insert into email (api_key, id, organization_key, user_key, person, activities, status, attempt, due_at)
      select api_key, email.id, key, key, '{}', 1, status, attempt, ${now}::bigint + in_ms
      from organization
      cross join (
        values
          ('due-1', 'waiting', 0, -1000),
          ('due-2', 'waiting', 1, -2000),
          ('failed', 'waiting', 1, 300000),
          ('collecting', 'collecting', 0, 300000)
      ) email (id, status, attempt, in_ms)`)
    service.clock.ahead = 90_000
    const seen = await scrape(service)
    expect(seen).toMatchObject({
      'queue_depth{queue="deliveries"}': 5,
      'queue_depth{queue="delivery_retries"}': 1,
      'queue_depth{queue="emails"}': 2,
      'queue_depth{queue="email_retries"}': 1,
      'queue_oldest_seconds{queue="email_retries"}': 0,
      'queue_depth{queue="jobs",type="user-data.delete"}': 1,
      'queue_depth{queue="jobs",type="document.migrate"}': 0,
      'queue_oldest_seconds{queue="jobs",type="document.migrate"}': 0,
      'queue_depth{queue="jobs",type="organization.remove-threads"}': 0,
      'queue_oldest_seconds{queue="jobs",type="organization.remove-threads"}': 0,
      'queue_depth{queue="jobs",type="organization.remove"}': 0,
      'queue_oldest_seconds{queue="jobs",type="organization.remove"}': 0,
    })
    const oldest = (labels: string) => seen[`queue_oldest_seconds{${labels}}`]
    for (const labels of ['queue="deliveries"', 'queue="emails"', 'queue="jobs",type="user-data.delete"'])
      expect([labels, oldest(labels)]).toEqual([labels, expect.closeTo(95, -1)])
    expect(oldest('queue="delivery_retries"')).toBeCloseTo(30, -1)
    await ws.emit()
    // Measured at most every ten seconds, however often the metrics are read.
    expect(await scrape(service)).toMatchObject({ 'queue_depth{queue="deliveries"}': 5 })
  })

  test('items are counted up to ten thousand, however long the queue is', async () => {
    const service = await fresh()
    const { apiKey, id } = await newWorkspace(service)
    await service.database.query(sql`
      insert into job (api_key, workspace_id, name, payload, run_at)
      select ${apiKey}, ${id}, 'user-data.delete', '{}', 1
      from generate_series(1, 10100)`)
    await service.database.query(sql`
      insert into webhook_pending (api_key, event_id, endpoint_id, event_type, due_at)
      select ${apiKey}, n::text, (n % 1200)::text, 'comment.add', n
      from generate_series(1, 10100) n`)
    expect(await scrape(service)).toMatchObject({
      'queue_depth{queue="jobs",type="user-data.delete"}': 10_000,
      'queue_depth{queue="deliveries"}': 10_000,
    })
  })
})

test('measuring the queues reads no item that does not wait, however many there are', async () => {
  const { database, app } = alone
  const ws = await newWorkspace(alone)
  await ws.ok('/v2/organizations/add', { organizations: [{ organizationId: 'acme' }] })
  const later = Date.now() + 3_600_000
  await database.query(sql`
    insert into job (api_key, workspace_id, name, payload, run_at)
    select ${ws.apiKey}, ${ws.id}, 'user-data.delete', '{}', ${later}::bigint
    from generate_series(1, 5000)`)
  await database.query(sql`
    insert into email (api_key, id, organization_key, user_key, person, activities, status, due_at)
    select api_key, 'sent' || n, key, key, '{}', 1, 'sent', n
    from organization
    cross join generate_series(1, 5000) n
    where api_key = ${ws.apiKey}`)
  await database.query(sql`
    insert into webhook_pending (api_key, event_id, endpoint_id, event_type, status, due_at)
    select ${ws.apiKey}, 'later' || n, 'later' || n % 10, 'comment.add', 'scheduled', ${later}::bigint
    from generate_series(1, 5000) n`)
  const context = { db: database.work, reads: database, services: app.services, mailer: undefined }
  const sources = [
    jobQueue({ database, services: app.services, jobs: [], subscriptions: [] }),
    emailDeliveries(context),
    webhookDeliveries(context),
  ]
  for (const source of sources) {
    const discarded = await rowsInVain(database, async (db) => source.backlog?.(db, Date.now()))
    expect([source.name, discarded]).toEqual([source.name, expect.toSatisfy((rows: number) => rows < 50)])
  }
})

describe('the database', () => {
  test('connections in use and callers that wait are shown, even while none is free', async () => {
    const service = await fresh()
    const { database } = service
    const { most } = database.state().transactions
    const { opened, open } = gate()
    const held = Array.from({ length: most + 1 }, () => database.transaction(() => opened))
    await expect.poll(() => database.state().transactions.inUse).toBe(most)
    const seen = await scrape(service)
    open()
    await Promise.all(held)
    expect(seen['database_connections{state="in_use"}']).toBe(most)
    expect(seen['database_connections{state="waiting"}']).toBeGreaterThanOrEqual(1)
    expect(seen).toMatchObject({ database_connections_limit: most })
    await expect.poll(() => scrape(service)).toMatchObject({ 'database_connections{state="in_use"}': 0 })
  })

  test.runIf(process.env.TEST_DATABASE === 'postgres')(
    'the listener is shown as connected while notifications arrive',
    async () => {
      const proxy = await startProxy(await freshNativeUrl())
      const options = { poolSize: 2, pipeline: true, statementTimeoutMs: 5_000, onError: () => {} }
      const database = await openPostgres({ url: proxy.url, ...options })
      await migrate(database)
      const service = await startOn(database, {})
      await service.app.worker.start()
      onTestFinished(async () => {
        await service.app.http.close()
        await service.app.worker.stop()
        await database.close()
        proxy.close()
      })
      const listening = async () => (await scrape(service)).database_listener_connected
      expect(await listening()).toBe(1)
      proxy.cut()
      await expect.poll(listening).toBe(0)
      proxy.restore()
      await expect.poll(listening).toBe(1)
    },
  )
})

test('the memory that the indexes of judgments take is shown with its limit', async () => {
  const service = await fresh()
  const ws = await newWorkspace(service)
  expect(await scrape(service)).toMatchObject({ 'memory_index_bytes{kind="lexical"}': 0 })
  const judgment = { decision: 'approved', reasoning: 'The logo keeps enough clear space.' }
  await ws.ok('/v2/memory/judgments/add', { judgments: [{ ...judgment, actionUser: { userId: 'ada', name: 'Ada' } }] })
  await ws.ok('/v2/memory/search', { query: 'clear space' })
  const seen = await scrape(service)
  expect(seen['memory_index_bytes{kind="lexical"}']).toBeGreaterThan(100)
  expect(seen['memory_index_limit_bytes{kind="lexical"}']).toBeGreaterThan(2 ** 20)
})

describe('the metrics that operators are shown', () => {
  /** The names of the metrics, those of the process (CPU, memory, event loop) included. */
  async function shown(): Promise<{ name: string; type: string }[]> {
    const text = await (await fetch(`${alone.url}/metrics`)).text()
    return [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type = '']) => ({ name, type }))
  }

  const read = (path: string) => readFile(new URL(`../../docs/${path}`, import.meta.url), 'utf8')

  test('every one is in the table of docs/operations.md, and none that does not exist', async () => {
    const own = (await shown()).map(({ name }) => name).filter((name) => !/^(process|nodejs)_/.test(name))
    expect(own.length).toBeGreaterThan(12)
    const listed = [...(await read('operations.md')).matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name)
    expect(listed.filter((name) => /_/.test(name ?? '') && name === name?.toLowerCase()).sort()).toEqual(own.sort())
  })

  test.each(['metrics/dashboard.json', 'metrics/alerts.yml'])('every one that docs/%s names exists', async (path) => {
    const expressions = [...(await read(path)).matchAll(/^\s*(?:"expr"|expr): (.*?),?$/gm)].map(([, text = '']) => text)
    expect(expressions.length).toBeGreaterThan(8)
    const series = (await shown()).flatMap(({ name, type }) =>
      type === 'histogram' ? ['bucket', 'sum', 'count'].map((part) => `${name}_${part}`) : [name],
    )
    const named = expressions.flatMap((text) =>
      [...text.matchAll(/\b[a-z]+(?:_[a-z0-9]+)+\b(?!\()/g)].map(([name]) => name),
    )
    const known = [...series, 'histogram_quantile', 'in_use', 'user_data', 'delivery_retries']
    expect([...new Set(named)].filter((name) => !known.includes(name))).toEqual([])
  })

  test('no alert waits for a count to be low that is absent until its first event', async () => {
    const alerts = await read('metrics/alerts.yml')
    expect(alerts).toContain('deliveries_total{')
    expect(alerts).not.toMatch(/_total\{[^}]*="[^}]*\}(\[\w+\])?\)* </)
  })

  test('the dashboard is JSON with a query in each panel', async () => {
    const { panels } = JSON.parse(await read('metrics/dashboard.json')) as {
      panels: { title: string; targets: { expr: string }[] }[]
    }
    expect(panels.filter(({ targets }) => targets.every(({ expr }) => expr === ''))).toEqual([])
  })
})
