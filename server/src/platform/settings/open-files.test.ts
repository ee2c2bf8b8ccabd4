import { describe, expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { deliveriesWithin, mostOpenFiles, openFilesOfDatabase, withinOpenFiles } from './open-files.ts'

const embedded = readConfig({})
const native = readConfig({
  DATABASE_URL: 'postgres://db/precedent',
  SECRET_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
})

describe('the limit of open files', () => {
  test('stops a start that would leave no room for connections, and says what is needed and how to raise it', () => {
    const fault =
      'This process may have 243 files open, its connections among them, and needs 244 at least. Raise the limit: LimitNOFILE=65536'
    expect(() => withinOpenFiles(embedded, 243)).toThrow(fault)
    expect(withinOpenFiles(embedded, 244).connections).toBe(20)
    expect(() => withinOpenFiles(native, 145)).toThrow('needs 146 at least')
    expect(withinOpenFiles(native, 146).connections).toBe(20)
  })

  test('bounds the connections, and warns where CONNECTIONS says more', () => {
    const bounded = withinOpenFiles(embedded, 4096)
    expect(bounded.connections).toBe(4096 - 80 - 256 - 2 * 1000)
    expect(bounded.warnings).toEqual([
      expect.stringContaining('so it holds 1760 connections open, not CONNECTIONS=10000.'),
    ])
    expect(withinOpenFiles(readConfig({ CONNECTIONS: '500' }), 4096)).toMatchObject({ connections: 500, warnings: [] })
    expect(withinOpenFiles(embedded, 65_536)).toMatchObject({ connections: 10_000, warnings: [] })
  })

  test('is the bound of CONNECTIONS=0, which names none', () => {
    expect(withinOpenFiles(readConfig({ CONNECTIONS: '0' }), 4096)).toMatchObject({ connections: 1760, warnings: [] })
  })

  test('leaves a database in this process a quarter, and at least what PostgreSQL takes', () => {
    expect([20, 1024, 4096, undefined].map((most) => openFilesOfDatabase(most ?? Number.POSITIVE_INFINITY))).toEqual([
      64, 256, 1000, 1000,
    ])
  })

  test('leaves webhooks a sixteenth', () => {
    expect([20, 4096, 65_536].map(deliveriesWithin)).toEqual([16, 256, 1024])
  })

  test.runIf(process.platform === 'linux')('is read from the system', () => {
    expect(mostOpenFiles()).toBeGreaterThan(64)
  })
})
