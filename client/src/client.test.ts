import { expect, test } from 'vitest'
import { testReceiver } from '../../server/test/receiver.ts'
import { newWorkspace, startService } from '../../server/test/running-service.ts'
import { createClient } from './index.ts'

const ANSWER = { status: 200, body: '{"result":{"status":"success","data":{}}}' }

test('the operator’s token goes with the operations that need no API key, and with no other', async () => {
  const receiver = await testReceiver(() => ANSWER)
  const client = createClient({ baseUrl: receiver.url, apiKey: 'k', authToken: 't', operatorToken: 'of-the-operator' })
  await client.workspaces.createWorkspace({ ownerEmail: 'ada@example.com' })
  await client.users.getUsers({ organizationId: 'acme' })
  await client.workspaces.getWorkspace()
  expect(receiver.received().map(({ headers }) => headers.authorization)).toEqual([
    'Bearer of-the-operator',
    undefined,
    undefined,
  ])
})

test.each(['', 'localhost:8080', '127.0.0.1:8080', 'precedent.example.com', 'http://'])(
  'no client is made of the base address "%s", and the error names it',
  (baseUrl) => {
    const create = () => createClient({ baseUrl })
    expect(create).toThrow(TypeError)
    expect(create).toThrow(`baseUrl must be an http(s) URL such as`)
  },
)

test.each([
  'http://ada:hunter2@127.0.0.1:8080',
  'http://ada:hunter2@127.0.0.1:port',
  'http://127.0.0.1:8080/?key=hunter2',
])('a base address that fetch refuses or no path can follow is refused at once, without its secret: %s', (baseUrl) => {
  const create = () => createClient({ baseUrl })
  expect(create).toThrow(/without user name, password, \? and #/)
  expect(create).not.toThrow(/hunter2/)
})

test('a credential that no header can carry is named', async () => {
  const baseUrl = 'http://127.0.0.1:8080'
  expect(() => createClient({ baseUrl, apiKey: 'k', authToken: '“quoted”' })).toThrow(
    'authToken must have ASCII characters only: no header carries others.',
  )
  expect(() => createClient({ baseUrl, operatorToken: 'a\nb' })).toThrow('operatorToken must have ASCII characters')
  const receiver = await testReceiver(() => ANSWER)
  await createClient({ baseUrl: receiver.url, apiKey: 'k', authToken: 'of a file\n' }).users.getUsers({
    organizationId: 'acme',
  })
  expect(receiver.received()[0]?.headers['x-service-auth-token']).toBe('of a file')
})

test('a token of a user is issued by the API key of the client, or by one that the call names', async () => {
  const service = await startService()
  const [own, other] = [await newWorkspace(service), await newWorkspace(service)]
  const credentials = ({ apiKey, keyHeaders }: typeof own) => ({
    apiKey,
    authToken: keyHeaders['x-service-auth-token'] ?? '',
  })
  const client = createClient({ baseUrl: service.url, ...credentials(own) })
  for (const ws of [own, other]) {
    await ws.ok('/v2/users/add', { organizationId: 'acme', users: [{ userId: 'ada' }] })
  }
  const user = { userId: 'ada', userProperties: { organizationId: 'acme' } }
  const audience = (token: string) => JSON.parse(atob(token.split('.')[1] ?? '')).aud
  const { data: byClient } = await client.permissions.getAuthToken(user)
  const { data: byCall } = await client.permissions.getAuthToken({ ...user, ...credentials(other) })
  expect([audience(byClient.token), audience(byCall.token)]).toEqual([own.apiKey, other.apiKey])
})

test('onIgnoredFields is told which fields of a request the operation does not know', async () => {
  const service = await startService()
  const { apiKey, keyHeaders } = await newWorkspace(service)
  const told: [string[], string][] = []
  const client = createClient({
    baseUrl: service.url,
    apiKey,
    authToken: keyHeaders['x-service-auth-token'],
    onIgnoredFields: (...ignored) => told.push(ignored),
  })
  const misspelt = { userId: 'ada', nmae: 'Ada', 'e, mail': 'ada@example.com' }
  await client.users.addUsers({ organizationId: 'acme', users: [misspelt] })
  await client.users.addUsers({ organizationId: 'acme', users: [{ userId: 'ada' }] })
  expect(told).toEqual([[['users[0].nmae', 'users[0].e, mail'], '/v2/users/add']])
})

test.each([undefined, null])(
  'a deletion with a filter that is %s is not sent, since it would delete all',
  async (value) => {
    const receiver = await testReceiver(() => ANSWER)
    const client = createClient({ baseUrl: receiver.url, apiKey: 'k', authToken: 't' })
    const asked = { organizationId: 'acme', documentId: 'plan', annotationIds: value as unknown as string[] }
    const deleted = client.comments.deleteCommentAnnotations(asked)
    await expect(deleted).rejects.toThrow(TypeError)
    await expect(deleted).rejects.toThrow(`annotationIds is ${value}.`)
    expect(receiver.received()).toEqual([])
  },
)

test.each([Number.NaN, Number.POSITIVE_INFINITY])(
  'a number that is %s is not sent, since JSON has only null for it',
  async (value) => {
    const receiver = await testReceiver(() => ANSWER)
    const client = createClient({ baseUrl: receiver.url, apiKey: 'k', authToken: 't' })
    const judgments = [
      { decision: 'approve', reasoning: 'Good.', actionUser: { userId: 'ada', name: 'Ada' }, createdAt: value },
    ]
    const added = client.memory.addJudgments({ judgments })
    await expect(added).rejects.toThrow(new TypeError(`createdAt is ${value}. It must be a number.`))
    expect(receiver.received()).toEqual([])
  },
)
