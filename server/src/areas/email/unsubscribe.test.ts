import { beforeAll, expect, test } from 'vitest'
import { bob, cyd, DOCUMENT, type Mailing, mentioning, ORGANIZATION, startMailing } from '../../../test/mailing.ts'
import { startService } from '../../../test/running-service.ts'
import { readConfig } from '../../platform/config.ts'
import { createLog } from '../../platform/log.ts'
import { createMailer } from '../../platform/outbound/mail.ts'
import { emailDeliveries } from './deliver.worker.ts'

beforeAll(startService)

/** The unsubscribe link of the first mail to an address, at the service under test. */
function linkFor({ mailbox, service }: Mailing, address: string): string {
  const mail = mailbox.received().find(({ to }) => to.includes(address))
  const [, link = ''] = /^<(.*)>$/.exec(mail?.headers['list-unsubscribe'] ?? '') ?? []
  return link.replace('https://precedent.test', service.url)
}

const emailPreference = async ({ ws }: Mailing, userId: string) => {
  const asked = { organizationId: ORGANIZATION, userId, getOrganizationConfig: true }
  return JSON.stringify((await ws.ok('/v2/notifications/config/get', asked)).data)
}

async function mentionedInMail(): Promise<Mailing> {
  const mailing = await startMailing()
  await mailing.thread({}, mentioning(bob, cyd))
  await mailing.sent()
  return mailing
}

test('every email holds the link, in both parts and in its headers (RFC 8058)', async () => {
  const { mailbox } = await mentionedInMail()
  for (const mail of mailbox.received()) {
    const [, link = ''] = /^<(.*)>$/.exec(mail.headers['list-unsubscribe'] ?? '') ?? []
    expect(link).toMatch(/^https:\/\/precedent\.test\/email\/unsubscribe\?token=/)
    expect(mail.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')
    expect(mail.text).toContain(link)
    expect(mail.html).toContain(link)
  }
})

test('looking at the page changes nothing; its button unsubscribes that user alone', async () => {
  const mailing = await mentionedInMail()
  const link = linkFor(mailing, 'bob@example.com')
  const page = await fetch(link)
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(await page.text()).toContain('<form method="post">')
  expect(await emailPreference(mailing, 'bob')).not.toContain('NONE')

  const done = await fetch(link, { method: 'POST', body: new URLSearchParams() })
  expect([done.status, await done.text()]).toEqual([200, expect.stringContaining('You are unsubscribed.')])
  expect(await emailPreference(mailing, 'bob')).toContain('NONE')
  expect(await emailPreference(mailing, 'cyd')).not.toContain('NONE')
  await mailing.thread({}, mentioning(bob, cyd))
  expect(await mailing.sent()).toEqual(['bob@example.com', 'cyd@example.com', 'cyd@example.com'])
})

test('one click of a mail program unsubscribes, documents with preferences of their own included', async () => {
  const mailing = await startMailing()
  const own = { organizationId: ORGANIZATION, documentIds: [DOCUMENT], userIds: ['bob'], config: { email: 'ALL' } }
  await mailing.ws.ok('/v2/notifications/config/set', own)
  await mailing.thread({}, mentioning(bob))
  await mailing.sent()
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
  const answer = await fetch(linkFor(mailing, 'bob@example.com'), { method: 'POST', body })
  expect(answer.status).toBe(200)
  await mailing.thread({}, mentioning(bob))
  expect(await mailing.sent()).toEqual(['bob@example.com'])
})

test('a link that was changed, or holds no token, changes nothing', async () => {
  const mailing = await mentionedInMail()
  const link = linkFor(mailing, 'bob@example.com')
  const forged = link.slice(0, -2) + (link.endsWith('AA') ? 'BB' : 'AA')
  for (const each of [forged, link.replace(/\?.*/, ''), `${link}&token=x`]) {
    for (const method of ['GET', 'POST']) expect((await fetch(each, { method })).status).toBe(400)
  }
  expect(await emailPreference(mailing, 'bob')).not.toContain('NONE')
})

test('a link into an organization that is gone is answered and does nothing', async () => {
  const mailing = await mentionedInMail()
  const link = linkFor(mailing, 'bob@example.com')
  await mailing.ws.ok('/v2/organizations/delete', { organizationIds: [ORGANIZATION] })
  expect((await fetch(link, { method: 'POST' })).status).toBe(200)
})

test.each([
  ['', /PUBLIC_URL is not set: the unsubscribe links/],
  ['https://precedent.test', /^$/],
])('links to nowhere are warned of at the start: PUBLIC_URL=%s', async (publicUrl, warned) => {
  const { app, database: db } = await startService()
  const lines: string[] = []
  const log = createLog({ logLevel: 'warn' }, { write: (line) => lines.push(line) })
  const config = readConfig({ SMTP_URL: 'smtp://mail', MAIL_FROM: 'a@b.co', PUBLIC_URL: publicUrl })
  emailDeliveries({ reads: db, db, services: { ...app.services, config, log }, mailer: createMailer(config) })
  expect(lines.join()).toMatch(warned)
})
