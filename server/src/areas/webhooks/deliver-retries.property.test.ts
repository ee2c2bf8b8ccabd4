import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { type Reply, startReceiver } from '../../../test/receiver.ts'
import { type Service, startService } from '../../../test/running-service.ts'
import { newWebhookWorkspace, type WebhookWorkspace } from '../../../test/webhook-workspace.ts'
import { sql } from '../../platform/db/db.ts'
import { isSuccess } from '../../platform/outbound/outbound.ts'
import { createWorker } from '../../platform/work/worker.ts'
import { webhookDeliveries } from './deliver.worker.ts'
import { DISABLE_AFTER_MS, QUIET_MS, STANDARD_SCHEDULE } from './sending/retry-schedule.ts'

const ENDPOINTS = '/v2/workspace/advancedwebhook/endpoints'
const DAY = 86_400_000
const RUNS = 20
const TIMEOUT = 240_000
// Clocks may round differently, and a response may be as late as the time limit of a request.
const ROUNDING_MS = 10
const LATE_MS = 20_000

interface Scenario {
  schedule: number[] | null
  ordered: boolean
  events: number
  /** Responses in the order of requests; all later requests succeed. */
  answers: Answer[]
  /** Seconds by which the clock moves between runs of the workers. */
  steps: number[]
}

interface Answer {
  status: number | null
  retryAfter: number | null
}

/** A number of seconds, spread evenly over orders of magnitude. */
const seconds = fc.oneof(...[60, 3_600, 86_400, 259_200].map((max) => fc.integer({ min: 1, max })))
const answer = fc.record({
  status: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(500, 503, 429, 301, 404) },
    { weight: 2, arbitrary: fc.constant(null) },
    { weight: 2, arbitrary: fc.constant(204) },
    { weight: 2, arbitrary: fc.constant(410) },
  ),
  retryAfter: fc.option(seconds),
})
const scenario: fc.Arbitrary<Scenario> = fc.record({
  schedule: fc.option(fc.array(seconds, { maxLength: 5 })),
  ordered: fc.boolean(),
  events: fc.integer({ min: 1, max: 3 }),
  answers: fc.array(answer, { minLength: 1, maxLength: 12 }),
  steps: fc.array(seconds, { minLength: 3, maxLength: 9 }),
})

let service: Service
let ws: WebhookWorkspace
beforeEach(async () => {
  service = await startService()
  service.clock.ahead = 0
  ws = await newWebhookWorkspace(service)
})

test(
  'whatever a receiver returns, two processes together retry its deliveries by the rules',
  async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async (each) => {
        const played = await play(each)
        expectOneAtATime(played, each)
        for (const delivery of played.deliveries) expectByTheSchedule(delivery, played, each)
        expectDisabledByTheRules(played, each)
      }),
      { numRuns: RUNS },
    )
  },
  TIMEOUT,
)

interface Attempt {
  number: number
  sentAt: number
  durationMs: number
  status: number | null
}

interface Delivery {
  id: string
  status: string
  dueAt: number
  claims: number
  attempts: Attempt[]
}

type Played = Awaited<ReturnType<typeof play>>

/** Plays a scenario with its own endpoint. */
async function play({ schedule, ordered, events, answers, steps }: Scenario) {
  service.clock.ahead = 0
  const arrivals: { id: string; answer: Answer }[] = []
  const underWay = new Map<string, number>()
  let most = 0
  const receiver = await startReceiver({
    respond: async ({ headers }, index): Promise<Reply> => {
      const id = String(headers['webhook-id'])
      const given = answers[index] ?? { status: 200, retryAfter: null }
      arrivals.push({ id, answer: given })
      underWay.set(id, (underWay.get(id) ?? 0) + 1)
      most = Math.max(most, underWay.get(id) ?? 0)
      await new Promise(setImmediate)
      underWay.set(id, (underWay.get(id) ?? 0) - 1)
      const wait = given.retryAfter === null ? {} : { 'retry-after': String(given.retryAfter) }
      return given.status === null ? 'reset' : { status: given.status, headers: wait }
    },
  })
  const retries = schedule === null ? {} : { retrySchedule: schedule }
  const settings = { url: receiver.url, filterTypes: ['comment.add'], ordered, ...retries }
  const { id } = await ws.createEndpoint(settings)
  const payloads = Array.from({ length: events }, (_, n) => ({ advanced: { n } }))
  await ws.emit('comment.add', payloads)
  const other = anotherWorker()
  let now = 0
  for (const step of [0, ...steps]) {
    service.clock.ahead += step * 1000
    now = Date.now() + service.clock.ahead
    await Promise.all([service.drainJobs(), other.drain()])
  }
  const endpoint = (await ws.ok(`${ENDPOINTS}/get`)).data.endpoints.find((one) => one.id === id)
  const deliveries = await recorded(id)
  await ws.ok(`${ENDPOINTS}/delete`, { endpointId: id })
  await receiver.close()
  return { arrivals, most, now, disabled: Boolean(endpoint?.disabled), deliveries }
}

