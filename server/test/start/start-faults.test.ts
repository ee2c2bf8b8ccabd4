import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, rmdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { freePort } from '../ports/free-port.ts'
import { listen } from '../ports/listen.ts'
import { buildOnce, ENVIRONMENT, runToEnd, startProcess, temporaryDirectory } from '../process.ts'

let directory: Awaited<ReturnType<typeof temporaryDirectory>>
const SECRET_KEYS = `k1:${Buffer.alloc(32, 1).toString('base64')}`
const dist = (name: string) => new URL(`../../dist/${name}`, import.meta.url).pathname

beforeAll(async () => {
  await buildOnce()
  directory = await temporaryDirectory()
})
afterAll(() => directory.remove())

/** What a start prints that fails: one line for people, and no stack. */
async function failedStart(env: Record<string, string>): Promise<string> {
  const { code, log } = await runToEnd({ DATA_DIR: join(directory.path, 'data'), PORT: '0', ...env })
  expect(code).toBe(1)
  expect(log).not.toMatch(/\n\s+at /)
  return log
}

describe('a start that fails names the setting', { timeout: 60_000 }, () => {
  test('PORT, if another process listens there', async () => {
    const other = createServer()
    const port = await listen(other)
    const log = await failedStart({ PORT: String(port) })
    expect(log).toContain(`PORT: another process listens on port ${port} of 127.0.0.1.`)
    other.close()
  })

  test('HOST, if this machine does not have the address', async () => {
    expect(await failedStart({ HOST: '192.0.2.1' })).toContain('HOST: this machine has no address 192.0.2.1.')
    // One of a link needs the name of the interface.
    expect(await failedStart({ HOST: 'fe80::1' })).toMatch(/^HOST: this machine .* fe80::1\./)
  })

  test('DATABASE_URL, if the server cannot be reached, without the password', async () => {
    const port = await freePort()
    for (const host of ['127.0.0.1', 'localhost']) {
      const DATABASE_URL = `postgres://ada:hunter2@${host}:${port}/reviews`
      const log = await failedStart({ DATABASE_URL, SECRET_KEYS })
      expect(log).toMatch(`DATABASE_URL: cannot use the database ${host}:${port}/reviews: connect ECONNREFUSED`)
      expect(log).not.toContain('hunter2')
    }
  })

  test('DATABASE_URL, if its host has no address', async () => {
    const log = await failedStart({ DATABASE_URL: 'postgres://ada:hunter2@db.invalid/reviews', SECRET_KEYS })
    expect(log).toMatch(/DATABASE_URL: cannot use the database db\.invalid\/reviews: .*(ENOTFOUND|EAI_AGAIN)/)
    expect(log).not.toContain('hunter2')
  })

  test('DATA_DIR, if it is a file, or lies in one', async () => {
    const file = join(directory.path, 'file')
    await writeFile(file, '')
    for (const path of [file, join(file, 'data')]) {
      expect(await failedStart({ DATA_DIR: path })).toContain(`DATA_DIR: cannot write to the directory ${path}: E`)
    }
  })

  // Root may write anywhere.
  test.skipIf(process.getuid?.() === 0)('DATA_DIR, if this user may not write there', async () => {
    const closed = join(directory.path, 'closed')
    await mkdir(closed)
    await chmod(closed, 0o500)
    const log = await failedStart({ DATA_DIR: join(closed, 'data') })
    expect(log).toContain(`DATA_DIR: cannot write to the directory ${closed}/data: EACCES`)
    await chmod(closed, 0o700)
  })

  test('a command names it too', async () => {
    const env = { ...ENVIRONMENT, DATA_DIR: join(directory.path, 'file/data') }
    const exported = promisify(execFile)(process.execPath, [dist('transfer.js'), 'export'], { env })
    await expect(exported).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(/^DATA_DIR: cannot write/) })
  })
})

describe('a command that needs a database, with a DATA_DIR that holds none', () => {
  const precedent = '../../cli/dist/precedent.js'
  const commands = [
    [precedent, 'backup', '-'],
    ['transfer.js', 'export'],
    [precedent, 'credentials'],
    [precedent, 'operator', 'link'],
    ['rotate-secrets.js'],
    ['rotate-signing-key.js'],
    ['evaluate.js', 'nobody'],
  ]
  const run = ([program = '', ...args]: string[], dataDir: string) =>
    promisify(execFile)(process.execPath, [dist(program), ...args], {
      env: { ...ENVIRONMENT, DATA_DIR: dataDir },
    })

  test.each(commands.map((command) => [command.join(' '), command] as const))(
    '%s says so and creates nothing',
    async (_, command) => {
      const before = await readdir(directory.path)
      const missing = join(directory.path, 'no-directory')
      const empty = await mkdtemp(join(directory.path, 'empty-'))
      for (const place of [missing, empty]) {
        const stderr = expect.stringContaining(`There is no database in ${place}. Set DATA_DIR to that of the server.`)
        await expect(run(command, place)).rejects.toMatchObject({ code: 1, stdout: '', stderr })
      }
      expect(await readdir(empty)).toEqual([])
      await rmdir(empty)
      expect(await readdir(directory.path)).toEqual(before)
    },
    60_000,
  )
})

test('a start warns of a variable that looks like a misspelt setting, without its value', async () => {
  const env = {
    DATA_DIR: join(directory.path, 'misspelt'),
    DATABSE_URL: 'postgres://ada:hunter2@db/reviews',
    EDITOR: 'vi',
  }
  const server = await startProcess(env)
  await vi.waitFor(() => expect(server.log()).toContain('"msg":"started"'), 30_000)
  expect(await server.stop()).toBe(0)
  expect(server.log()).toContain('The variable DATABSE_URL is not a setting and has no effect. Is DATABASE_URL meant?')
  expect(server.log().match(/is not a setting/g)).toHaveLength(1)
  expect(server.log()).not.toContain('hunter2')
}, 60_000)
