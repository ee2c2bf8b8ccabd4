import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
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
  const urls = { DATABASE_URL: 'postgres://user:hunter2@db/x', DATABASE_DIRECT_URL: 'postgres://user:hunter2@db/x' }
  const SECRET_KEYS = `k1:${Buffer.alloc(32, 1).toString('base64')}`
  const ofModels = {
    EMBEDDER_API_KEY: 'hunter2',
    CHAT_URL: 'http://chat.test/v1',
    CHAT_MODEL: 'm',
    CHAT_API_KEY: 'hunter2',
  }
  const others = {
    SMTP_URL: 'smtp://user:hunter2@mail',
    MAIL_FROM: 'a@b.test',
    OPERATOR_TOKEN: 'hunter2-hunter2-hunter2',
  }
  log.info({ config: readConfig({ ...urls, SECRET_KEYS, ...ofModels, ...others }) }, 'started')
  expect(text()).not.toContain('hunter2')
  expect(text()).not.toContain(SECRET_KEYS)
})

describe('a process that writes to a pipe', () => {
  const LOG = new URL('./log.ts', import.meta.url).href

  /** A process that runs a script with `log` and `go`, a promise of the first line of its standard input. */
  function running(script: string) {
    const code = `
      const { createLog } = await import(${JSON.stringify(LOG)})
      const log = createLog({ logLevel: 'info' })
      const go = new Promise((resolve) => process.stdin.once('data', resolve))
      console.log('ready')
      ${script}`
    return spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code], { stdio: 'pipe' })
  }

  const numbersIn = (written: string): unknown[] =>
    written
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line).i)

  test('ends after its reader has gone, whatever it had to say', async () => {
    const child = running(`await go; log.warn('one'); log.fatal('two'); process.exit(3)`)
    await once(child.stdout, 'data')
    child.stderr.destroy()
    child.stdin.write('go')
    expect(await once(child, 'exit')).toEqual([3, null])
  })

  test('loses no line and keeps their order, though the reader is slow, and writes the last one at its end', async () => {
    const child = running(`
      const text = 'é'.repeat(500)
      for (let i = 0; i < 4000; i++) log.info({ i, text }, 'line')
      await go
      log.info({ i: 4000 }, 'last')
      process.exit()`)
    const found: number[] = []
    let rest = ''
    child.stderr.setEncoding('utf8')
    for await (const piece of child.stderr) {
      const lines = (rest + piece).split('\n')
      rest = lines.pop() ?? ''
      found.push(...lines.map((line) => JSON.parse(line).i))
      if (found.length < 500) await new Promise((resolve) => setTimeout(resolve, 2))
      if (found.length === 4000) child.stdin.write('go')
    }
    expect(found).toEqual(Array.from({ length: 4001 }, (_, i) => i))
  })

  test('writes what it says in its last moment in order', async () => {
    const child = running(`for (let i = 0; i < 3; i++) log.info({ i }, 'line'); process.exit()`)
    expect(numbersIn(await text(child.stderr))).toEqual([0, 1, 2])
  })

  test('loses no line at its end in a full pipe that does not block it', async () => {
    const child = running(`
      process.stderr.write('')
      const text = 'x'.repeat(500)
      for (let i = 0; i < 4000; i++) log.info({ i, text }, 'line')
      setTimeout(() => {
        console.log('full')
        process.exit()
      }, 100)`)
    for await (const said of child.stdout) if (String(said).includes('full')) break
    expect(numbersIn(await text(child.stderr))).toEqual(Array.from({ length: 4000 }, (_, i) => i))
  })

  test('drops lines that nobody reads, and says how many', async () => {
    const child = running(`
      const text = 'x'.repeat(1_000_000)
      for (let i = 0; i < 40; i++) log.info({ i, text }, 'line')
      await go
      process.exit()`)
    await once(child.stdout, 'data')
    let read = ''
    child.stderr.setEncoding('utf8')
    for await (const piece of child.stderr) {
      read += piece
      if (read.endsWith('the reader is too slow"}\n')) child.stdin.write('go')
    }
    const lines = read
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
    const { dropped } = lines.at(-1)
    expect(dropped).toBeGreaterThan(0)
    expect(lines.length - 1 + dropped).toBe(40)
  })
})
