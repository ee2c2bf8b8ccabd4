import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBrowser } from './browser.ts'
import { startDemoConsole } from './demo-console.ts'

const executable = findBrowser()

describe.skipIf(!executable)('the console in a browser that is offline', { timeout: 60_000 }, () => {
  let demo: Awaited<ReturnType<typeof startDemoConsole>>
  beforeAll(async () => {
    demo = await startDemoConsole(executable ?? '')
  }, 120_000)
  afterAll(() => demo?.stop())

  test('a change that cannot be sent says so, and is not sent later, once it was given up', async () => {
    const { page } = await demo.signedIn('browse')
    const dialog = page.getByRole('dialog')
    const add = async (name: string) => {
      await page.getByRole('button', { name: 'Add an organization' }).click()
      await dialog.getByLabel('Name').fill(name)
      await dialog.getByLabel('Organization id').fill(name)
      await dialog.getByRole('button', { name: 'Add an organization' }).click()
    }
    await page.getByRole('button', { name: 'Add an organization' }).waitFor()
    await page.context().setOffline(true)
    await add('given-up')
    await dialog.getByRole('alert').getByText('The server could not be reached.').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.context().setOffline(false)
    await add('sent')
    await page.getByText('sent is added.').waitFor()
    await page.goto(`${demo.web.url}browse`)
    await page.getByRole('button', { name: 'sent', exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'given-up' }).count()).toBe(0)
  })
})
