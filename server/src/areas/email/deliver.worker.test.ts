import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { gate } from '../../../test/gate.ts'
import { bob, cyd, type Mailing, mailingWorkspace, mentioning, startMailing, writing } from '../../../test/mailing.ts'
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

test('a mail server that hangs has places left for API keys that have none, and holds up no email that SendGrid sends', async () => {
  const { opened, open } = gate()
  const { service, ws, mailbox, sendgrid, ...people } = await startMailing({ accepts: opened })
  await fill(service, 8, { type: 'default' })
  await people.config(OWN)
  await people.thread({}, mentioning(cyd))
  const drained = service.drainJobs()
  await Promise.all([mailbox.next(3 * 4 + 4), sendgrid.next(1)])
  await expect.poll(() => inFlight(service)).toHaveLength(3 * 4 + 4)
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
  await Promise.all([sendgrid.next(9 * 4), mailbox.next(1)])
  await expect.poll(() => inFlight(service)).toHaveLength(9 * 4)
  open()
  await drained
  expect(sendgrid.received()).toHaveLength(72)
})

test('a process without a mail server leaves emails to one that has, and skips them when there is none any more', async () => {
  const mailing = await startMailing({ env: { SMTP_URL: '', MAIL_FROM: '' } })
  const { database } = mailing.service
  onTestFinished(async () => void (await database.query(sql`delete from service_process where id = 'prc_other'`)))
  await database.query(sql`
    insert into service_process (id, host, pid, role, version, started_at, seen_at, state)
    values ('prc_other', 'other', 1, 'worker', '0.1.0', now_ms(), now_ms(), '{"sendsMail": true}')`)
  await mailing.thread({}, mentioning(bob))
  await mailing.service.drainJobs()
  expect(await mailing.recorded()).toMatchObject([{ attempt: 0 }])
  await mailing.config(OWN)
  await mailing.service.drainJobs()
  expect(await mailing.recorded()).toMatchObject([{ status: 'sent', attempt: 1 }])
  await mailing.config({ type: 'default' })
  await mailing.thread({}, mentioning(cyd))
  await database.query(sql`update service_process set seen_at = now_ms() - 600001 where id = 'prc_other'`)
  await mailing.service.drainJobs()
  expect(await mailing.recorded()).toMatchObject([{ status: 'sent' }, { status: 'skipped' }])
})

/** The source of emails with a mailer of the test; `claimAll` claims until nothing is left to claim. */
function sourceWith({ service }: Mailing, send: Mailer['send']) {
  const { database, app } = service
  const mailer: Mailer = { senderName: undefined, send }
  const source = emailDeliveries({ db: database.work, reads: database, services: app.services, mailer })
  const claimAll = async () => {
    while ((await source.work(() => {})) > 0);
  }
  const sendAll = async () => {
    for (let ended = await source.settle?.(); ended; ended = await source.settle?.()) await claimAll()
  }
  return { source, claimAll, sendAll }
}

test('API keys whose emails hang leave places to those of the others', async () => {
  const mailing = await startMailing()
  const { service, thread } = mailing
  await fill(service, 4, { type: 'default' })
  for (let count = 0; count < 10; count++) await thread({}, mentioning(cyd))
  const { opened, open } = gate()
  let arrived = 0
  const { source, claimAll, sendAll } = sourceWith(mailing, async ({ to }) => {
    if (to.address === 'bob@example.com') return opened
    arrived++
  })
  await claimAll()
  while (arrived < 10) {
    await source.settle?.()
    await claimAll()
  }
  expect(await inFlight(service)).toHaveLength(3 * 4 + 1)
  open()
  await sendAll()
  expect(await inFlight(service)).toEqual([])
})

test('an API key has at most four emails in progress, also after some of them have ended', async () => {
  const mailing = await startMailing()
  const { service, thread } = mailing
  await Promise.all(Array.from({ length: 20 }, () => thread({}, mentioning(bob))))
  const [first, rest] = [gate(), gate()]
  let sent = 0
  const { source, claimAll, sendAll } = sourceWith(mailing, () => (sent++ === 0 ? first : rest).opened)
  await claimAll()
  expect(await inFlight(service)).toHaveLength(4)
  first.open()
  await source.settle?.()
  await claimAll()
  expect(await inFlight(service)).toHaveLength(4)
  rest.open()
  await sendAll()
  expect(new Set((await mailing.recorded()).map(({ status }) => status))).toEqual(new Set(['sent']))
})

test('an email in a script from right to left arrives as it was written', async () => {
  const mailing = await startMailing()
  const { commentText, taggedUserContacts } = mentioning(bob)
  const written = `راجع الشعار 🇩🇪 من فضلك! ${commentText}`
  const from = { userId: 'm', name: '\u202Eمحمد علي', email: 'm@example.com' }
  await mailing.thread({}, { from, commentText: written, taggedUserContacts })
  await mailing.sent()
  const [mail] = mailing.mailbox.received()
  expect(mail?.subject).toContain('محمد علي mentioned you')
  expect(mail?.text).toContain('> راجع الشعار 🇩🇪 من فضلك! Look')
  expect(mail?.html).toMatch(/<blockquote dir="auto"[^>]*>راجع الشعار 🇩🇪 من فضلك! Look/)
  expect(mail?.raw).not.toMatch(/[^\p{ASCII}]/u)
  expect(mail?.subject).not.toContain('\u202E')
})
