import { describe, expect, onTestFinished, test } from 'vitest'
import { connectionsTo } from '../../../../test/connections-to.ts'
import { freshNativeUrl } from '../../../../test/running-service.ts'
import { sql } from '../db.ts'
import { SharedConnections } from './shared-connections.ts'

describe.runIf(process.env.TEST_DATABASE === 'postgres')('shared connections', () => {
  test('behind a pooler a refused parameter leaves no transaction open', async () => {
    const url = await freshNativeUrl()
    const connections = { connectionString: url, pipeline: true }
    const shared = new SharedConnections({ connections, count: 1, prepare: undefined, begin: 'begin' })
    onTestFinished(() => shared.close())
    await expect(shared.query(sql`select ${undefined}`)).rejects.toThrow()
    await expect.poll(() => connectionsTo(url)).toEqual(['idle'])
  })
})
