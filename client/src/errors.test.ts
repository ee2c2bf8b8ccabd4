import { expect, test } from 'vitest'
import { testReceiver } from '../../server/test/receiver.ts'
import { newWorkspace, startService } from '../../server/test/running-service.ts'
import { createClient, PrecedentError } from './index.ts'

test('an error of the service says its status, HTTP status, message, issues and request id', async () => {
  const service = await startService()
  const ws = await newWorkspace(service)
  const client = createClient({
    baseUrl: `${service.url}/`,
    apiKey: ws.apiKey,
    authToken: ws.keyHeaders['x-service-auth-token'],
  })
  const error: unknown = await client.users.addUsers({ organizationId: '', users: [] }).catch((caught) => caught)
  expect(error).toBeInstanceOf(PrecedentError)
  expect(error).toMatchObject({
    name: 'PrecedentError',
    status: 'INVALID_ARGUMENT',
    httpStatus: 400,
    message: expect.stringMatching(/^organizationId /),
    details: { issues: expect.arrayContaining([{ path: 'organizationId', message: expect.any(String) }]) },
    requestId: expect.stringMatching(/./),
    retryAfter: undefined,
    isOfService: true,
  })
})

test.each([
  [502, 'UNAVAILABLE'],
  [503, 'UNAVAILABLE'],
  [504, 'DEADLINE_EXCEEDED'],
  [429, 'RESOURCE_EXHAUSTED'],
  [404, 'UNKNOWN'],
  [200, 'UNKNOWN'],
])('a page of a proxy with HTTP %i is an error with the status %s', async (httpStatus, status) => {
  const receiver = await testReceiver(() => ({ status: httpStatus, body: '<html>Sorry</html>' }))
  const client = createClient({ baseUrl: receiver.url, maxRetries: 0 })
  const message = `The response is not one of the service (HTTP ${httpStatus}).`
  const error = { status, httpStatus, message, isOfService: false }
  await expect(client.users.getUsers({ organizationId: 'acme' })).rejects.toMatchObject(error)
})

test('a redirect is not followed, so that credentials stay where they were sent', async () => {
  const elsewhere = await testReceiver()
  const receiver = await testReceiver(() => ({ status: 307, headers: { location: elsewhere.url } }))
  const client = createClient({ baseUrl: receiver.url, apiKey: 'k', authToken: 't' })
  await expect(client.users.getUsers({ organizationId: 'acme' })).rejects.toMatchObject({ httpStatus: 307 })
  expect(elsewhere.received()).toEqual([])
})
