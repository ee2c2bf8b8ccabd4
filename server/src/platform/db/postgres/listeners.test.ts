import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { connectionsTo } from '../../../../test/connections-to.ts'
import { freshNativeUrl } from '../../../../test/running-service.ts'
import { Listeners } from './listeners.ts'

describe.runIf(process.env.TEST_DATABASE === 'postgres')('a connection for notifications', () => {
  test.each([
    ['that is refused what it asks for', 'select 1 / 0', 2_500],
    ['that is closed while it connects', 'select 1', 0],
  ])('a listener %s leaves none open', async (_, prepare, afterMs) => {
    const url = await freshNativeUrl()
    const listeners = new Listeners({ connections: { connectionString: url }, prepare, onError: () => {} })
    const added = listeners.add('channel', () => {})
    if (afterMs > 0) await added
    await delay(afterMs)
    await listeners.close()
    await added
    await expect.poll(() => connectionsTo(url)).toEqual([])
  })
})
