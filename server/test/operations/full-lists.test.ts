import { beforeAll, describe, expect, test } from 'vitest'
import { registry } from '../../src/operations.ts'
import { listOperations } from '../../src/platform/operation.ts'
import { type Service, startAlone, type TestWorkspace } from '../running-service.ts'
import { inTurn } from './in-turn.ts'
import { newExample } from './new-example.ts'

type Schema = {
  type?: string
  maxItems?: number
  items?: Schema
  properties?: Record<string, Schema>
  anyOf?: Schema[]
}
type Way = readonly (string | number)[]

/** The lists of an example, each by the way to it, with the most items that it may have. */
function listsOf(schema: Schema, value: unknown, way: Way = []): { way: Way; most?: number | undefined }[] {
  if (Array.isArray(value)) {
    const { items = {}, maxItems } = [schema, ...(schema.anyOf ?? [])].find(({ type }) => type === 'array') ?? {}
    return [{ way, most: maxItems }, ...listsOf(items, value[0], [...way, 0])]
  }
  if (value === null || typeof value !== 'object') return []
  const shapes = [schema, ...(schema.anyOf ?? [])]
  return Object.entries(value).flatMap(([field, item]) => {
    const declared = shapes.find(({ properties }) => properties?.[field])?.properties?.[field]
    return declared ? listsOf(declared, item, [...way, field]) : []
  })
}

/** An item like the given one, with ids and addresses of its own. */
function another(item: unknown, n: number, field = 'id'): unknown {
  if (Array.isArray(item)) return item.map((each) => another(each, n, field))
  if (item !== null && typeof item === 'object')
    return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, another(value, n, name)]))
  if (/email$/i.test(field) && typeof item === 'string') return item.replace('@', `+${n}@`)
  if (!/ids?$/i.test(field) || /^(organization|document)Id$/.test(field)) return item
  return typeof item === 'number' ? item + n : `${item}-${n}`
}

/** The example with the list there filled to the most. */
function full(example: unknown, way: Way, most: number): unknown {
  const [field, ...rest] = way
  if (field === undefined)
    return Array.from({ length: most }, (_, n) => (n === 0 ? first(example) : another(first(example), n)))
  const copy = structuredClone(example) as Record<string | number, unknown>
  copy[field] = full(copy[field], rest, most)
  return copy
}

const first = (list: unknown): unknown => (list as unknown[])[0]

const cases = inTurn(listOperations(registry)).flatMap((operation) => {
  const { path, input, example, auth } = operation.declaration
  return listsOf(input as Schema, example).map((list) => ({ path, example, auth, ...list, name: list.way.join('.') }))
})

/** The calls that are refused for what they ask, and why. */
const REFUSED: Record<string, string> = {
  '/v2/auth/permissions/add permissions.resources': 'NOT_FOUND',
  '/v2/auth/permissions/get documentIds': 'NOT_FOUND',
  '/v2/auth/generate_token permissions.resources': 'NOT_FOUND',
  '/v2/activities/get featureTypes': 'INVALID_ARGUMENT',
  '/v2/workspace/advancedwebhook/endpoints/create filterTypes': 'INVALID_ARGUMENT',
}

describe('a call with a list as long as it may be, of items that differ, is answered', () => {
  let service: Service
  let ws: TestWorkspace

  beforeAll(async () => {
    service = await startAlone()
    ws = await newExample(service)
    await ws.ok('/v2/workspace/activityconfig/update', { activityServiceConfig: { isEnabled: true } })
    await ws.ok('/v2/workspace/advancedwebhookconfig/update', { isEnabled: true })
    // A thousand people in one thread would be notified too often for one call.
    await ws.ok('/v2/workspace/notificationconfig/update', { useNotificationService: false })
  })

  test.each(cases)('$path: $name', async ({ path, example, auth, way, most, name }) => {
    const headers = { apiKey: ws.keyHeaders, workspace: ws.workspaceHeaders, none: {} }[auth]
    const { listLimit } = service.app.services.config
    const { status, body } = await service.call(path, full(example, way, most ?? listLimit), headers)
    const refusal = REFUSED[`${path} ${name}`]
    expect(body).toMatchObject(refusal === undefined ? { result: {} } : { error: { status: refusal } })
    expect(status).toBeLessThan(refusal === undefined ? 300 : 500)
  })
})
