import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildOnce, ENVIRONMENT, type ServerProcess, startProcess, temporaryDirectory } from '../test/process.ts'

const { path: DATA_DIR, remove } = await temporaryDirectory()
const file = join(DATA_DIR, 'secret-keys')

/** Runs a built command on that data and returns how it ended. */
const ended = (name: string, ...args: string[]) =>
  new Promise<{ code: unknown; output: string; errors: string }>((resolve) => {
    const program = new URL(`../dist/${name}.js`, import.meta.url).pathname
    const env = { ...ENVIRONMENT, DATA_DIR, LOG_LEVEL: 'silent' }
    execFile(process.execPath, [program, ...args], { env }, (error, output, errors) =>
      resolve({ code: error?.code ?? 0, output, errors }),
    )
  })

describe('on data whose master keys are lost, a command names the file and makes no others:', {
  timeout: 60_000,
}, () => {
  let server: ServerProcess
  beforeAll(async () => {
    await buildOnce()
    server = await startProcess({ DATA_DIR })
    await rename(file, `${file}.lost`)
  }, 120_000)
  afterAll(remove)

  async function expectRefusal(name: string, ...args: string[]) {
    const { code, output, errors } = await ended(name, ...args)
    expect([code, output, errors]).toEqual([1, '', expect.stringContaining(`The file ${file} is missing`)])
    expect(existsSync(file)).toBe(false)
  }

  test('one that asks the server that runs', async () => {
    await expectRefusal('running-server')
    await server.stop()
  })

  test.each([['transfer', 'export'], ['rotate-secrets'], ['rotate-signing-key'], ['credentials']])('%s', (...command) =>
    expectRefusal(...(command as [string, ...string[]])),
  )
})
