import { beforeAll, expect, test } from 'vitest'
import { ORGANIZATION, startMailing } from '../../../test/mailing.ts'
import { newWorkspace, startService } from '../../../test/running-service.ts'

beforeAll(startService)

const TEST = '/v2/workspace/emails/test'
const LIST = '/v2/workspace/emails/list'

test('a test email arrives at the stored address of a user, and the log tells of it', async () => {
  const mailing = await startMailing()
  const { data } = await mailing.ws.ok(TEST, { organizationId: ORGANIZATION, userId: 'bob' })
  expect(await mailing.sent()).toEqual(['bob@example.com'])
  expect(mailing.mailbox.received()[0]?.text).toContain('This is a sample, @Bob')
  const [logged] = (await mailing.ws.ok(LIST, {})).data
  expect(logged).toMatchObject({ id: data.emailId, userId: 'bob', status: 'sent', activities: 0, error: null })
})

test('a test email while the service is off is skipped, and the log says why', async () => {
  const mailing = await startMailing()
  await mailing.ws.ok('/v2/workspace/emailconfig/update', { useEmailService: false })
  await mailing.ws.ok(TEST, { organizationId: ORGANIZATION, userId: 'bob' })
  await mailing.service.drainJobs()
  const [logged] = (await mailing.ws.ok(LIST, {})).data
  expect(logged).toMatchObject({ status: 'skipped', error: 'The email service is off.' })
})

test('a test email to an unknown user, to one without an address, or of an unknown organization is refused', async () => {
  const { ws } = await startMailing()
  await ws.ok('/v2/users/add', { organizationId: ORGANIZATION, users: [{ userId: 'mute', name: 'Mute' }] })
  const refused = async (organizationId: string, userId: string) => {
    const { body } = await ws.call(TEST, { organizationId, userId })
    return body.error.status
  }
  expect(await refused(ORGANIZATION, 'nobody')).toBe('NOT_FOUND')
  expect(await refused(ORGANIZATION, 'mute')).toBe('FAILED_PRECONDITION')
  expect(await refused('elsewhere', 'bob')).toBe('NOT_FOUND')
  expect((await ws.ok(LIST, {})).data).toEqual([])
})

test('a preview shows sender, subject and body of each kind, and sends nothing', async () => {
  const ws = await newWorkspace(await startService())
  await ws.ok('/v2/workspace/emailconfig/update', { emailServiceConfig: { fromCompany: 'Acme & Sons' } })
  const preview = async (kind?: string) => (await ws.ok('/v2/workspace/emails/preview', kind ? { kind } : {})).data
  const mention = await preview()
  expect(mention).toMatchObject({
    fromName: 'Ada Lovelace via Acme & Sons',
    subject: 'Ada Lovelace mentioned you in A sample document',
    properties: { headline: 'Ada Lovelace mentioned you' },
  })
  expect(mention.text).toContain('> This is a sample, @Grace Hopper.')
  expect(mention.html).toContain('<blockquote')
  expect((await preview('status')).subject).toBe('Ada Lovelace changed the status to Resolved in A sample document')
  expect((await preview('assignment')).subject).toBe('Ada Lovelace assigned a thread to you in A sample document')
  expect((await ws.ok(LIST, {})).data).toEqual([])
})
