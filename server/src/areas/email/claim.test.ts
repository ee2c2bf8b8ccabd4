import { expect, test } from 'vitest'
import { newWorkspace, type Service, startAlone } from '../../../test/running-service.ts'
import { sql } from '../../platform/db/db.ts'
import { emailService } from '../workspaces/setting/email-service.ts'
import { readService } from '../workspaces/setting/service-config.ts'
import { settingContext } from '../workspaces/setting/setting.ts'
import { claimDue } from './claim.ts'
import { providerOf } from './provider.ts'

const all = { count: 10_000, perKey: 10_000, rooms: new Map() }

interface Emails {
  count?: number
  dueAt?: number
}

/** An API key with these updates of its email config, and due emails. */
async function withEmails(service: Service, updates: object[], { count = 1, dueAt = 0 }: Emails = {}): Promise<string> {
  const ws = await newWorkspace(service)
  await ws.ok('/v2/organizations/add', { organizations: [{ organizationId: 'acme' }] })
  for (const emailServiceConfig of updates) await ws.ok('/v2/workspace/emailconfig/update', { emailServiceConfig })
  await service.database.query(sql`
    insert into email (api_key, id, organization_key, user_key, person, activities, status, due_at)
    select ${ws.apiKey}, 'email-' || i, key, gen_random_uuid(), '{}', 1, 'waiting', ${dueAt}::bigint
    from organization
    cross join generate_series(1, ${count}::integer) as i
    where api_key = ${ws.apiKey}`)
  return ws.apiKey
}

/** Seals an empty key of the provider, as settings did before they left empty secrets out. */
async function withEmptySealed({ app, database }: Service, apiKey: string): Promise<void> {
  const context = settingContext(apiKey, emailService.name)
  await database.query(sql`
    update setting
    set sealed = ${app.services.secrets.seal(JSON.stringify({ apiKey: '' }), context)}
    where api_key = ${apiKey} and name = ${emailService.name}`)
}

test('a claim tells who sends an email, as the attempt finds it', async () => {
  const service = await startAlone({ SMTP_URL: 'smtp://mail', MAIL_FROM: 'a@b.co' })
  const { app, database } = service
  const mailer = { senderName: 'The mail server', send: async () => {} }
  await withEmails(service, [])
  await withEmails(service, [{ type: 'default', apiKey: 'SG.secret' }])
  await withEmails(service, [{ type: 'sendgrid' }])
  await withEmails(service, [{ type: 'custom' }])
  await withEmails(service, [{ type: 'custom', apiKey: 'S' }])
  await withEmails(service, [{ type: 'custom', apiKey: 'SG.secret' }, { apiKey: '' }])
  await withEmptySealed(service, await withEmails(service, [{ type: 'custom' }]))
  const claimed = await claimDue(database, { ...all, now: Date.now() })
  const told = claimed.map(async ({ apiKey, bySendgrid }) => {
    const { config } = await readService(database, { apiKey }, app.services.secrets, emailService)
    const provider = providerOf(config, app.services, mailer)
    return { bySendgrid, isFound: provider !== 'none' && provider.senderName !== mailer.senderName }
  })
  const found = await Promise.all(told)
  expect(found.map(({ bySendgrid }) => bySendgrid)).toEqual(found.map(({ isFound }) => isFound))
  expect(found.filter(({ bySendgrid }) => bySendgrid)).toHaveLength(2)
})

test('a claim of one provider passes over all emails of the other', async () => {
  const service = await startAlone()
  const { database } = service
  const now = Date.now()
  const first = await withEmails(service, [{ type: 'sendgrid' }], { dueAt: 1 })
  await withEmails(service, [{ type: 'default' }], { count: 1_200, dueAt: 2 })
  const last = await withEmails(service, [{ type: 'sendgrid' }], { dueAt: 3 })
  const others = await claimDue(database, { ...all, bySendgrid: false, now })
  expect(others.length).toBeGreaterThan(0)
  expect(others.filter(({ apiKey }) => apiKey === first || apiKey === last)).toEqual([])
  const own = await claimDue(database, { ...all, bySendgrid: true, now })
  expect(own.map(({ apiKey }) => apiKey).sort()).toEqual([first, last].sort())
})
