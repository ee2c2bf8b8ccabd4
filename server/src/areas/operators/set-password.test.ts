import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { askConsole, cookieOf, forgetAttempts } from '../../../test/console.ts'
import { newWorkspace, type Service, startConfigured, startService } from '../../../test/running-service.ts'
import { untilWaiting } from '../../../test/until-waiting.ts'
import { sql } from '../../platform/db/db.ts'
import { createOperatorLink, useLink } from './access/link.ts'
import { openSession } from './access/session.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
beforeEach(() => forgetAttempts(service))

const [OLD, NEW] = ['the old password', 'the new password']

const signIn = (data: unknown) => askConsole(service, 'session/sign-in', data)
const setPassword = (cookie: string, data: object) => askConsole(service, 'session/set-password', data, { cookie })

async function byLink(email: string): Promise<string> {
  await forgetAttempts(service)
  return cookieOf(await signIn({ token: await createOperatorLink(service.database, email) }))
}

/** An operator with the password OLD who has signed in with it. */
async function byPassword(email: string): Promise<string> {
  expect((await setPassword(await byLink(email), { password: OLD })).status).toBe(200)
  return cookieOf(await signIn({ email, password: OLD }))
}

test('right after a link, no old password is needed', async () => {
  const email = 'by-link@example.com'
  await byPassword(email)
  expect((await setPassword(await byLink(email), { password: NEW })).status).toBe(200)
  expect((await signIn({ email, password: NEW })).status).toBe(200)
  expect((await signIn({ email, password: OLD })).status).toBe(401)
})

test('half an hour after the link, the old password is needed', async () => {
  const cookie = await byLink('stale-link@example.com')
  await service.database.query(sql`update operator_session set created_at = now_ms() - 1800001`)
  const refused = await setPassword(cookie, { password: NEW })
  expect(refused.body.error).toMatchObject({
    status: 'PERMISSION_DENIED',
    message: expect.stringContaining('ask for a new link'),
  })
})

test('a stolen session cannot set a password without the old one', async () => {
  const email = 'stolen@example.com'
  const stolen = await byPassword(email)
  for (const data of [{ password: NEW }, { password: NEW, oldPassword: 'a guess' }]) {
    expect((await setPassword(stolen, data)).status).toBe(403)
  }
  expect((await signIn({ email, password: OLD })).status).toBe(200)
})

test('guesses of the old password are limited like sign-ins', async () => {
  const session = await byPassword('guessed-old@example.com')
  await forgetAttempts(service)
  // A process of its own, because it remembers whom it refuses.
  const other = await startConfigured({})
  const cookie = session.replace(/_\d+=/, `_${new URL(other.url).port}=`)
  const statuses: number[] = []
  for (let i = 0; i < 11; i++) {
    const guess = { password: NEW, oldPassword: `guess ${i}` }
    statuses.push((await askConsole(other, 'session/set-password', guess, { cookie })).status)
  }
  expect(statuses).toEqual([...Array(10).fill(403), 429])
  await other.app.http.close()
}, 120_000)

test('with the old one it is set; all other sessions and every link of the operator end', async () => {
  const email = 'changing@example.com'
  const other = await byPassword(email)
  const own = cookieOf(await signIn({ email, password: OLD }))
  const token = await createOperatorLink(service.database, email)
  expect((await setPassword(own, { password: NEW, oldPassword: OLD })).status).toBe(200)
  const get = async (cookie: string) => (await askConsole(service, 'session/get', {}, { cookie })).status
  expect([await get(own), await get(other)]).toEqual([200, 401])
  expect((await signIn({ token })).status).toBe(401)
  expect((await signIn({ email, password: NEW })).status).toBe(200)
})

// The embedded database runs one transaction after the other.
test.runIf(process.env.TEST_DATABASE === 'postgres').each(['link', 'oidc'] as const)(
  'a session that is being opened by a sign-in of the door %s ends too',
  async (door) => {
    const email = `at-once-${door}@example.com`
    const own = await byPassword(email)
    const token = await createOperatorLink(service.database, email)
    const { opened, changed } = await service.database.transaction(async (db) => {
      const [operator] = await db.query<{ id: string }>(sql`select id from operator where email = ${email}`)
      const operatorId = door === 'link' ? await useLink(db, token) : operator?.id
      const opened = await openSession(db, { operatorId: operatorId ?? '', door })
      const changed = setPassword(own, { password: NEW, oldPassword: OLD })
      // A password takes long to compare and to hash.
      await vi.waitFor(() => untilWaiting(service.database, 1), 20_000)
      return { opened, changed }
    })
    expect((await changed).status).toBe(200)
    const get = async (cookie: string) => (await askConsole(service, 'session/get', {}, { cookie })).status
    expect([await get(own), await get(own.replace(/=.*/, `=${opened}`))]).toEqual([200, 401])
  },
  30_000,
)

test('an address and a name may be set with it, but not the address of another operator', async () => {
  await byLink('owner@example.com')
  const cookie = await byLink('taker@example.com')
  const taken = await setPassword(cookie, { password: NEW, email: 'OWNER@example.com' })
  expect(taken.body.error.status).toBe('ALREADY_EXISTS')
  expect((await setPassword(cookie, { password: NEW, email: 'taken@example.com', name: 'Tess' })).status).toBe(200)
  const answer = await signIn({ email: 'taken@example.com', password: NEW })
  expect(answer.body.result.data).toMatchObject({ operator: { name: 'Tess', email: 'taken@example.com' } })
})

test('a name of blanks is refused', async () => {
  const cookie = await byLink('blank@example.com')
  const { status, body } = await setPassword(cookie, { password: NEW, name: '  ' })
  expect([status, body.error.message]).toEqual([400, expect.stringMatching(/^name /)])
})

test('whoever signed in with the token of a workspace has none', async () => {
  await forgetAttempts(service)
  const { id: workspaceId, authToken } = await newWorkspace(service)
  const cookie = cookieOf(await signIn({ workspaceId, authToken }))
  expect((await setPassword(cookie, { password: NEW })).body.error.status).toBe('FAILED_PRECONDITION')
})
