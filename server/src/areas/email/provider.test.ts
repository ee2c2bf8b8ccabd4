import { createServer } from 'node:net'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { bob, cyd, type Mailing, mailingWorkspace, mentioning, startMailing, writing } from '../../../test/mailing.ts'
import { listen } from '../../../test/ports/listen.ts'
import { startReceiver } from '../../../test/receiver.ts'
import { startConfigured, startService } from '../../../test/running-service.ts'
import { claimDue } from './claim.ts'

beforeAll(startService)

const HOUR_MS = 3_600_000
const statuses = async (mailing: Mailing) => (await mailing.recorded()).map(({ status }) => status)
const metric = async ({ service }: Mailing, outcome: string) => {
  const text = await (await fetch(`${service.url}/metrics`)).text()
  return Number(new RegExp(`^emails_total\\{outcome="${outcome}"\\} (\\d+)$`, 'm').exec(text)?.[1] ?? 0)
}

describe("the operator's mail server", () => {
  test('an outage delays an email and loses none', async () => {
    const mailing = await startMailing()
    await mailing.mailbox.down()
    await mailing.thread({}, mentioning(bob))
    await mailing.service.drainJobs()
    const [waiting] = await mailing.recorded()
    expect(waiting).toMatchObject({ status: 'waiting', attempt: 1 })
    expect(waiting?.error).toMatch(/^The message did not reach the mail server/)
    await mailing.mailbox.up()
    mailing.service.clock.ahead = HOUR_MS
    expect(await mailing.sent()).toEqual(['bob@example.com'])
    expect(await mailing.recorded()).toEqual([{ status: 'sent', error: null, attempt: 2 }])
    expect([await metric(mailing, 'retried'), await metric(mailing, 'sent')]).toEqual([1, 1])
  })

  test('an outage of days ends in a visible failure', async () => {
    const mailing = await startMailing()
    await mailing.mailbox.down()
    await mailing.thread({}, mentioning(bob))
    for (let attempts = 0; attempts < 8; attempts++) {
      await mailing.service.drainJobs()
      mailing.service.clock.ahead += 24 * HOUR_MS
    }
    expect(await mailing.recorded()).toMatchObject([{ status: 'failed', attempt: 8 }])
    await mailing.mailbox.up()
    expect(await mailing.sent()).toEqual([])
  })

  test('refused credentials delay an email, and what is logged of them shows no secret', async () => {
    const credentials = { user: 'service', password: 'right' }
    const mailing = await startMailing({ credentials, smtpLogin: 'service:wrong-secret' })
    await mailing.thread({}, mentioning(bob))
    expect(await mailing.sent()).toEqual([])
    const error = 'The mail server refused the credentials of SMTP_URL (535).'
    expect(await mailing.recorded()).toEqual([{ status: 'waiting', error, attempt: 1 }])
    expect(await metric(mailing, 'retried')).toBe(1)
  })

  test('its credentials in SMTP_URL are used', async () => {
    const credentials = { user: 'service', password: 'right' }
    const mailing = await startMailing({ credentials, smtpLogin: 'service:right' })
    await mailing.thread({}, mentioning(bob))
    expect(await mailing.sent()).toEqual(['bob@example.com'])
  })

  test('is reached by TLS with smtps://', async () => {
    const mailing = await startMailing({ tls: { query: '?tls.rejectUnauthorized=false' } })
    await mailing.thread({}, mentioning(bob))
    expect(await mailing.sent()).toEqual(['bob@example.com'])
    expect(mailing.mailbox.received()[0]?.isSecure).toBe(true)
  })

  test('is told nothing when its certificate is not to be trusted', async () => {
    const mailing = await startMailing({ tls: { query: '' } })
    await mailing.thread({}, mentioning(bob))
    expect(await mailing.sent()).toEqual([])
    expect(await mailing.recorded()).toMatchObject([{ status: 'waiting', attempt: 1 }])
  })

  test('that accepts connections and never says a word delays an email and loses none', async () => {
    const silent = createServer(() => {})
    const port = await listen(silent)
    onTestFinished(() => void silent.close())
    const mailing = await startMailing({ env: { SMTP_URL: `smtp://127.0.0.1:${port}` } })
    await mailing.thread({}, mentioning(bob))
    expect(await mailing.sent()).toEqual([])
    const [waiting] = await mailing.recorded()
    expect(waiting).toMatchObject({ status: 'waiting', attempt: 1 })
    expect(waiting?.error).toBe('The message did not reach the mail server (ETIMEDOUT).')
  }, 60_000)

  test('without SMTP_URL an email is recorded as skipped', async () => {
    const mailing = await startMailing({ env: { SMTP_URL: '', MAIL_FROM: '' } })
    await mailing.thread({}, mentioning(bob))
    expect(await mailing.sent()).toEqual([])
    const error = 'The service has no mail server: SMTP_URL is not set.'
    expect(await mailing.recorded()).toEqual([{ status: 'skipped', error, attempt: 1 }])
  })

  test('sends for type custom without an apiKey, in the name of the company', async () => {
    const mailing = await startMailing({ type: 'custom' })
    await mailing.config({ fromCompany: 'Acme', fromEmail: 'hello@acme.test' })
    await mailing.thread({}, mentioning(bob))
    expect(await mailing.sent()).toEqual(['bob@example.com'])
    const [mail] = mailing.mailbox.received()
    expect(mail?.headers.from).toBe('Ada Lovelace via Acme <service@precedent.test>')
    expect(mail?.headers['reply-to']).toBe('hello@acme.test')
    expect(mail?.from).toBe('service@precedent.test')
    expect(mailing.sendgrid.received()).toEqual([])
  })
})

