import { beforeAll, expect, test } from 'vitest'
import { gate } from '../../../test/gate.ts'
import { bob, cyd, mailingWorkspace, mentioning, startMailing, writing } from '../../../test/mailing.ts'
import { type Service, startService } from '../../../test/running-service.ts'
import { type Db, type Sql, sql } from '../../platform/db/db.ts'
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

const OWN = { type: 'custom', apiKey: 'SG.secret', fromEmail: 'hello@acme.test' }

/** Leaves eight emails of each of `keys` new API keys. */
async function fill(service: Service, keys: number, emailServiceConfig: object): Promise<void> {
  for (let key = 0; key < keys; key++) {
    const { config, thread } = writing(await mailingWorkspace(service, 'default'))
    await config(emailServiceConfig)
    await Promise.all(Array.from({ length: 8 }, () => thread({}, mentioning(bob))))
  }
}

const inFlight = ({ database }: Service) => database.query(sql`select from email where status = 'sending'`)

test('a mail server that hangs takes 32 places and holds up no email that SendGrid sends', async () => {
  const { opened, open } = gate()
  const { service, ws, mailbox, sendgrid, ...people } = await startMailing({ accepts: opened })
  await fill(service, 8, { type: 'default' })
  await people.config(OWN)
  await people.thread({}, mentioning(cyd))
  const drained = service.drainJobs()
  await Promise.all([mailbox.next(8), sendgrid.next(1)])
  await expect.poll(() => inFlight(service)).toHaveLength(32)
  open()
  await drained
  expect(mailbox.received()).toHaveLength(64)
})

test('a SendGrid that hangs holds up no email of the mail server', async () => {
  const { opened, open } = gate()
  const { service, ws, mailbox, sendgrid, ...people } = await startMailing()
  sendgrid.respond = () => opened.then(() => ({ status: 202 }))
  await fill(service, 9, OWN)
  await people.thread({}, mentioning(cyd))
  const drained = service.drainJobs()
  await Promise.all([sendgrid.next(64), mailbox.next(1)])
  await expect.poll(() => inFlight(service)).toHaveLength(64)
  open()
  await drained
  expect(sendgrid.received()).toHaveLength(72)
})
