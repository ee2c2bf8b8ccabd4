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

  test('a filter by an endpoint is shown when the page is loaded, and kept', async () => {
    const { data } = await demo.client.webhooks.getEndpoints({})
    const [endpoint] = data.endpoints
    const { page } = await demo.signedIn(`deliveries?endpointId=${endpoint?.id}`)
    const field = page.getByLabel('Endpoint', { exact: true })
    await field
      .getByRole('option', { name: endpoint?.description || endpoint?.url || '' })
      .waitFor({ state: 'attached' })
    expect(await field.inputValue()).toBe(endpoint?.id)
    await page.getByLabel('Status').selectOption('failed')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.waitForURL(/status=failed/)
    expect(page.url()).toContain(`endpointId=${endpoint?.id}`)
  })

  test('an endpoint is named by the beginning of its description', async () => {
    const description = 'Tells the archive which reviews are over. '.repeat(20)
    const { data } = await demo.client.webhooks.createEndpoint({ url: 'https://archive.example/hooks', description })
    const { page } = await demo.signedIn('deliveries')
    const option = page.getByLabel('Endpoint', { exact: true }).locator(`option[value=${data.id}]`)
    await option.waitFor({ state: 'attached' })
    expect(await option.textContent()).toMatch(/^Tells the archive .{1,65}…$/)
  })

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

  test('an endpoint keeps the places that it is limited to when something else of it is changed', async () => {
    const channels = ['North, wind', 'South wind']
    const { data: endpoint } = await demo.client.webhooks.createEndpoint({ url: 'https://example.com/hook', channels })
    const { page } = await demo.signedIn('endpoints')
    const panel = page.locator('section.panel', { hasText: endpoint.id })
    await panel.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByRole('dialog').getByLabel('Description').fill('Hook of the winds')
    await page.getByRole('dialog').getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('heading', { name: 'Hook of the winds' }).waitFor()
    const { data } = await demo.client.webhooks.getEndpoints({})
    expect(data.endpoints.find(({ id }) => id === endpoint.id)?.channels).toEqual(channels)
  })

  test('an endpoint is created with the places and the rate that it is limited to', async () => {
    const { page } = await demo.signedIn('endpoints')
    await page.getByRole('button', { name: 'Create an endpoint' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('URL').fill('https://example.com/limited')
    await dialog.getByLabel('Deliveries per second at most').fill('7')
    await dialog.getByLabel('Only from these organizations and documents').fill('north, wind\nrefund-policy')
    await dialog.getByRole('button', { name: 'Create an endpoint' }).click()
    await page.getByText('7 a second').waitFor()
    const { data } = await demo.client.webhooks.getEndpoints({})
    const created = data.endpoints.find(({ url }) => url === 'https://example.com/limited')
    expect(created).toMatchObject({ rateLimit: 7, channels: ['north, wind', 'refund-policy'], filterTypes: [] })
  })

  test('a required text of blanks is not sent, and asked for as an empty one is', async () => {
    const { page } = await demo.signedIn('threads?status=all')
    await page.getByRole('button', { name: /Section 4 promises/ }).click()
    await page.getByRole('button', { name: 'Reply' }).click()
    const reply = page.getByRole('dialog', { name: 'Reply' })
    await reply.getByLabel('Text').fill(' \n ')
    const sent: (string | null)[] = []
    page.on('request', (request) => sent.push(request.postData()))
    await reply.getByRole('button', { name: 'Reply' }).click()
    await reply.locator('textarea:focus:invalid').waitFor()
    await reply.getByLabel('Text').fill('Not blank.')
    await reply.getByRole('button', { name: 'Reply' }).click()
    await reply.waitFor({ state: 'detached' })
    expect(sent.filter((data) => data?.includes('comments/add'))).toHaveLength(1)
  })

  test('Enter in the palette asks several words of the decision memory', async () => {
    const { page } = await demo.signedIn('start')
    await page.getByRole('heading', { name: 'Start', exact: true }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByLabel('A page, an id or a question').fill('refunds within 30 days')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Decision memory' }).waitFor()
    expect(await page.getByLabel('What is to be decided').inputValue()).toBe('refunds within 30 days')
  })
})