describe('SendGrid', () => {
  const withSendgrid = async (type = 'sendgrid', more: object = {}) => {
    const mailing = await startMailing({ type })
    await mailing.config({ apiKey: 'SG.secret', fromEmail: 'hello@acme.test', fromCompany: 'Acme', ...more })
    return mailing
  }
  const requests = ({ sendgrid }: Mailing) =>
    sendgrid.received().map(({ body }) => JSON.parse(body.toString()) as Record<string, unknown>)

  test.each(['sendgrid', 'custom'])('sends for type %s with the key and sender of the customer', async (type) => {
    const mailing = await withSendgrid(type)
    await mailing.thread({}, mentioning(bob))
    expect(await mailing.sent()).toEqual([])
    const [request] = mailing.sendgrid.received()
    expect([request?.method, request?.url]).toEqual(['POST', '/v3/mail/send'])
    expect(request?.headers.authorization).toBe('Bearer SG.secret')
    expect(requests(mailing)).toEqual([
      {
        from: { email: 'hello@acme.test', name: 'Ada Lovelace via Acme' },
        personalizations: [
          {
            to: [{ email: 'bob@example.com', name: 'Bob' }],
            custom_args: { emailId: expect.stringMatching(/^eml_\w+$/) },
          },
        ],
        subject: 'Ada Lovelace mentioned you in The Plan',
        headers: {
          'List-Unsubscribe': expect.stringMatching(/^<https:\/\/precedent\.test\/email\/unsubscribe\?token=[^>]+>$/),
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        },
        content: [
          { type: 'text/plain', value: expect.stringContaining('> Look @Bob') },
          { type: 'text/html', value: expect.stringContaining('Look @Bob') },
        ],
      },
    ])
    expect(await statuses(mailing)).toEqual(['sent'])
  })

  test('fills tagTemplateId for mentions and commentTemplateId for the rest', async () => {
    const mailing = await withSendgrid('custom', { tagTemplateId: 'd-tag', commentTemplateId: 'd-comment' })
    const annotationId = await mailing.thread({}, { ...mentioning(bob), from: cyd })
    await mailing.service.drainJobs()
    await mailing.reply(annotationId, bob)
    await mailing.service.drainJobs()
    const [tag, comment] = requests(mailing)
    expect(tag?.template_id).toBe('d-tag')
    expect(tag).not.toHaveProperty('content')
    expect(comment).toMatchObject({
      template_id: 'd-comment',
      personalizations: [
        {
          to: [{ email: 'cyd@example.com' }],
          custom_args: { emailId: expect.stringMatching(/^eml_/) },
          dynamic_template_data: {
            actionType: 'added',
            subject: 'Bob replied in The Plan',
            fromName: 'Bob via Acme',
            fromUser: { userId: 'bob' },
            firstComment: { commentText: 'Look @Bob', from: { userId: 'cyd' } },
            prevComment: { commentText: 'Look @Bob' },
            latestComment: { commentText: 'I agree', from: { userId: 'bob' } },
            commentsCount: 2,
            commentsCountMoreThanThree: false,
            commentAnnotation: { annotationId },
            documentMetadata: { documentId: 'plan', documentName: 'The Plan' },
            unsubscribeUrl: expect.stringContaining('https://precedent.test/email/unsubscribe?token='),
          },
        },
      ],
    })
  })

  test('tells a template the comment before the latest, and whether there are more than three', async () => {
    const mailing = await withSendgrid('custom', { commentTemplateId: 'd-comment' })
    const annotationId = await mailing.thread({}, { commentText: 'First', from: cyd })
    for (let replies = 0; replies < 3; replies++) {
      await mailing.reply(annotationId, bob)
      await mailing.service.drainJobs()
    }
    const told = (before: string, commentsCount: number, commentsCountMoreThanThree: boolean) => {
      const properties = { prevComment: { commentText: before }, commentsCount, commentsCountMoreThanThree }
      return { personalizations: [{ dynamic_template_data: properties }] }
    }
    expect(requests(mailing)).toMatchObject([
      told('First', 2, false),
      told('I agree', 3, false),
      told('I agree', 4, true),
    ])
  })

  test('a bad key delays an email until it is put right, and is told to nobody', async () => {
    const mailing = await withSendgrid()
    const body = JSON.stringify({ errors: [{ message: 'The key SG.secret is invalid, expired, or revoked' }] })
    mailing.sendgrid.respond = ({ headers }) =>
      headers.authorization === 'Bearer SG.right' ? { status: 202 } : { status: 401, body }
    await mailing.thread({}, mentioning(bob))
    await mailing.service.drainJobs()
    const error = 'SendGrid answered 401: The key [secret] is invalid, expired, or revoked'
    expect(await mailing.recorded()).toEqual([{ status: 'waiting', error, attempt: 1 }])
    await mailing.config({ apiKey: 'SG.right' })
    mailing.service.clock.ahead = HOUR_MS
    await mailing.service.drainJobs()
    expect(await mailing.recorded()).toEqual([{ status: 'sent', error: null, attempt: 2 }])
  })

  test('a message that it refuses is a failure', async () => {
    const mailing = await withSendgrid()
    mailing.sendgrid.respond = () => ({ status: 400 })
    await mailing.thread({}, mentioning(bob))
    await mailing.service.drainJobs()
    expect(await mailing.recorded()).toEqual([{ status: 'failed', error: 'SendGrid answered 400', attempt: 1 }])
  })

  test.each([
    ['429', { status: 429 }],
    ['503', { status: 503, body: 'maintenance' }],
    ['a broken connection', 'reset' as const],
  ])('after %s it is tried again', async (_, reply) => {
    const mailing = await withSendgrid()
    mailing.sendgrid.respond = (_request, index) => (index === 0 ? reply : { status: 202 })
    await mailing.thread({}, mentioning(bob))
    await mailing.service.drainJobs()
    expect(await statuses(mailing)).toEqual(['waiting'])
    mailing.service.clock.ahead = HOUR_MS
    await mailing.service.drainJobs()
    expect(await mailing.recorded()).toEqual([{ status: 'sent', error: null, attempt: 2 }])
    const [first, second] = requests(mailing)
    expect(first).toMatchObject({ personalizations: [{ custom_args: { emailId: expect.stringMatching(/^eml_/) } }] })
    expect(second?.personalizations).toEqual(first?.personalizations)
  })

  test.each([
    ['apiKey', { apiKey: '' }],
    ['fromEmail', { fromEmail: '' }],
  ])('without %s an email waits and says so', async (field, more) => {
    const mailing = await withSendgrid('sendgrid', more)
    await mailing.thread({}, mentioning(bob))
    await mailing.service.drainJobs()
    expect(await mailing.recorded()).toMatchObject([
      { status: 'waiting', error: `emailServiceConfig.${field} is not set.` },
    ])
  })
})

