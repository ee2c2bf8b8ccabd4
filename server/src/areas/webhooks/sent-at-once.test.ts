import { expect, onTestFinished, test } from 'vitest'
import { startReceiver } from '../../../test/receiver.ts'
import { newWorkspace, startAlone } from '../../../test/running-service.ts'

const ADVANCED = '/v2/workspace/advancedwebhook'

test.each(['endpoints/test', 'deliveries/resend', 'deliveries/replay'])(
  '%s is late by no poll: it wakes the workers',
  async (path) => {
    const receiver = await startReceiver()
    onTestFinished(() => receiver.close())
    const service = await startAlone()
    const ws = await newWorkspace(service)
    await ws.ok('/v2/workspace/advancedwebhookconfig/update', { isEnabled: true })
    const { id: endpointId } = (await ws.ok(`${ADVANCED}/endpoints/create`, { url: receiver.url })).data
    const { id: deliveryId } = (await ws.ok(`${ADVANCED}/endpoints/test`, { endpointId })).data
    await service.drainJobs()
    const data = {
      'endpoints/test': { endpointId },
      'deliveries/resend': { deliveryId },
      'deliveries/replay': { endpointId, dateRange: { start: 0 } },
    }[path]

    let calls = 0
    await service.database.listen('precedent_work', () => calls++)
    const before = calls
    await ws.ok(`${ADVANCED}/${path}`, data)
    await expect.poll(() => calls).toBeGreaterThan(before)
    await service.app.http.close()
  },
)
