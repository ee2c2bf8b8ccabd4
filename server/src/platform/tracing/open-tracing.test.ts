import { afterEach, expect, test, vi } from 'vitest'
import { freePort } from '../../../test/ports/free-port.ts'
import { readConfig } from '../config.ts'
import { openTracing } from './open-tracing.ts'

afterEach(() => void vi.unstubAllEnvs())

/** Traces a piece of work, and what is logged meanwhile. */
async function trace(endpoint: string, sendAfterMs: number) {
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', endpoint)
  vi.stubEnv('OTEL_EXPORTER_OTLP_TIMEOUT', '300')
  vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', String(sendAfterMs))
  const told: object[] = []
  const log = { warn: (about: object) => void told.push(about) }
  const tracing = await openTracing(readConfig({ TRACING: 'otlp' }), log)
  await tracing.span('work', { kind: 'server', attributes: {} }, async () => {})
  return { tracing, told }
}

const because = (reason: string) => [{ failures: 1, reason: expect.stringContaining(reason) }]

test('that the collector cannot be reached is logged', async () => {
  const port = await freePort()
  const { tracing, told } = await trace(`http://127.0.0.1:${port}`, 50)
  await expect.poll(() => told, { timeout: 10_000 }).toEqual(because(`ECONNREFUSED 127.0.0.1:${port}`))
  await tracing.close()
})

test('that the address of the collector cannot be read is logged', async () => {
  const { tracing, told } = await trace('nonsense', 60_000)
  expect(told).toEqual(because("'nonsense'"))
  await tracing.close()
})

test('the log shows no user, password or token of an address that cannot be read', async () => {
  const { tracing, told } = await trace('https//ada:pa/ss@collector.example.com/?token=t0ken', 60_000)
  expect(told).toEqual(because('…@collector.example.com/?…'))
  expect(JSON.stringify(told)).not.toMatch(/ada|pa\/ss|t0ken/)
  await tracing.close()
})

test('an end at which the collector cannot be reached does not fail', async () => {
  const port = await freePort()
  const { tracing, told } = await trace(`http://127.0.0.1:${port}`, 60_000)
  await tracing.close()
  expect(told).toEqual(because(`ECONNREFUSED 127.0.0.1:${port}`))
})
