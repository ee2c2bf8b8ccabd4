import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { forgetAttempts } from '../../../../test/console.ts'
import { browser } from '../../../../test/console-browser.ts'
import { startIssuer, type TestIssuer } from '../../../../test/issuer.ts'
import { newWorkspace, type Service, startConfigured, startService } from '../../../../test/running-service.ts'
import { sql } from '../../../platform/db/db.ts'
import { createOperatorLink } from '../access/link.ts'

let shared: Service
let issuer: TestIssuer
/** With roles by a claim. */
let byClaim: Service

beforeAll(async () => {
  shared = await startService()
  issuer = await startIssuer()
  byClaim = await startConfigured({
    PUBLIC_URL: 'https://precedent.test',
    TRUST_PROXY: '127.0.0.1',
    OIDC_ISSUER: issuer.url,
    OIDC_CLIENT_ID: issuer.client.id,
    OIDC_CLIENT_SECRET: issuer.client.secret,
    OIDC_ROLE_CLAIM: 'realm.roles',
    OIDC_ROLES: 'staff=viewer,precedent-admins=admin,a=b=developer',
  })
})
afterAll(async () => {
  await byClaim.app.http.close()
  await issuer.close()
})
beforeEach(() => forgetAttempts(shared))

const verified = (email: string, more: object = {}) => ({ email, email_verified: true, ...more })

describe('roles by a claim', () => {
  const roleOf = async (person: object) => {
    issuer.person = person as Record<string, unknown>
    const { body } = await browser(byClaim).signIn()
    return (body.result?.data as { operator: { role: string } } | undefined)?.operator.role ?? body.error.status
  }

  test('a person who was not invited gets the most powerful role that the claim gives, at each sign-in', async () => {
    const claim = (...roles: string[]) => verified('claim@company.example', { realm: { roles } })
    expect(await roleOf(claim('staff', 'precedent-admins', 'cook'))).toBe('admin')
    expect(await roleOf(claim('staff'))).toBe('viewer')
    expect(await roleOf(claim('a=b'))).toBe('developer')
    expect(await roleOf(claim('cook'))).toBe('PERMISSION_DENIED')
    expect(await roleOf(verified('claim@company.example'))).toBe('PERMISSION_DENIED')
  })

  test('a role that the issuer gives stands in the audit record of the sign-in, with the one before', async () => {
    const email = 'audited@company.example'
    for (const role of ['staff', 'precedent-admins', 'precedent-admins']) {
      await roleOf(verified(email, { realm: { roles: [role] } }))
    }
    const records = await shared.database.query(sql`
      select before, after from audit_record where actor = ${email} order by seq`)
    expect(records).toEqual([
      { before: null, after: { email, name: email, role: 'viewer', workspaceId: null } },
      { before: { role: 'viewer' }, after: { role: 'admin' } },
      { before: {}, after: {} },
    ])
  })

  test('the last operator loses the role to no claim: the sign-in is refused until another has it', async () => {
    await shared.database.query(sql`delete from operator`)
    await createOperatorLink(shared.database, 'last@company.example')
    const last = () => roleOf(verified('last@company.example', { realm: { roles: ['staff'] } }))
    expect(await last()).toBe('FAILED_PRECONDITION')
    const kept = await shared.database.query(sql`select role from operator`)
    expect(kept).toEqual([{ role: 'operator' }])
    await createOperatorLink(shared.database, 'other@company.example')
    expect(await last()).toBe('viewer')
  })

  test('a claim with dots in its name counts, and one text counts as a list of one', async () => {
    expect(await roleOf(verified('dots@company.example', { 'realm.roles': 'staff' }))).toBe('viewer')
  })

  test('nobody is taken for somebody else because of a letter whose lower case is theirs', async () => {
    await createOperatorLink(shared.database, 'kim@company.example')
    const kelvin = verified('\u212aim@company.example', { realm: { roles: ['staff'] } })
    expect(await roleOf(kelvin)).toBe('PERMISSION_DENIED')
    const known = await shared.database.query(sql`select role from operator where email = 'kim@company.example'`)
    expect(known).toEqual([{ role: 'operator' }])
  })

  test('upper and lower case are one address, beyond English letters too', async () => {
    await createOperatorLink(shared.database, 'jörg@company.example', { role: 'reviewer' })
    expect(await roleOf(verified('JÖRG@Company.example', { realm: { roles: ['staff'] } }))).toBe('viewer')
    const known = await shared.database.query(sql`select role from operator where email like 'j%rg@company.example'`)
    expect(known).toEqual([{ role: 'viewer' }])
  })

  test('a person who is bound to one workspace stays so', async () => {
    const { id } = await newWorkspace(shared)
    await createOperatorLink(shared.database, 'bound@company.example', { role: 'reviewer', workspaceId: id })
    expect(await roleOf(verified('bound@company.example', { realm: { roles: ['precedent-admins'] } }))).toBe('reviewer')
  })
})
