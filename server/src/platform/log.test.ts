import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { createLog, type Log } from './log.ts'

function capture(level = 'info'): { log: Log; entries: () => unknown[]; text: () => string } {
  let written = ''
  const log = createLog(readConfig({ LOG_LEVEL: level }), { write: (line) => (written += line) })
  const entries = () =>
    written
      .split('\n')
      .filter(Boolean)
      .map((line): unknown => JSON.parse(line))
  return { log, entries, text: () => written }
}

test('an entry is one line of JSON', () => {
  const { log, entries } = capture()
  log.info({ operation: 'addUsers', status: 200 }, 'request')
  log.error({ err: new Error('no luck') }, 'job failed')
  expect(entries()).toEqual([
    { level: 30, time: expect.any(Number), operation: 'addUsers', status: 200, msg: 'request' },
    expect.objectContaining({ level: 50, err: expect.objectContaining({ message: 'no luck' }), msg: 'job failed' }),
  ])
})

test('entries below the configured level are left out', () => {
  const { log, entries } = capture('warn')
  log.info('unseen')
  log.warn('seen')
  expect(entries()).toEqual([expect.objectContaining({ msg: 'seen' })])
})

test('secrets are blotted out wherever an entry usually carries them', () => {
  const { log, entries, text } = capture()
  const headers = {
    'x-service-auth-token': 'hunter2',
    'x-alias-workspace-auth-token': 'hunter2',
    authorization: 'hunter2',
  }
  log.info({ ...headers, authToken: 'hunter2', headers, request: { headers, id: 'r1' } }, 'request')
  expect(text()).not.toContain('hunter2')
  expect(entries()).toEqual([expect.objectContaining({ request: { headers: expect.anything(), id: 'r1' } })])
})

test('the configuration can be logged without its secrets', () => {
  const { log, text } = capture()
  const SECRET_KEYS = `k1:${Buffer.alloc(32, 1).toString('base64')}`
  log.info({ config: readConfig({ DATABASE_URL: 'postgres://user:hunter2@db/x', SECRET_KEYS }) }, 'started')
  expect(text()).not.toContain('hunter2')
  expect(text()).not.toContain(SECRET_KEYS)
})