test('several workers send each email once', async () => {
  const mailing = await startMailing()
  const { host, port } = mailing.mailbox
  const other = await startConfigured({ SMTP_URL: `smtp://${host}:${port}`, MAIL_FROM: 'b@precedent.test' })
  onTestFinished(() => other.app.http.close())
  for (let count = 0; count < 6; count++) await mailing.thread({}, mentioning(bob, cyd))
  await Promise.all([other.drainJobs(), mailing.service.drainJobs()])
  expect(await mailing.sent()).toHaveLength(12)
  expect(new Set(mailing.mailbox.received().map(({ headers }) => headers['message-id'])).size).toBe(12)
})

test('an email whose process died is sent when its lease has ended', async () => {
  const mailing = await startMailing()
  const { database, app, clock } = mailing.service
  await mailing.thread({}, mentioning(bob))
  await claimDue(database, { count: 1, perKey: 1, rooms: new Map(), now: app.services.clock.now() })
  expect(await mailing.sent()).toEqual([])
  clock.ahead = 301_000
  expect(await mailing.sent()).toEqual(['bob@example.com'])
})

test('a provider that hangs holds up neither webhooks nor the emails of others', async () => {
  let release = (_: { status: number }) => {}
  const released = new Promise<{ status: number }>((resolve) => {
    release = resolve
  })
  const [slow, hooks] = [await startMailing({ type: 'custom' }), await startReceiver()]
  onTestFinished(() => hooks.close())
  const { service, mailbox, sendgrid } = slow
  const other = writing(await mailingWorkspace(service, 'default'))
  await slow.config({ apiKey: 'SG.secret', fromEmail: 'hello@acme.test' })
  sendgrid.respond = () => released
  await slow.ws.ok('/v2/workspace/advancedwebhookconfig/update', { isEnabled: true })
  await slow.ws.ok('/v2/workspace/advancedwebhook/endpoints/create', { url: hooks.url })

  for (let count = 0; count < 10; count++) await slow.thread({}, mentioning(bob))
  await other.thread({}, mentioning(cyd))
  const drained = service.drainJobs()
  await Promise.all([sendgrid.next(4), hooks.next(10), mailbox.next(1)])
  expect(mailbox.received().flatMap(({ to }) => to)).toEqual(['cyd@example.com'])
  expect(sendgrid.received()).toHaveLength(4)
  release({ status: 202 })
  await drained
  expect(sendgrid.received()).toHaveLength(10)
})
