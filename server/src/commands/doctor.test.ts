import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { freshNativeUrl, SECRET_KEYS } from '../../test/running-service.ts'

const run = promisify(execFile)

beforeAll(async () => {
  await run(process.execPath, [new URL('../../../scripts/build.mjs', import.meta.url).pathname])
})

test.runIf(process.env.TEST_DATABASE === 'postgres')(
  'doctor names settings of PostgreSQL by which acknowledged writes can be lost',
  { timeout: 60_000 },
  async () => {
    const url = new URL(await freshNativeUrl())
    const examine = async (more: Record<string, string> = {}) => {
      const env = { PATH: process.env.PATH ?? '', DATABASE_URL: url.href, SECRET_KEYS, ...more }
      const program = new URL('../../dist/doctor.js', import.meta.url).pathname
      const { stdout } = await run(process.execPath, [program], { env }).catch((error) => error)
      return stdout
    }
    expect(await examine()).toContain('The database is empty.')
    expect(await examine({ DATABASE_POOL_SIZE: '1000' })).toContain('max_connections')
    url.searchParams.set('options', '-c synchronous_commit=off')
    expect(await examine()).toContain('synchronous_commit is off')
  },
)
