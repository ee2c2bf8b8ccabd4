import { beforeAll, expect, test } from 'vitest'
import { newWorkspace, startService, type TestWorkspace } from '../running-service.ts'

let ws: TestWorkspace
beforeAll(async () => {
  ws = await newWorkspace(await startService())
  await ws.ok('/v2/workspace/advancedwebhookconfig/update', { isEnabled: true })
})

const url = 'https://example.com/hook'
const SETTINGS = [
  {
    name: 'webhookconfig',
    request: (change: object) => ({ webhookServiceConfig: change }),
    clears: { authToken: 'secret', rawNotificationUrl: url, processedNotificationUrl: url, publicKey: 'key' },
    keeps: ['encodeData', 'encryptData', 'enableDataProtection', 'triggers'],
    switches: ['useWebhookService', 'webhookServiceConfig'],
  },
  {
    name: 'emailconfig',
    request: (change: object) => ({ emailServiceConfig: change }),
    clears: { apiKey: 'k', fromEmail: 'a@example.com', fromCompany: 'A', commentTemplateId: 'c', tagTemplateId: 't' },
    keeps: ['type', 'triggers'],
    switches: ['useEmailService', 'emailServiceConfig'],
  },
  {
    name: 'permissionproviderconfig',
    request: (change: object) => ({ permissionProviderConfig: change }),
    clears: { permissionProviderUrl: url, authToken: 'secret' },
    keeps: [],
    switches: ['usePermissionProvider', 'permissionProviderConfig'],
  },
  {
    name: 'advancedwebhookconfig',
    request: (change: object) => change,
    clears: { publicKey: 'key' },
    keeps: ['isEnabled', 'encryptData', 'encodeData', 'enableDataProtection'],
    switches: [],
  },
  {
    name: 'activityconfig',
    request: (change: object) => ({ activityServiceConfig: change }),
    clears: {},
    keeps: ['isEnabled', 'immutable', 'triggers'],
    switches: [],
  },
  {
    name: 'notificationconfig',
    request: (change: object) => ({ notificationServiceConfig: change }),
    clears: {},
    keeps: ['triggers', 'delayConfig', 'batchConfig'],
    switches: ['useNotificationService', 'notificationServiceConfig'],
  },
  {
    name: 'apikeyconfig',
    request: (change: object) => change,
    clears: {},
    keeps: ['requireJwtToken', 'defaultDocumentAccessType'],
    switches: [],
  },
]

const texts = SETTINGS.flatMap(({ name, request, clears }) =>
  Object.entries(clears).map(([field, value]) => ({ name, request, field, value })),
)
test.each(texts)('$name: null empties $field', async ({ name, request, field, value }) => {
  const stored = async () => JSON.stringify((await ws.call(`/v2/workspace/${name}/get`)).body)
  await ws.ok(`/v2/workspace/${name}/update`, request({ [field]: value }))
  expect(await stored()).toContain(`"${field}":"${value}"`)
  await ws.ok(`/v2/workspace/${name}/update`, request({ [field]: null }))
  expect(await stored()).toContain(`"${field}":""`)
})

const refused = SETTINGS.flatMap(({ name, request, keeps, switches }) => [
  ...keeps.map((field) => ({ name, field, data: request({ [field]: null }) })),
  ...switches.map((field) => ({ name, field, data: { ...request({}), [field]: null } })),
])
test.each(refused)('$name: null for $field, which cannot be cleared, is refused', async ({ name, field, data }) => {
  const { status, body } = await ws.call(`/v2/workspace/${name}/update`, data)
  expect([status, body.error.message]).toEqual([400, expect.stringMatching(new RegExp(`\\b${field} must be`))])
})

test('of what delays notifications null for a single field is refused too', async () => {
  const notificationServiceConfig = { delayConfig: { isEnabled: true, delaySeconds: null } }
  const { body } = await ws.call('/v2/workspace/notificationconfig/update', { notificationServiceConfig })
  expect(body.error.details.issues[0].path).toBe('notificationServiceConfig.delayConfig.delaySeconds')
})
