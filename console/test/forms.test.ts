import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBrowser } from './browser.ts'
import { startDemoConsole } from './demo-console.ts'

const executable = findBrowser()

describe.skipIf(!executable)('the forms of the console', { timeout: 60_000 }, () => {
  let demo: Awaited<ReturnType<typeof startDemoConsole>>
  beforeAll(async () => {
    demo = await startDemoConsole(executable ?? '')
  }, 120_000)
  afterAll(() => demo?.stop())

  test('Clear empties what was typed and not submitted too', async () => {
    const { page } = await demo.signedIn('deliveries?status=failed')
    const [webhookId, organization] = [page.getByLabel('webhook-id'), page.getByLabel('Organization')]
    await webhookId.fill('msg_1')
    await organization.fill('nowhere')
    await page.getByLabel('Last answer').selectOption('5xx')
    await page.getByLabel('From').fill('2026-01-02T03:04')
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByRole('button', { name: 'Clear' }).waitFor({ state: 'detached' })
    for (const field of [webhookId, organization, page.getByLabel('Last answer'), page.getByLabel('From')]) {
      expect(await field.inputValue()).toBe('')
    }
    expect(page.url()).not.toContain('status=')
  })

  test('a year has four digits while it is typed, and one of more breaks nothing', async () => {
    const { page } = await demo.signedIn('deliveries')
    const from = page.getByLabel('From')
    await from.focus()
    // As a browser of the United States takes it: month, day, year, hour, minute.
    await page.keyboard.type('020320260405AM')
    expect(await from.inputValue()).toBe('2026-02-03T04:05')
    await from.fill('20261-02-03T04:05')
    await page.getByRole('heading', { name: 'Deliveries', exact: true }).waitFor()
  })
})
