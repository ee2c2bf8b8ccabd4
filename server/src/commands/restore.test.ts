import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { repository } from '../../test/architecture/source.ts'
import { openNative } from '../../test/native-database.ts'
import { buildOnce } from '../../test/process.ts'
import { freshNativeUrl, SECRET_KEYS } from '../../test/running-service.ts'
import { sql } from '../platform/db/db.ts'

const PROGRAM = new URL('../../dist/restore.js', import.meta.url).pathname
const BACKUP = join(repository, 'compatibility/v0.1.0.data.jsonl')

beforeAll(async () => {
  await buildOnce()
})

async function restore(url: string) {
  const env = { PATH: process.env.PATH ?? '', DATABASE_URL: url, SECRET_KEYS }
  const child = spawn(process.execPath, [PROGRAM], { env, stdio: ['pipe', 'ignore', 'pipe'] })
  // Whoever refuses a backup does not read it to its end.
  child.stdin.on('error', () => {})
  createReadStream(BACKUP).pipe(child.stdin)
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
  return { code, errors }
}

describe.runIf(process.env.TEST_DATABASE === 'postgres')('a restore into PostgreSQL', { timeout: 60_000 }, () => {
  test('says that no data was changed where the disk has no room for the tables', async () => {
    const url = await freshNativeUrl()
    const database = await openNative(url)
    onTestFinished(() => database.close())
    await database.script(`
      create function disk_is_full() returns event_trigger language plpgsql as $$
      begin
        raise exception 'could not extend file' using errcode = 'disk_full';
      end $$;
      create event trigger disk_is_full on ddl_command_start when tag in ('CREATE INDEX')
      execute function disk_is_full()`)
    const { code, errors } = await restore(url)
    expect(code).toBe(1)
    expect(errors).toMatch(/^The migration .* failed: could not extend file\. No data was changed\.$/m)
    expect(await database.query(sql`select to_regclass('comment') as found`)).toEqual([{ found: null }])
  })
})
