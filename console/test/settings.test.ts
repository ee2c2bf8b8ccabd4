import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBrowser } from './browser.ts'
import { expectSound, startDemoConsole } from './demo-console.ts'

const executable = findBrowser()
const TOKEN = 'token-that-no-page-shows'

describe.skipIf(!executable)('settings in a browser', { timeout: 60_000 }, () => {
  let demo: Awaited<ReturnType<typeof startDemoConsole>>
  beforeAll(async () => {
    demo = await startDemoConsole(executable ?? '')
  }, 120_000)
  afterAll(() => demo?.stop())

  describe('of the basic webhook', () => {
    const config = async () => (await demo.client.webhooks.getWebhookConfig({})).data

    test.each([360, 1280])('are shown on request, without the token, at %i px', async (width) => {
      await demo.client.webhooks.updateWebhookConfig({
        webhookServiceConfig: { rawNotificationUrl: 'https://hooks.example/raw', authToken: TOKEN },
      })
      const watched = await demo.signedIn('endpoints', width)
      const { page } = watched
      expect(await page.content()).not.toContain('hooks.example/raw')
      await page.getByRole('button', { name: 'Show the settings' }).click()
      await page.getByText('https://hooks.example/raw').waitFor()
      expect(await page.content()).not.toContain(TOKEN)
      await expectSound(watched, 'basic-webhook')
    })

    test('are changed and taken back, and the token stays', async () => {
      const { page } = await demo.signedIn('endpoints')
      const dialog = page.getByRole('dialog')
      await page.getByRole('button', { name: 'Show the settings' }).click()
      await page.getByRole('button', { name: 'Turn the basic webhook on' }).click()
      await page.getByRole('button', { name: 'Turn the basic webhook off' }).waitFor()

      await page.getByRole('button', { name: 'Change the events' }).click()
      await dialog.getByLabel('comment.delete').uncheck()
      await dialog.getByRole('button', { name: 'Change the events' }).click()
      await dialog.waitFor({ state: 'detached' })

      await page.getByRole('button', { name: 'Change where and how it sends' }).click()
      await dialog.getByLabel('Address for events prepared for display').fill('https://hooks.example/shown')
      await dialog.getByLabel('Send payloads in base64').check()
      await dialog.getByRole('button', { name: 'Change where and how it sends' }).click()
      await page.getByText('https://hooks.example/shown').waitFor()
      const changed = await config()
      expect(changed).toMatchObject({
        useWebhookService: true,
        webhookServiceConfig: {
          rawNotificationUrl: 'https://hooks.example/raw',
          processedNotificationUrl: 'https://hooks.example/shown',
          encodeData: true,
          authToken: TOKEN,
          triggers: { 'comment.delete': false, 'comment.add': true },
        },
      })
      await page.getByRole('button', { name: 'Undo' }).last().click()
      await page.getByText('https://hooks.example/shown').waitFor({ state: 'detached' })
      const { webhookServiceConfig } = changed
      expect(await config()).toEqual({
        useWebhookService: true,
        webhookServiceConfig: { ...webhookServiceConfig, processedNotificationUrl: '', encodeData: false },
      })
    })

    test('an address that is refused is named in the dialog, and nothing changes', async () => {
      const before = await config()
      const { page } = await demo.signedIn('endpoints')
      const dialog = page.getByRole('dialog')
      await page.getByRole('button', { name: 'Show the settings' }).click()
      await page.getByRole('button', { name: 'Change where and how it sends' }).click()
      await dialog.getByLabel('Encrypt payloads with the public key').check()
      await dialog.getByLabel('Public key', { exact: true }).fill('no key')
      await dialog.getByRole('button', { name: 'Change where and how it sends' }).click()
      await dialog.getByRole('alert').getByText('“Public key”').first().waitFor()
      expect(await config()).toEqual(before)
    })
  })

  test.each([390, 1280])('the form of the events to endpoints is changed, with a way back, at %i px', async (width) => {
    const config = async () => (await demo.client.webhooks.getAdvancedWebhookConfig({})).data
    const before = await config()
    const watched = await demo.signedIn('endpoints', width)
    const { page } = watched
    const dialog = page.getByRole('dialog')
    const change = () => page.getByRole('button', { name: 'Change the form' }).last().click()
    await change()
    await dialog.getByLabel('Leave personal data out').check()
    await change()
    await page.getByText('The settings are changed.').waitFor()
    expect(await config()).toEqual({ ...before, enableDataProtection: true })
    await expectSound(watched, 'payload-form')
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await page.getByText('It is as before.').waitFor()
    expect(await config()).toEqual(before)
    await change()
    await dialog.getByLabel('Encrypt payloads with the public key').check()
    await change()
    await dialog.getByRole('alert').getByText('“Public key”').first().waitFor()
    expect(await config()).toEqual(before)
  })

  test('the permission provider is set up, switched on and off, and its token is never shown', async () => {
    const watched = await demo.signedIn('access')
    const { page } = watched
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Show the settings' }).click()
    await page.getByRole('button', { name: 'Change the provider' }).click()
    await dialog.getByLabel('Address of the provider').fill('https://app.example.com/permissions')
    await dialog.getByLabel('Token').fill(TOKEN)
    await dialog.getByRole('button', { name: 'Change the provider' }).click()
    await page.getByText('https://app.example.com/permissions').waitFor()
    await page.getByRole('button', { name: 'Turn the provider on' }).click()
    await dialog.getByRole('button', { name: 'Turn the provider on' }).click()
    await page.getByRole('button', { name: 'Turn the provider off' }).waitFor()
    expect(await page.content()).not.toContain(TOKEN)
    await expectSound(watched, 'permission-provider')
    expect((await demo.client.permissions.getPermissionProviderConfig({})).data).toEqual({
      usePermissionProvider: true,
      permissionProviderConfig: { permissionProviderUrl: 'https://app.example.com/permissions', authToken: TOKEN },
    })
    await page.getByRole('button', { name: 'Turn the provider off' }).click()
    await dialog.getByRole('button', { name: 'Turn the provider off' }).click()
    await page.getByRole('button', { name: 'Turn the provider on' }).waitFor()
  })

  test('domains are added and removed, and one that is none is refused', async () => {
    const domains = async () => (await demo.client.workspaces.getDomains({})).data.allowedDomains
    const watched = await demo.signedIn('keys')
    const { page } = watched
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Add domains' }).click()
    await dialog.getByLabel('Domains, one on a line').fill('app.example.com\n*.example.org')
    await dialog.getByRole('button', { name: 'Add domains' }).click()
    await page.getByText('*.example.org', { exact: true }).waitFor()
    expect(await domains()).toEqual(['*.example.org', 'app.example.com'])
    await page.getByRole('button', { name: 'Remove app.example.com' }).click()
    await page.getByText('app.example.com', { exact: true }).waitFor({ state: 'detached' })
    expect(await domains()).toEqual(['*.example.org'])
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await page.getByText('app.example.com', { exact: true }).waitFor()
    expect(await domains()).toEqual(['*.example.org', 'app.example.com'])
    await expectSound(watched, 'domains')
    await page.getByRole('button', { name: 'Add domains' }).click()
    await dialog.getByLabel('Domains, one on a line').fill('good.example\nnot a domain')
    await dialog.getByRole('button', { name: 'Add domains' }).click()
    await dialog.getByRole('alert').getByText('“Domains, one on a line” (number 2) must be a domain').first().waitFor()
    await dialog.locator('textarea[name=domains]:focus').waitFor()
    expect(await domains()).toEqual(['*.example.org', 'app.example.com'])
  })
})
