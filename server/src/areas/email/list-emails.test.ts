import { beforeAll, expect, test } from 'vitest'
import { bob, cyd, mentioning, ORGANIZATION, startMailing } from '../../../test/mailing.ts'
import { pagesOf } from '../../../test/pages.ts'
import { newWorkspace, startService } from '../../../test/running-service.ts'

beforeAll(startService)

const LIST = '/v2/workspace/emails/list'

test('the log of emails tells what was sent, what is still to be, and why something was not', async () => {
  const mailing = await startMailing()
  const list = async (filters = {}) => (await mailing.ws.ok(LIST, filters)).data
  const before = Date.now()
  await mailing.thread({}, mentioning(bob))
  const [waiting] = await list()
  expect(waiting).toMatchObject({ userId: 'bob', status: 'pending', attempts: 0, activities: 1, settledAt: null })
  expect(waiting?.nextAttemptAt).toBeTypeOf('number')
  await mailing.sent()
  const [sent] = await list()
  expect(sent).toEqual({
    id: waiting?.id,
    organizationId: ORGANIZATION,
    userId: 'bob',
    status: 'sent',
    activities: 1,
    attempts: 1,
    error: null,
    createdAt: waiting?.createdAt,
    nextAttemptAt: null,
    settledAt: expect.any(Number),
  })
  expect(mailing.mailbox.received()[0]?.headers['message-id']).toContain(sent?.id)

  await mailing.mailbox.down()
  await mailing.thread({}, mentioning(cyd))
  await mailing.service.drainJobs()
  expect(await list({ status: 'pending' })).toMatchObject([
    { userId: 'cyd', attempts: 1, error: expect.stringMatching(/^The message did not reach the mail server/) },
  ])
  await mailing.mailbox.up()

  expect((await list()).map(({ userId }) => userId)).toEqual(['cyd', 'bob'])
  expect(await list({ userId: 'bob', organizationId: ORGANIZATION, status: 'sent' })).toEqual([sent])
  expect(await list({ userId: 'ada' })).toEqual([])
  expect(await list({ organizationId: 'another' })).toEqual([])
  expect(await list({ dateRange: { start: before - 60_000, end: Date.now() + 60_000 } })).toHaveLength(2)
  expect(await list({ dateRange: { end: before - 60_000 } })).toEqual([])
  expect((await (await newWorkspace(mailing.service)).ok(LIST, {})).data).toEqual([])
})

test('it comes in pages, the latest first, and shows neither addresses nor words', async () => {
  const mailing = await startMailing()
  for (let n = 0; n < 3; n++) await mailing.thread({}, mentioning(bob, cyd))
  const seen: string[] = []
  for await (const page of pagesOf((next) => mailing.ws.ok(LIST, { pageSize: 4, ...next }))) {
    seen.push(...page.map(({ id }) => id))
    expect(JSON.stringify(page)).not.toMatch(/@|Look|Ada/)
  }
  expect(seen).toHaveLength(6)
  expect(seen).toEqual([...new Set(seen)].sort().reverse())
  const { status, body } = await mailing.ws.call(LIST, { pageToken: 'none' })
  expect([status, body.error.status]).toEqual([400, 'INVALID_ARGUMENT'])
})

test('addresses are not part of the log, nor of the words of a provider that refuses one', async () => {
  const mailing = await startMailing({ type: 'sendgrid' })
  await mailing.config({ apiKey: 'SG.secret', fromEmail: 'hello@acme.test' })
  const message = 'Does not contain a valid address: <BOB@example.com>. Sent by hello@acme.test'
  mailing.sendgrid.respond = () => ({ status: 400, body: JSON.stringify({ errors: [{ message }] }) })
  await mailing.thread({}, mentioning(bob))
  await mailing.service.drainJobs()
  const { data } = await mailing.ws.ok(LIST, {})
  const error = 'SendGrid answered 400: Does not contain a valid address: <[address]>. Sent by [address]'
  expect(data).toMatchObject([{ userId: 'bob', status: 'failed', error }])
})
