import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBrowser } from './browser.ts'
import { expectSound, startDemoConsole } from './demo-console.ts'

const executable = findBrowser()
const PROVIDER_KEY = 'SG.key-of-the-provider'

describe.skipIf(!executable)('the page Email', { timeout: 60_000 }, () => {
  let demo: Awaited<ReturnType<typeof startDemoConsole>>
  beforeAll(async () => {
    demo = await startDemoConsole(executable ?? '')
    const { annotationId } = demo.review
    const { client } = demo
    await client.email.updateEmailConfig({
      useEmailService: true,
      emailServiceConfig: { type: 'default', apiKey: PROVIDER_KEY, fromEmail: 'review@northwind.example' },
    })
    await client.comments.addComments({
      organizationId: 'northwind',
      documentId: 'refund-policy',
      annotationId,
      commentData: [{ commentText: 'Does this still hold?', from: { userId: 'jonas' } }],
    })
  }, 120_000)
  afterAll(() => demo?.stop())

  test.each([360, 1280])('lists what became of each email, at %i px', async (width) => {
    const watched = await demo.signedIn('email', width)
    const rows = watched.page.getByRole('region', { name: 'Emails, the latest first' }).getByRole('row')
    await expect.poll(() => rows.count()).toBeGreaterThan(1)
    await expectSound(watched, 'email')
  })

  test('filters the log, and the filters stand in the address', async () => {
    const { page } = await demo.signedIn('email')
    await page.getByRole('combobox', { name: 'Person' }).fill('nobody')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByText('No email fits.').waitFor()
    expect(page.url()).toContain('userId=nobody')
  })

  test.each([360, 1280])('shows provider, sender and events on request, and never the key, at %i px', async (width) => {
    const watched = await demo.signedIn('email', width)
    const { page } = watched
    expect(await page.content()).not.toContain('review@northwind.example')
    await page.getByRole('button', { name: 'Show the settings' }).click()
    await page.getByText('review@northwind.example').waitFor()
    const assignment = page.getByRole('listitem').filter({ hasText: 'A thread is assigned comment_annotation.assign' })
    await assignment.getByText('on', { exact: true }).waitFor()
    expect(await page.content()).not.toContain(PROVIDER_KEY)
    await expectSound(watched, 'email-settings')
  })

  test('shows how an email looks, and sends a test whose outcome stands in the log', async () => {
    const watched = await demo.signedIn('email')
    const { page } = watched
    await page.getByText('Ada Lovelace mentioned you in A sample document').first().waitFor()
    await page.getByRole('tab', { name: 'Status' }).click()
    await page.getByText('Ada Lovelace changed the status to Resolved in A sample document').first().waitFor()
    expect(page.url()).toContain('kind=status')
    await page.getByRole('button', { name: 'Send a test email' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Organization').fill('northwind')
    await dialog.getByRole('combobox', { name: 'Person' }).click()
    const maya = dialog.getByRole('option', { name: /Maya Okafor/ })
    await maya.waitFor()
    // The dialog does not cut the list off.
    const box = await dialog.getByRole('listbox').boundingBox()
    const low = [(box?.x ?? 0) + 20, (box?.y ?? 0) + (box?.height ?? 0) - 4]
    expect(await page.evaluate(`document.elementFromPoint(${low}).closest('[role=listbox]') !== null`)).toBe(true)
    // Escape closes the list, and the dialog stays.
    await page.keyboard.press('Escape')
    await maya.waitFor({ state: 'detached' })
    await page.keyboard.press('ArrowDown')
    await maya.click()
    await dialog.getByRole('button', { name: 'Send a test email' }).click()
    await page.getByText('The test email is queued.').waitFor()
    // This installation has no mail server.
    const row = page.getByRole('row', { name: /a test/ })
    await row.getByText('SMTP_URL is not set').waitFor()
    await expectSound(watched, 'email-test')
  })

  test('a change of the settings is taken back', async () => {
    const { page } = await demo.signedIn('email')
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Show the settings' }).click()
    await page.getByRole('button', { name: 'Change provider and sender' }).click()
    await dialog.getByLabel('Sender', { exact: true }).fill('mistake@northwind.example')
    await dialog.getByRole('button', { name: 'Change provider and sender' }).click()
    await page.getByText('mistake@northwind.example').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('review@northwind.example').waitFor()
  })

  test('changes the sender and keeps the key, switches an event, and turns emails off and on', async () => {
    const { page } = await demo.signedIn('email')
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Show the settings' }).click()

    await page.getByRole('button', { name: 'Change provider and sender' }).click()
    await dialog.getByLabel('Sender', { exact: true }).fill('legal@northwind.example')
    await dialog.getByRole('button', { name: 'Change provider and sender' }).click()
    await page.getByText('legal@northwind.example').waitFor()

    await page.getByRole('button', { name: 'Change the events' }).click()
    await dialog.getByLabel('comment.add').uncheck()
    await dialog.getByRole('button', { name: 'Change the events' }).click()
    const comments = page.getByRole('listitem').filter({ hasText: 'A comment is added comment.add' })
    await comments.getByText('off', { exact: true }).waitFor()

    await page.getByRole('button', { name: 'Turn emails off' }).click()
    await dialog.getByRole('button', { name: 'Turn emails off' }).click()
    await page.getByRole('button', { name: 'Turn emails on' }).click()
    await page.getByRole('button', { name: 'Turn emails off' }).waitFor()

    const { client } = demo
    const { data } = await client.email.getEmailConfig({})
    expect(data.useEmailService).toBe(true)
    expect(data.emailServiceConfig).toMatchObject({
      apiKey: PROVIDER_KEY,
      fromEmail: 'legal@northwind.example',
      triggers: { 'comment.add': false, 'comment.update': true },
    })
  })
})
