import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOperatorLink } from '../../server/src/areas/operators/access/link.ts'
import { sql } from '../../server/src/platform/db/db.ts'
import { startIssuer, type TestIssuer } from '../../server/test/issuer.ts'
import { freePort } from '../../server/test/ports/free-port.ts'
import { newWorkspace, type Service, startAlone } from '../../server/test/running-service.ts'
import { findBrowser, openBrowser, openPage } from './browser.ts'
import { expectSound } from './demo-console.ts'

const executable = findBrowser()
const TOKEN = 'the-token-of-the-operator-of-this-installation'
const OLD = 'an old password of some length'
const NEW = 'a new password of some length'

describe.skipIf(!executable)('signing in', { timeout: 60_000 }, () => {
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let issuer: TestIssuer
  let service: Service
  /** Another site than that of the issuer, as in earnest: the cookies of the console must survive the way back. */
  let origin: string
  beforeAll(async () => {
    const port = await freePort()
    origin = `http://localhost:${port}`
    issuer = await startIssuer()
    service = await startAlone({
      PORT: String(port),
      PUBLIC_URL: origin,
      OPERATOR_TOKEN: TOKEN,
      OIDC_ISSUER: issuer.url,
      OIDC_CLIENT_ID: issuer.client.id,
      OIDC_CLIENT_SECRET: issuer.client.secret,
      OIDC_NAME: 'the company',
    })
    await newWorkspace(service)
    browser = await openBrowser(executable ?? '')
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await service?.app.http.close()
    await issuer?.close()
  })

  async function open(hash = '', width = 1280) {
    await service.database.query(sql`delete from rate_limit where key like 'console%'`)
    const watched = await openPage(browser, { width, origin, expected: /40[13] \((Unauthorized|Forbidden)\)/ })
    await watched.page.goto(`${origin}/console/${hash}`)
    return watched
  }

  test.each([360, 1280])('by the button of the issuer, and back from it, at %i px', async (width) => {
    await createOperatorLink(service.database, 'ada@company.example')
    issuer.person = { email: 'ada@company.example', email_verified: true }
    const watched = await open('', width)
    const { page, faults } = watched
    await page.getByRole('button', { name: 'Sign in with the company' }).waitFor()
    await expectSound(watched, 'sign-in-issuer')
    await page.getByRole('button', { name: 'Sign in with the company' }).click()
    await page.getByRole('banner').waitFor()
    if (width < 768) await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByText('ada@company.example').waitFor()
    expect(issuer.asked).toContain('/authorize')
    // Nothing of the answer of the issuer stays in the address.
    expect(page.url()).not.toMatch(/code=|state=/)
    expect(await page.getByRole('button', { name: 'Change the password' }).count()).toBe(0)
    // The one way to elsewhere is the one to the issuer, and it was taken by the window itself.
    expect(faults.filter((fault) => !fault.startsWith(`asked ${issuer.url}/authorize`))).toEqual([])
  })

  test('by the issuer: whom nobody invited is told what to do, and is not let in', async () => {
    issuer.person = { email: 'stranger@company.example', email_verified: true }
    const { page } = await open()
    await page.getByRole('button', { name: 'Sign in with the company' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByRole('button', { name: 'Sign in with the company' }).waitFor()
    expect(await page.getByRole('navigation').count()).toBe(0)
    expect(page.url()).toBe(`${origin}/console/`)
  })

  test('by the token of the operator; a wrong one is refused', async () => {
    const watched = await open()
    const { page } = watched
    await page.getByRole('button', { name: 'With the token of the operator instead' }).click()
    const field = page.getByLabel('Token of the operator')
    await field.fill('wrong')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('navigation').count()).toBe(0)
    await expectSound(watched, 'sign-in-token')
    await field.fill(TOKEN)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('navigation').waitFor()
    await page.locator('.who').getByText('operator', { exact: true }).waitFor()
    const stored = await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie, location.href])')
    expect(stored).not.toContain(TOKEN)
    expect(await page.getByRole('button', { name: 'Change the password' }).count()).toBe(0)
  })

  test('another form has the keyboard, and says nothing of what the form before it was refused for', async () => {
    const { page } = await open()
    const focused = () => page.evaluate('document.activeElement.labels?.[0]?.textContent')
    await page.getByText('The first sign-in takes the token of the operator, or a link.').waitFor()
    await page.getByLabel('Email').fill('nobody@example.com')
    await page.getByLabel('Password').fill(OLD)
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    await page.getByRole('button', { name: 'With the token of a workspace instead' }).press('Enter')
    await page.getByLabel('Workspace id').waitFor()
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
    await expect.poll(focused).toContain('Workspace id')
    await page.getByRole('button', { name: 'With the token of the operator instead' }).press('Enter')
    await expect.poll(focused).toContain('Token of the operator')
  })

  async function enter(password: string) {
    const watched = await open()
    const { page } = watched
    // A password manager knows the form by these.
    expect(await page.getByLabel('Email').getAttribute('autocomplete')).toBe('username')
    expect(await page.getByLabel('Password').getAttribute('autocomplete')).toBe('current-password')
    await page.getByLabel('Email').fill('vera@example.com')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    return watched
  }

  test('by a link, which sets a password; the password is changed with the old one, and other sessions end', async () => {
    const token = await createOperatorLink(service.database, 'vera@example.com')
    const { page: first } = await open(`#token=${token}`)
    // The form of the sign-in, which is shown until the link is taken, has a password too.
    await first.getByRole('button', { name: 'Set the password' }).waitFor()
    await first.getByText('You sign in as vera@example.com with it. 12 to 200 characters.').waitFor()
    expect(await first.getByLabel('Password').getAttribute('autocomplete')).toBe('new-password')
    await first.getByLabel('Password').fill(OLD)
    await first.getByRole('button', { name: 'Set the password' }).click()
    await first.getByRole('navigation').waitFor()

    const watched = await enter(OLD)
    const { page } = watched
    await page.getByRole('button', { name: 'Change the password' }).click()
    const dialog = page.getByRole('dialog')
    const fill = async (old: string, next: string, again: string) => {
      await dialog.getByLabel('Old password').fill(old)
      await dialog.getByLabel('New password', { exact: true }).fill(next)
      await dialog.getByLabel('New password once more').fill(again)
      await dialog.getByRole('button', { name: 'Change the password' }).click()
    }
    await fill(OLD, NEW, `${NEW}.`)
    await dialog.getByText('The two new passwords differ.').waitFor()
    await fill('not the old password', NEW, NEW)
    await dialog.getByText('The old password is wrong.').waitFor()
    await dialog.getByText('Correct what is named, then try again.').waitFor()
    await expectSound(watched, 'change-password')
    await fill(OLD, NEW, NEW)
    await page.getByText('The password is changed. Your other sessions have ended.').waitFor()

    // This session goes on, the other one has ended, and only the new password opens one.
    await page.reload()
    await page.getByRole('navigation').waitFor()
    await first.reload()
    await first.getByRole('heading', { name: 'Sign in' }).waitFor()
    const { page: refused } = await enter(OLD)
    await refused.getByRole('alert').getByText('Check both, or ask an operator for a link.').waitFor()
    const { page: used } = await open(`#token=${token}`)
    await used.getByRole('alert').getByText('operator -- link').waitFor()
    const { page: again } = await enter(NEW)
    await again.getByRole('navigation').waitFor()
  })
})
