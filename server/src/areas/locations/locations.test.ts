import { beforeAll, expect, test } from 'vitest'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../test/running-service.ts'
import { sql } from '../../platform/db/db.ts'
import { atLocations, type Location, locationId, locationKey, migratedLocation } from './location.ts'

let service: Service
let ws: TestWorkspace
let credentials: { apiKey: string; authToken: string }
beforeAll(async () => {
  service = await startService()
  ws = await newWorkspace(service)
  credentials = { apiKey: ws.apiKey, authToken: ws.keyHeaders['x-service-auth-token'] ?? '' }
})

const DELETE = '/v1/organizations/documents/locations/data/delete'
const UPDATE = '/v1/organizations/documents/locations/update'
const location = { id: 'scene-1', locationName: 'Scene' }
const migrate = { oldLocation: location, newLocation: { id: 'scene-2' } }

test('delete data by location answers null', async () => {
  const { message, data } = await ws.ok(DELETE, {
    ...credentials,
    documentId: 'd',
    location: { ...location, extra: 1 },
  })
  expect({ message, data }).toEqual({ message: 'Data deleted successfully.', data: null })
})

test('update location answers null', async () => {
  const { message, data } = await ws.ok(UPDATE, { ...credentials, documentId: 'd', migrate, merge: true })
  expect({ message, data }).toEqual({ message: 'Location updated.', data: null })
})

test.each([
  [DELETE, { location }],
  [UPDATE, { migrate }],
])('%s needs the header pair in the body too', async (path, data) => {
  const other = await newWorkspace(service)
  const status = async (pair: object) => (await ws.call(path, { ...pair, documentId: 'd', ...data })).body.error.status
  expect(await status({})).toBe('INVALID_ARGUMENT')
  expect(await status({ ...credentials, authToken: 'wrong' })).toBe('PERMISSION_DENIED')
  expect(await status({ ...credentials, apiKey: other.apiKey })).toBe('PERMISSION_DENIED')
  expect(await status({ apiKey: other.apiKey, authToken: other.keyHeaders['x-service-auth-token'] })).toBe(
    'PERMISSION_DENIED',
  )
})

test('a location without id and name is refused by its path', async () => {
  const message = async (path: string, data: object) =>
    (await ws.call(path, { ...credentials, documentId: 'd', ...data })).body.error.message
  expect(await message(DELETE, { location: { page: 3 } })).toMatch(/^location /)
  expect(await message(UPDATE, { migrate: { ...migrate, newLocation: {} } })).toMatch(/^migrate\.newLocation /)
})

test('details.issues lists every bad field: both locations that have neither id nor name', async () => {
  const places = { oldLocation: { page: 1 }, newLocation: {} }
  const { body } = await ws.call(UPDATE, { ...credentials, documentId: 'd', migrate: places })
  const message = 'must have an id or a locationName'
  expect(body.error.details).toEqual({
    issues: [
      { path: 'migrate.oldLocation', message },
      { path: 'migrate.newLocation', message },
    ],
  })
})

test('a location is identified by its id, 0 included, else by its name', () => {
  expect(locationKey({ id: 0, locationName: 'a' })).toBe(locationKey({ id: 0, locationName: 'b' }))
  expect(locationKey({ id: 0 })).toBe(locationKey({ id: '0' }))
  expect(locationKey({ id: 0 })).not.toBe(locationKey({ locationName: '0' }))
  expect(locationKey({ locationName: 'a' })).not.toBe(locationKey({ locationName: 'b' }))
  expect(locationKey({})).toBeNull()
  expect(locationKey(undefined)).toBeNull()
})

test('locations are found by their own id and by the locationId that records show', async () => {
  const keys = ['a', 7, 'b'].map((id) => locationKey({ id }))
  const shown = locationId(keys[2] ?? null) ?? 0
  expect(Number.isSafeInteger(shown)).toBe(true)
  const found = await service.database.query<{ position: number }>(sql`
    select position
    from unnest(${keys}::uuid[]) with ordinality as l (key, position)
    where ${atLocations(sql`l.key`, ['a', '7', String(shown)])}
    order by position`)
  expect(found.map(({ position }) => position)).toEqual([1, 2, 3])
  const second = locationId(keys[0] ?? null) ?? 0
  const both = await service.database.query<{ position: number }>(sql`
    select position
    from unnest(${keys}::uuid[]) with ordinality as l (key, position)
    where ${atLocations(sql`l.key`, [shown, second])}
    order by position`)
  expect(both.map(({ position }) => position)).toEqual([1, 3])
  const none = await service.database.query(sql`select where ${atLocations(sql`${keys[0]}::uuid`, ['z', -1, 1e300])}`)
  expect(none).toEqual([])
})

test('however many numbers a caller lists, the statement stays the same', () => {
  const textOf = (...ids: number[]) => atLocations(sql`l.key`, ids).text
  expect(textOf(1, 2, 3, 4)).toBe(textOf(5, 6))
})

test.each<[merge: boolean, newLocation: Location, result: object]>([
  [false, { id: 2 }, { id: 2 }],
  [true, { id: 2 }, { id: 2, locationName: 'Old', page: 1 }],
  [true, { locationName: 'New' }, { locationName: 'New', page: 1 }],
])('with merge %s a record moves to %j as %j', async (merge, newLocation, result) => {
  const column = sql`'{"id": 1, "locationName": "Old", "page": 1}'::jsonb`
  const [row] = await service.database.query<{ moved: object }>(
    sql`select ${migratedLocation(column, { newLocation, merge })} as moved`,
  )
  expect(row?.moved).toEqual(result)
})