/** The deliveries to an endpoint in the order of their events, each with its attempts. */
function recorded(endpointId: string): Promise<Delivery[]> {
  return service.database.query<Delivery>(sql`
    select d.event_id as id, d.status, d.due_at as "dueAt", d.attempt as "claims", coalesce(a.attempts, '[]') as attempts
    from webhook_delivery d
    left join lateral (
      select jsonb_agg(
        jsonb_build_object('number', number, 'sentAt', sent_at, 'durationMs', duration_ms, 'status', http_status)
        order by number) as attempts
      from webhook_attempt
      where api_key = d.api_key and event_id = d.event_id and endpoint_id = d.endpoint_id
    ) a on true
    where d.api_key = ${ws.apiKey} and d.endpoint_id = ${endpointId}
    order by d.seq`)
}

const anotherWorker = () =>
  createWorker(
    service.database,
    [
      webhookDeliveries({
        reads: service.database,
        db: service.database.work,
        services: service.app.services,
      }),
    ],
    service.app.services.log,
  )

function expectOneAtATime({ arrivals, most, deliveries }: Played, { ordered }: Scenario): void {
  expect(most).toBeLessThanOrEqual(1)
  // Exactly the received requests are recorded, and every claim was sent.
  expect(arrivals).toHaveLength(deliveries.reduce((sum, { attempts }) => sum + attempts.length, 0))
  for (const { attempts, claims } of deliveries) {
    expect(attempts.map(({ number }) => number)).toEqual(Array.from({ length: claims }, (_, n) => n + 1))
  }
  const places = arrivals.map(({ id }) => deliveries.findIndex((delivery) => delivery.id === id))
  if (ordered) expect(places).toEqual([...places].sort((a, b) => a - b))
}

function expectByTheSchedule(delivery: Delivery, { arrivals, now, disabled }: Played, { schedule, ordered }: Scenario) {
  const waits = schedule?.map((seconds) => seconds * 1000) ?? STANDARD_SCHEDULE
  const asked = arrivals.filter(({ id }) => id === delivery.id).map((arrival) => arrival.answer.retryAfter ?? 0)
  const { attempts, status } = delivery
  for (const [n, { sentAt, durationMs, status: answered }] of attempts.entries()) {
    const next = attempts[n + 1]
    // Even if it was cancelled while in flight.
    if (isSuccess(answered)) expect(status).toBe('succeeded')
    if (isSuccess(answered)) expect(n).toBe(attempts.length - 1)
    // A broken connection has no Retry-After header.
    const patience = answered === null ? 0 : Math.min((asked[n] ?? 0) * 1000, DAY)
    const wait = waits[n]
    const earliest = sentAt + durationMs + Math.max(wait ?? 0, patience) - ROUNDING_MS
    if (next) expect([next.sentAt >= earliest, wait === undefined]).toEqual([true, false])
    else if (status === 'scheduled' || (status === 'ready' && !isSuccess(answered))) {
      expect(delivery.dueAt).toBeGreaterThanOrEqual(earliest)
      expect(delivery.dueAt).toBeLessThanOrEqual(sentAt + durationMs + Math.max((wait ?? 0) * 1.1, patience) + LATE_MS)
      // It waits only because it is not due.
      expect(delivery.dueAt).toBeGreaterThan(now)
    }
  }
  const hasFailed = attempts.length > waits.length && !isSuccess(attempts.at(-1)?.status ?? null)
  if (!disabled) expect(status === 'failed').toBe(hasFailed)
  // A delivery in flight at that time may have been scheduled for later. It is cancelled when it is due.
  if (disabled) expect(['succeeded', 'failed', 'cancelled', 'scheduled']).toContain(status)
  // Only a delivery behind another one of an ordered endpoint has no attempt.
  if (attempts.length === 0) expect(ordered).toBe(true)
}

function expectDisabledByTheRules({ disabled, deliveries }: Played, { events, schedule }: Scenario): void {
  const attempts = deliveries.flatMap((delivery) => delivery.attempts).sort((a, b) => a.sentAt - b.sentAt)
  const isGone = attempts.some(({ status }) => status === 410)
  const failures = attempts.filter(({ status }) => !isSuccess(status)).map(({ sentAt }) => sentAt)
  const pause = QUIET_MS + 1100 * Math.max(0, ...(schedule ?? []))
  const first = failures.findLastIndex((at, n) => n === 0 || at - (failures[n - 1] ?? 0) > pause)
  const failedFor = (failures.at(-1) ?? 0) - (failures[first] ?? 0)
  if (isGone) expect(disabled).toBe(true)
  else if (disabled) expect(failedFor).toBeGreaterThanOrEqual(DISABLE_AFTER_MS)
  // A success ends a single delivery. With several, failures may come before and after it.
  else if (events === 1) expect(failedFor).toBeLessThan(DISABLE_AFTER_MS)
}
