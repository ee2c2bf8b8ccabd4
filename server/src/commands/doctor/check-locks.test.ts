import { describe, expect, onTestFinished, test } from 'vitest'
import { openNative } from '../../../test/native-database.ts'
import { freshNativeUrl } from '../../../test/running-service.ts'
import { sql } from '../../platform/db/db.ts'
import { checkLocks } from './check-locks.ts'

async function twoUsers() {
  const url = await freshNativeUrl()
  const [doctor, other] = [await openNative(url), await openNative(url)]
  onTestFinished(async () => {
    await Promise.all([doctor.close(), other.close()])
  })
  await doctor.script('create table migration (name text); create table document (id int)')
  return { doctor, other }
}

const ok = { check: 'database locks', status: 'ok' }

describe.runIf(process.env.TEST_DATABASE === 'postgres')('the check of locks', () => {
  test('names a transaction that has held a table for long, and how to end it', async () => {
    const { doctor, other } = await twoUsers()
    await other.transaction(async (db) => {
      await db.query(sql`lock table document in access exclusive mode`)
      const [{ pid } = { pid: 0 }] = await db.query<{ pid: number }>(sql`select pg_backend_pid() as pid`)
      expect(await checkLocks(doctor, 0)).toMatchObject([
        {
          status: 'warning',
          message: expect.stringMatching(`session ${pid} \\(precedent\\) holds locks since 20.* on document`),
          mend: `If nobody needs it: select pg_terminate_backend(${pid})`,
        },
      ])
      expect(await checkLocks(doctor)).toMatchObject([ok])
    })
    expect(await checkLocks(doctor, 0)).toMatchObject([ok])
  })

  test('passes over those that only read', async () => {
    const { doctor, other } = await twoUsers()
    await other.transaction(async (db) => {
      await db.query(sql`select from document`)
      expect(await checkLocks(doctor, 0)).toMatchObject([ok])
    })
  })
})
