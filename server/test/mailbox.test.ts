import { createTransport } from 'nodemailer'
import { expect, onTestFinished, test } from 'vitest'
import { type Mailbox, startMailbox } from './mailbox.ts'

const message = { from: 'Precedent <service@example.com>', to: ['a@example.com', 'b@example.com'] }

async function mailbox(options?: Parameters<typeof startMailbox>[0]): Promise<Mailbox> {
  const started = await startMailbox(options)
  onTestFinished(() => started.close())
  return started
}

function send({ host, port }: Mailbox, content: object, auth?: { user: string; pass: string }): Promise<unknown> {
  return createTransport({ host, port, secure: false, ...(auth ? { auth } : {}) }).sendMail({ ...message, ...content })
}

test('records a message as a reader sees it', async () => {
  const box = await mailbox()
  const subject = 'Grüße: a subject so long that it has to be folded over several lines of the header, as mailers do'
  const text = `Größe = 1\r\n${'long line '.repeat(20)}`
  await send(box, { subject, text, html: '<p title="ä">日本</p>', headers: { 'X-One': '1' } })
  const [mail] = await box.next()
  expect(mail).toMatchObject({ from: 'service@example.com', to: message.to, subject, html: '<p title="ä">日本</p>' })
  expect(mail?.text.trim()).toBe(text.trim())
  expect(mail?.headers['x-one']).toBe('1')
  expect(mail?.raw).toContain('multipart/alternative')
})

test('records plain messages one by one', async () => {
  const box = await mailbox()
  await send(box, { subject: 'one', text: 'first' })
  await send(box, { subject: 'two', text: 'second' })
  expect((await box.next(2)).map(({ subject, text }) => [subject, text.trim()])).toEqual([
    ['one', 'first'],
    ['two', 'second'],
  ])
})

test('demands credentials when it has some', async () => {
  const box = await mailbox({ credentials: { user: 'service', password: 'right' } })
  await expect(send(box, { text: 'x' }, { user: 'service', pass: 'wrong' })).rejects.toThrow('535')
  await expect(send(box, { text: 'x' })).rejects.toThrow('530')
  expect(box.received()).toEqual([])
  await send(box, { text: 'x' }, { user: 'service', pass: 'right' })
  expect(box.received()).toHaveLength(1)
})

test('goes down and comes back at the same address', async () => {
  const box = await mailbox()
  await box.down()
  await expect(send(box, { text: 'x' })).rejects.toThrow('ECONNREFUSED')
  await box.up()
  await send(box, { text: 'x' })
  expect(box.received()).toHaveLength(1)
})
