import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBrowser } from './browser.ts'
import { startDemoConsole } from './demo-console.ts'

const executable = findBrowser()

describe.skipIf(!executable)('the console by the keyboard alone', { timeout: 60_000 }, () => {
  let demo: Awaited<ReturnType<typeof startDemoConsole>>
  beforeAll(async () => {
    demo = await startDemoConsole(executable ?? '')
  }, 120_000)
  afterAll(() => demo?.stop())

  const hasFocus = (element: Locator) => element.evaluate((each) => each === each.ownerDocument.activeElement)
  const focused = (page: Page) => page.locator(':focus')

  test('a button keeps the focus while its request is under way and afterwards, and is pressed once', async () => {
    const { page } = await demo.signedIn('keys')
    let answer = () => {}
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    let writes = 0
    await page.route('**/api/call', async (route) => {
      if (!route.request().postData()?.includes('apikey/update')) return route.continue()
      writes += 1
      await held
      return route.continue()
    })
    const off = page.getByRole('button', { name: 'Disable', exact: true }).first()
    await off.press('Enter')
    await expect.poll(() => off.getAttribute('aria-disabled')).toBe('true')
    await off.press('Enter')
    expect(await hasFocus(off)).toBe(true)
    answer()
    const on = page.getByRole('button', { name: 'Enable', exact: true }).first()
    await on.waitFor()
    expect(await hasFocus(on)).toBe(true)
    expect(writes).toBe(1)
    await page.keyboard.press('Enter')
    await off.waitFor()
    expect(await hasFocus(off)).toBe(true)
  })

  test('the button of a dialog that is done has the focus again', async () => {
    const { page } = await demo.signedIn('keys')
    const rename = page.getByRole('button', { name: 'Rename' }).first()
    await rename.press('Enter')
    await page.getByRole('dialog').getByLabel('Name').fill('Renamed by the keyboard')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Renamed by the keyboard', exact: true }).waitFor()
    expect(await hasFocus(rename)).toBe(true)
  })

  test('a secret is shown and hidden by one button, which keeps the focus', async () => {
    const { page } = await demo.signedIn('keys')
    await page.getByRole('button', { name: 'Show the token' }).first().press('Enter')
    await page.getByRole('button', { name: 'Hide' }).waitFor()
    expect(await focused(page).textContent()).toBe('Hide')
    await page.keyboard.press('Enter')
    expect(await focused(page).textContent()).toBe('Show the token')
  })

  test('where a notice goes away, the focus moves back to where it was', async () => {
    const { page } = await demo.signedIn('keys')
    const button = (name: string) => page.getByRole('button', { name, exact: true }).first()
    await button('Disable').press('Enter')
    await button('Enable').waitFor()
    await button('Undo').press('Enter')
    await page.getByText('It is as before.').waitFor()
    await button('Disable').waitFor()
    expect(await hasFocus(button('Disable'))).toBe(true)
    await page.getByRole('status').getByRole('button', { name: 'Close' }).press('Enter')
    await page.getByText('It is as before.').waitFor({ state: 'detached' })
    expect(await hasFocus(button('Disable'))).toBe(true)
  })

  test('where a button goes away, the focus moves to what is above it', async () => {
    const { page } = await demo.signedIn('email')
    await page.getByRole('button', { name: 'Show the settings' }).press('Enter')
    await page.getByText('Sent by', { exact: true }).waitFor()
    expect(await focused(page).textContent()).toBe('Settings')
    await page.goto(`${demo.web.url}people?search=maya`)
    await page.getByRole('button', { name: 'Clear' }).press('Enter')
    await page.getByRole('button', { name: 'Priya Raman' }).waitFor()
    expect(await focused(page).evaluate(({ tagName }) => tagName)).toMatch(/^H/)
  })
})
