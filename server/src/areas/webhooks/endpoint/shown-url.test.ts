import { expect, test } from 'vitest'
import { type ConsoleBody, signedIn } from '../../../../test/console.ts'
import { testReceiver } from '../../../../test/receiver.ts'
import { startService } from '../../../../test/running-service.ts'
import { newWebhookWorkspace } from '../../../../test/webhook-workspace.ts'

const WEBHOOKS = '/v2/workspace/advancedwebhook'

test('at the console, who sees no secrets sees the host of a webhook, and not its path', async () => {
  const service = await startService()
  const ws = await newWebhookWorkspace(service)
  const { url } = await testReceiver()
  const [first, second] = await Promise.all(
    [1, 2].map(() => ws.createEndpoint({ url: `${url}/services/of-a-chat?key=whole-secret` })),
  )
  await ws.ok(`${WEBHOOKS}/endpoints/test`, { endpointId: second?.id ?? '' })
  await service.drainJobs()
  await ws.ok(`${WEBHOOKS}/endpoints/update`, { endpointId: first?.id ?? '', disabled: true })
  await service.drainJobs()
  const { data: deliveries } = await ws.ok(`${WEBHOOKS}/deliveries/list`, {})
  expect(deliveries.map(({ eventType }) => eventType)).toEqual(['endpoint.disabled', 'comment.add'])
  const seenBy = async (role: 'viewer' | 'reviewer' | 'developer') => {
    const { ask } = await signedIn(service, role)
    const call = async (path: string, data: object) => {
      const { body } = await ask('call', { apiKey: ws.apiKey, operation: `${WEBHOOKS}${path}`, data })
      return (body as ConsoleBody).result.data
    }
    const answers = [await call('/endpoints/get', {}), await call('/deliveries/list', {})]
    for (const { id } of deliveries) answers.push(await call('/deliveries/get', { deliveryId: id }))
    const urls = JSON.stringify(answers).match(/"url":"[^"]*"/g)
    return [...new Set(urls)]
  }
  expect(await seenBy('viewer')).toEqual([`"url":"${url}/…"`])
  expect(await seenBy('reviewer')).toEqual([`"url":"${url}/…"`])
  expect(await seenBy('developer')).toEqual([`"url":"${url}/services/of-a-chat?key=whole-secret"`])
})
