import { beforeAll, expect, test } from 'vitest'
import { bob, mentioning, startMailing } from '../../../test/mailing.ts'
import { startService } from '../../../test/running-service.ts'
import type { Db, Sql } from '../../platform/db/db.ts'
import type { Mail, Mailer } from '../../platform/outbound/mail.ts'
import { emailDeliveries } from './deliver.worker.ts'

beforeAll(startService)

test('an email whose outcome is not recorded at the first attempt is not sent again', async () => {
  const mailing = await startMailing()
  await mailing.thread({}, mentioning(bob))
  const { service } = mailing
  let losses = 1
  const db: Db = {
    async query<Row extends object>(statement: Sql): Promise<Row[]> {
      if (/update email\s+set status = \$\d, due_at/.test(statement.text) && losses-- > 0)
        throw new Error('connection lost')
      return service.database.work.query<Row>(statement)
    },
  }
  const sent: Mail[] = []
  const mailer: Mailer = { senderName: undefined, send: async (mail) => void sent.push(mail) }
  const source = emailDeliveries({ db, reads: service.database, services: service.app.services, mailer })
  await source.work(() => {})
  await source.settle?.()
  expect(losses).toBeLessThan(1)
  // After its lease.
  service.clock.ahead += 300_001
  await source.work(() => {})
  await source.settle?.()
  expect(sent).toHaveLength(1)
  expect(await mailing.recorded()).toEqual([{ status: 'sent', error: null, attempt: 1 }])
})
