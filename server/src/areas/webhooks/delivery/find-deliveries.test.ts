import { beforeAll, expect, test } from 'vitest'
import { rowsInVain, sortsOf } from '../../../../test/measuring/explained.ts'
import { startReceiver } from '../../../../test/receiver.ts'
import { type Service, startService } from '../../../../test/running-service.ts'
import { newWebhookWorkspace, type WebhookWorkspace } from '../../../../test/webhook-workspace.ts'
import { sql } from '../../../platform/db/db.ts'
import { type DeliveryFilters, findDeliveries } from './find-deliveries.ts'

const LIST = '/v2/workspace/advancedwebhook/deliveries/list'

let service: Service
let ws: WebhookWorkspace
/** The ids of the endpoints by what they answer. */
const ids: Record<string, string> = {}

beforeAll(async () => {
  service = await startService()
  service.clock.ahead = 0
  ws = await newWebhookWorkspace(service)
  const { url } = await startReceiver({ respond: ({ url: path }) => ({ status: Number(path?.slice(1)) }) })
  const once = { filterTypes: ['comment.add'], retrySchedule: [] }
  ids[200] = (await ws.createEndpoint({ url: `${url}/200`, filterTypes: ['comment.add', 'comment.delete'] })).id
  for (const status of [302, 404, 503]) {
    ids[status] = (await ws.createEndpoint({ ...once, url: `${url}/${status}` })).id
  }
  // Nothing listens there.
  ids.none = (await ws.createEndpoint({ ...once, url: 'http://127.0.0.1:9/' })).id
  // Its deliveries stay pending after the first attempt.
  ids.retried = (await ws.createEndpoint({ ...once, url: `${url}/500`, retrySchedule: [3600] })).id
  await ws.emit('comment.add', [{}, { documentId: 'doc-2' }, { organizationId: 'org-2' }])
  await service.drainJobs()
})

const found = async (filters: DeliveryFilters) => (await ws.ok(LIST, filters)).data
const endpointsOf = async (filters: DeliveryFilters) =>
  [...new Set((await found(filters)).map(({ endpointId }) => endpointId))].sort()

test('deliveries are listed by the class of the HTTP status of their last attempt, pending ones too', async () => {
  expect(await endpointsOf({ httpStatus: '2xx' })).toEqual([ids[200]])
  expect(await endpointsOf({ httpStatus: '3xx' })).toEqual([ids[302]])
  expect(await endpointsOf({ httpStatus: '4xx' })).toEqual([ids[404]])
  expect(await endpointsOf({ httpStatus: '5xx' })).toEqual([ids[503], ids.retried].sort())
  expect(await endpointsOf({ httpStatus: 'none' })).toEqual([ids.none])
  expect(await found({ httpStatus: '5xx', status: 'pending' })).toHaveLength(3)
})

test('deliveries are listed by event, organization and document', async () => {
  const all = await found({})
  expect(all).toHaveLength(18)
  const eventId = all[0]?.messageId
  expect(await found({ eventId })).toEqual(all.filter(({ messageId }) => messageId === eventId))
  expect(await found({ organizationId: 'org-2' })).toEqual(all.slice(0, 6))
  expect(await found({ documentId: 'doc-2' })).toEqual(all.slice(6, 12))
  expect(await found({ organizationId: 'org-1' })).toEqual(all.slice(6))
  expect(await found({ organizationId: 'org-1', documentId: 'doc-1', httpStatus: '4xx' })).toHaveLength(1)
  expect(await found({ organizationId: 'org-2', documentId: 'doc-2' })).toEqual([])
  expect(await found({ eventId: 'msg_unknown' })).toEqual([])
  expect((await ws.call(LIST, { httpStatus: '6xx' })).body.error.details.issues[0].path).toBe('httpStatus')
})

test('pages of filtered deliveries lose and repeat nothing', async () => {
  for (const filters of [{ httpStatus: '5xx' }, { organizationId: 'org-1' }, { documentId: 'doc-1' }] as const) {
    const paged: unknown[] = []
    let pageToken: string | null | undefined
    do {
      const page = await ws.ok(LIST, { ...filters, pageSize: 1, ...(pageToken && { pageToken }) })
      paged.push(...page.data)
      pageToken = page.pageToken
    } while (pageToken)
    expect(paged).toEqual(await found(filters))
  }
})

test('an index finds failed attempts, and the events of a place, among many others', async () => {
  await ws.emit(
    'comment.delete',
    Array.from({ length: 300 }, (_, n) => ({ organizationId: `crowd-${n}`, documentId: `crowd-${n}` })),
  )
  await service.drainJobs()
  // Among few events, the planner takes the time of all for as narrow as their place.
  await service.database.query(sql`
    insert into event
    select (jsonb_populate_record(v, jsonb_build_object(
      'id', left(v.id, 18) || lpad(n::text, 12, '0'), 'organization_id', 'copy-' || n, 'document_id', 'copy-' || n))).*
    from event v
    cross join generate_series(1, 5000) n
    where v.api_key = ${ws.apiKey} and v.organization_id = 'crowd-0'`)
  await service.database.script('vacuum (analyze) event')
  const search = { range: { start: 0, end: Date.now() + 1000 }, after: undefined, limit: 100 }
  const inVain = (filters: DeliveryFilters) =>
    rowsInVain(service.database, (db) => findDeliveries(db, ws, { ...search, filters }))
  for (const filters of [{ organizationId: 'org-2' }, { documentId: 'doc-2' }]) {
    expect(await inVain(filters)).toBeLessThan(50)
  }
  expect(await inVain({ httpStatus: '4xx', endpointId: ids[404] })).toBeLessThan(700)
})

test('the latest deliveries are read in the order of an index, without sorting all of the API key', async () => {
  const search = { range: { start: 0, end: Date.now() + 1000 }, after: undefined, limit: 10 }
  const sorts = (filters: DeliveryFilters) =>
    sortsOf(service.database, (db) => findDeliveries(db, ws, { ...search, filters }))
  for (const filters of [{}, { status: 'succeeded' }, { status: 'pending' }] as const) {
    expect(await sorts(filters)).toBe(0)
  }
})
