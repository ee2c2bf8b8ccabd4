import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { expect, onTestFinished, test } from 'vitest'
import { startMailbox } from '../../../test/mailbox.ts'
import { freePort } from '../../../test/ports/free-port.ts'
import { createMailer, MailError, type Mailer } from './mail.ts'

const mail = {
  id: 'eml_1',
  to: { name: 'Bob', address: 'bob@example.com' },
  subject: 'Hi',
  text: 'A',
  html: '<p>A</p>',
}

const send = async (mailer: Mailer | undefined, more: object = {}) => mailer?.send({ ...mail, headers: {}, ...more })

/** A server that refuses every recipient with a code. */
async function refusing(responseCode: number): Promise<string> {
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    onRcptTo: (_address, _session, done) => done(Object.assign(new Error('not now'), { responseCode })),
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())))
  return `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`
}

test('there is no mailer without SMTP_URL', () => {
  expect(createMailer({ mailFrom: 'a@b.co' })).toBeUndefined()
})

test('a mail server that is not there is told by the code of the system', async () => {
  const mailer = createMailer({ smtpUrl: `smtp://127.0.0.1:${await freePort()}`, mailFrom: 'post@example.com' })
  await expect(send(mailer)).rejects.toThrow('The message did not reach the mail server (ECONNREFUSED).')
})

test('an address is one address, whatever a list of them would look like', async () => {
  const box = await startMailbox()
  onTestFinished(() => box.close())
  const mailer = createMailer({ smtpUrl: `smtp://${box.host}:${box.port}`, mailFrom: 'post@example.com' })
  const addresses = [
    'eve;bob@example.com',
    'eve@x.co,bob@example.com',
    'all:bob@example.com;',
    'eve@x.co <bob@example.com>',
  ]
  await Promise.allSettled(addresses.map((address) => send(mailer, { to: { name: 'Eve', address } })))
  expect(box.received().flatMap(({ to }) => to)).not.toContain('bob@example.com')
})

test('the sender is MAIL_FROM, its name that of the message where it has one', async () => {
  const box = await startMailbox()
  onTestFinished(() => box.close())
  const smtpUrl = `smtp://${box.host}:${box.port}`
  const named = createMailer({ smtpUrl, mailFrom: 'Post Office <post@example.com>' })
  await send(named)
  await send(named, { fromName: 'Ada "A" <x@y.z>' })
  await send(createMailer({ smtpUrl, mailFrom: 'post@example.com' }))
  expect(box.received().map(({ headers }) => headers.from)).toEqual([
    'Post Office <post@example.com>',
    '"Ada \\"A\\" <x@y.z>" <post@example.com>',
    'post@example.com',
  ])
  expect(box.received().every(({ from }) => from === 'post@example.com')).toBe(true)
  expect(box.received()[0]?.headers['message-id']).toBe('<eml_1@example.com>')
})

test.each([
  [450, true],
  [550, false],
])('an answer of %i is temporary: %s', async (code, isTemporary) => {
  const mailer = createMailer({ smtpUrl: await refusing(code), mailFrom: 'post@example.com' })
  const error = await send(mailer).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(MailError)
  expect(error).toMatchObject({ isTemporary, message: `The mail server answered: ${code} not now` })
})
