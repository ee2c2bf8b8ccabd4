import { afterEach, expect, test } from 'vitest'
import { type CollectedSpan, testCollector } from '../collector.ts'
import { testReceiver } from '../receiver.ts'
import { newWorkspace, type Service, startAlone, startConfigured } from '../running-service.ts'

const CALLER = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) }
const TRACEPARENT = `00-${CALLER.traceId}-${CALLER.spanId}-01`

afterEach(() => {
  delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT
})

/** A service that sends its traces to a collector, with a workspace whose events go to a receiver. */
async function tracedService(env: Record<string, string> = {}, start = startConfigured) {
  const [collector, receiver] = [await testCollector(), await testReceiver()]
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url
  const service = await start({ TRACING: 'otlp', ...env })
  const ws = await newWorkspace(service)
  await ws.ok('/v2/workspace/advancedwebhookconfig/update', { isEnabled: true })
  await ws.ok('/v2/workspace/advancedwebhook/endpoints/create', { url: `${receiver.url}/hook` })
  const data = { organizationId: 'acme', documents: [{ documentId: 'plan' }], createOrganization: true }
  await ws.ok('/v2/organizations/documents/add', data)
  return { collector, receiver, service, ws }
}

const THREAD = {
  organizationId: 'acme',
  documentId: 'plan',
  createOrganization: true,
  commentAnnotations: [{ annotationId: 'a', commentData: [{ commentText: 'Secret words', from: { userId: 'ada' } }] }],
}

/** Ends the tracing, which sends what it still holds. */
async function flush({ app }: Service) {
  await app.services.tracing.close()
}

const named = (spans: CollectedSpan[], name: string | RegExp) =>
  spans.find((span) => (typeof name === 'string' ? span.name === name : name.test(span.name)))

test('one trace leads from the request of a caller over statements and the event to the delivery and the receiver', async () => {
  const { collector, receiver, service, ws } = await tracedService()
  const headers = { ...ws.keyHeaders, traceparent: TRACEPARENT }
  const { status } = await service.call('/v2/commentannotations/add', THREAD, headers)
  expect(status).toBe(200)
  await service.drainJobs()
  await flush(service)
  const spans = collector.spans().filter(({ traceId }) => traceId === CALLER.traceId)
  const request = named(spans, 'POST /v2/commentannotations/add')
  const transaction = named(spans, 'transaction')
  const event = named(spans, 'publish comment_annotation.add')
  const insert = spans.find(({ attributes }) => /insert into event \(/.test(String(attributes['db.query.text'])))
  const delivery = named(spans, 'deliver comment_annotation.add')
  const sent = spans.find(({ name, attributes }) => name === 'POST' && attributes['server.address'] === '127.0.0.1')
  const parents = [request, transaction, event, insert, delivery, sent].map((span) => span?.parentSpanId)
  expect(parents).toEqual([
    CALLER.spanId,
    request?.spanId,
    transaction?.spanId,
    event?.spanId,
    event?.spanId,
    delivery?.spanId,
  ])
  expect(request).toMatchObject({ kind: 2, service: 'precedent', attributes: { 'http.response.status_code': 200 } })
  expect(delivery).toMatchObject({ kind: 5, attributes: { 'precedent.outcome': 'succeeded' } })
  const received = receiver.received().map((each) => each.headers.traceparent)
  expect(received).toContain(`00-${CALLER.traceId}-${sent?.spanId}-01`)
})

test('a job continues the trace of the request that enqueued it', async () => {
  const { collector, service, ws } = await tracedService()
  const headers = { ...ws.keyHeaders, traceparent: TRACEPARENT }
  await service.call('/v2/users/data/delete', { userIds: ['ada'] }, headers)
  await service.drainJobs()
  await flush(service)
  const job = named(collector.spans(), /^job /)
  expect(job).toMatchObject({ traceId: CALLER.traceId, kind: 5 })
})

test('spans hold no credentials, nothing that people wrote, and no address of a webhook but its host', async () => {
  const { collector, service, ws } = await tracedService()
  await ws.ok('/v2/commentannotations/add', THREAD)
  await service.drainJobs()
  await flush(service)
  const sent = collector.requests().map(({ body }) => body.toString())
  expect(sent.join('')).toContain('deliver comment_annotation.add')
  const secrets = [ws.apiKey, ws.authToken, ws.keyHeaders['x-service-auth-token'], 'Secret words', '/hook']
  for (const secret of secrets) expect(sent.join('')).not.toContain(secret)
})

test('a delivery that fails is an error of its span', async () => {
  const { collector, receiver, service, ws } = await tracedService()
  receiver.respond = () => ({ status: 500 })
  await ws.ok('/v2/commentannotations/add', THREAD)
  await service.drainJobs()
  await flush(service)
  expect(named(collector.spans(), 'deliver comment_annotation.add')).toMatchObject({
    status: { code: 2, message: '500' },
  })
})

test('TRACING_PERCENT=0 sends no trace but those that a caller asks for', async () => {
  const { collector, service, ws } = await tracedService({ TRACING_PERCENT: '0' }, startAlone)
  await ws.ok('/v2/commentannotations/add', THREAD)
  await service.call(
    '/v2/commentannotations/get',
    { organizationId: 'acme' },
    { ...ws.keyHeaders, traceparent: TRACEPARENT },
  )
  await service.drainJobs()
  await flush(service)
  expect(new Set(collector.spans().map(({ traceId }) => traceId))).toEqual(new Set([CALLER.traceId]))
})

test('with TRACING=off nothing is sent or stored, and no header is added', async () => {
  const { collector, receiver, service, ws } = await tracedService({ TRACING: 'off' })
  const headers = { ...ws.keyHeaders, traceparent: TRACEPARENT }
  await service.call('/v2/commentannotations/add', THREAD, headers)
  await service.drainJobs()
  expect(collector.requests()).toEqual([])
  expect(receiver.received().length).toBeGreaterThan(0)
  expect(receiver.received().every((each) => each.headers.traceparent === undefined)).toBe(true)
})
