import { describe, expect, onTestFinished, test } from 'vitest'
import { openNative } from '../../../test/native-database.ts'
import { freshNativeUrl } from '../../../test/running-service.ts'
import { checkRoom } from './check-room.ts'

describe.runIf(process.env.TEST_DATABASE === 'postgres')('the check of the disk of PostgreSQL', () => {
  test('names a disk without room', async () => {
    const database = await openNative(await freshNativeUrl())
    onTestFinished(() => database.close())
    expect(await checkRoom(database)).toMatchObject([{ check: 'database disk', status: 'ok' }])
    await database.script(`
      create function disk_is_full() returns event_trigger language plpgsql as $$
      begin
        raise exception 'could not extend file' using errcode = 'disk_full';
      end $$;
      create event trigger disk_is_full on ddl_command_start execute function disk_is_full()`)
    expect(await checkRoom(database)).toMatchObject([
      { status: 'failure', message: 'The disk of PostgreSQL is full: could not extend file' },
    ])
  })
})
