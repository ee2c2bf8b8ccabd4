import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBrowser } from './browser.ts'
import { expectSound, startDemoConsole } from './demo-console.ts'

const executable = findBrowser()
const AWAY = 'The server could not be reached.'

describe.skipIf(!executable)('the console while something fails, or nothing is there yet', { timeout: 60_000 }, () => {
  let demo: Awaited<ReturnType<typeof startDemoConsole>>
  beforeAll(async () => {
    demo = await startDemoConsole(executable ?? '')
  }, 120_000)
  afterAll(() => demo?.stop())

  test('a page that is opened while the server is away says so, and opens when it is back', async () => {
    const watched = await demo.signedIn('threads')
    const { page } = watched
    await page.getByRole('heading', { name: 'Threads' }).waitFor()
    await page.route('**/*', (route) => route.abort())
    await page.getByRole('link', { name: 'People' }).click()
    await page.getByRole('alert').getByText(AWAY).waitFor()
    await page.getByRole('navigation').waitFor()
    expect(await page.title()).toBe('This page cannot be shown – Precedent')
    // The browser itself reports each request that failed.
    watched.faults.length = 0
    await expectSound(watched, 'server-away')
    await page.unroute('**/*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'People' }).waitFor()
    expect(await page.title()).toBe('People – Precedent')
  })

  test('a page whose session has ended is named as the sign-in, not as the page before', async () => {
    const { page } = await demo.signedIn('people')
    await expect.poll(() => page.title()).toBe('People – Precedent')
    await page.route('**/session/get', (route) =>
      route.fulfill({ status: 401, json: { error: { status: 'UNAUTHENTICATED' } } }),
    )
    await page.clock.setFixedTime(Date.now() + 120_000)
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))")
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    expect(await page.title()).toBe('Precedent')
  })

  test('a page that is read after the session has ended asks to sign in, and is there afterwards', async () => {
    const { page } = await demo.signedIn('people')
    await page.waitForLoadState('networkidle')
    const cookies = await page.context().cookies()
    await page.context().clearCookies()
    await page.getByRole('link', { name: 'Threads' }).click()
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    expect(page.url()).toContain('/threads')
    await page.context().addCookies(cookies)
    await page.reload()
    await page.getByRole('heading', { name: 'Threads' }).waitFor()
  })

  const ofOrganization = ['threads', 'activity', 'notifications', 'people', 'access']
  test.each(ofOrganization)('the page %s of an organization that is gone says so, and offers others', async (name) => {
    const { page } = await demo.signedIn(`${name}?organizationId=gone&userId=maya`)
    await page.getByText('This API key has no organization gone.').waitFor()
    await page.waitForLoadState('networkidle')
    expect(await page.getByRole('alert').count()).toBe(0)
    await page.getByLabel('Organization').selectOption('northwind')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByText('no organization').waitFor({ state: 'detached' })
  })

  test('two clicks on a button write once, and what was typed outlives a failure', async () => {
    const { page } = await demo.signedIn('threads?status=all')
    await page.getByRole('button', { name: /Section 4 promises/ }).click()
    const reply = page.getByRole('dialog', { name: 'Reply' })
    await page.getByRole('button', { name: 'Reply' }).click()
    const text = reply.getByLabel('Text')
    // Whoever opens a dialog can type at once.
    await reply.locator('textarea:focus').waitFor()
    await page.keyboard.type('Once is enough.')
    await page.route('**/api/**', (route) => route.abort())
    await reply.getByRole('button', { name: 'Reply' }).click()
    await reply.getByRole('alert').getByText(AWAY).waitFor()
    expect(await text.inputValue()).toBe('Once is enough.')
    await page.unroute('**/api/**')
    let writes = 0
    await page.route('**/api/call', async (route) => {
      if (route.request().postData()?.includes('comments/add')) writes += 1
      await route.continue()
    })
    await reply.getByRole('button', { name: 'Reply' }).dblclick()
    await reply.waitFor({ state: 'detached' })
    await page.getByText('Once is enough.').waitFor()
    expect(writes).toBe(1)
  })

  test('what fails after its dialog was closed is told', async () => {
    const { page } = await demo.signedIn('threads?status=all')
    await page.getByRole('button', { name: /Section 4 promises/ }).click()
    await page.getByRole('button', { name: 'Reply' }).click()
    const reply = page.getByRole('dialog', { name: 'Reply' })
    let fail = () => {}
    const held = new Promise<void>((resolve) => {
      fail = resolve
    })
    await page.route('**/api/call', async (route) => {
      if (!route.request().postData()?.includes('comments/add')) return route.continue()
      await held
      return route.abort()
    })
    await reply.getByLabel('Text').fill('Too late.')
    await reply.getByRole('button', { name: 'Reply' }).click()
    await page.keyboard.press('Escape')
    await reply.waitFor({ state: 'detached' })
    fail()
    await page.getByRole('status').getByText(AWAY).waitFor()
  })

  test('what was typed outlives a page that cannot be read again for a time', async () => {
    const { page } = await demo.signedIn('people')
    await page.getByRole('button', { name: 'Maya Okafor' }).click()
    await page.getByRole('button', { name: 'Erase this person' }).waitFor()
    const readAgain = async () => {
      await page.clock.setFixedTime(Date.now() + 120_000)
      await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))")
    }
    await page.route('**/api/**', (route) =>
      route.fulfill({ status: 429, json: { error: { status: 'RESOURCE_EXHAUSTED', message: 'Too many calls.' } } }),
    )
    await readAgain()
    await page.getByText('Too many calls.').first().waitFor()
    expect(await page.getByRole('dialog', { name: 'Maya Okafor' }).count()).toBe(1)
    await page.unroute('**/api/**')
    await readAgain()
    await page.getByText('Too many calls.').first().waitFor({ state: 'detached' })
  })

  test('a selection that ends beside a dialog leaves it open, and a click beside it closes it', async () => {
    const { page } = await demo.signedIn('threads?status=all')
    await page.getByRole('button', { name: /Section 4 promises/ }).click()
    await page.getByRole('button', { name: 'Reply' }).click()
    const text = page.getByRole('dialog', { name: 'Reply' }).getByLabel('Text')
    await text.fill('A long text.')
    const { x = 0, y = 0 } = (await text.boundingBox()) ?? {}
    await page.mouse.move(x + 60, y + 15)
    await page.mouse.down()
    await page.mouse.move(10, y + 15)
    await page.mouse.up()
    expect(await text.inputValue()).toBe('A long text.')
    await page.mouse.click(10, y + 15)
    await text.waitFor({ state: 'detached' })
  })

  test('what is refused leads to its field', async () => {
    const watched = await demo.signedIn('endpoints', 390)
    const { page } = watched
    await page.getByRole('button', { name: 'Create an endpoint' }).click()
    const dialog = page.getByRole('dialog')
    const url = dialog.getByLabel('URL')
    await url.fill('ftp://receiver.example')
    await dialog.getByRole('button', { name: 'Create an endpoint' }).click()
    await dialog.getByRole('alert').getByText('“URL” must be a valid http(s) URL').waitFor()
    await dialog.locator('input[name=url]:focus').waitFor()
    expect(await url.getAttribute('aria-invalid')).toBe('true')
    const reason = await url.getAttribute('aria-describedby')
    expect(reason).toBe(await dialog.getByRole('alert').getAttribute('id'))
    expect(reason).toBeTruthy()
    // The browser itself reports that the request was refused.
    watched.faults.length = 0
    await expectSound(watched, 'refused-field')
    await page.keyboard.type('s')
    expect(await url.getAttribute('aria-invalid')).toBe(null)
    expect(await url.getAttribute('aria-describedby')).toBe(null)
  })

  test('a slow answer is waited for, and what is shown meanwhile is said to be old', async () => {
    const { page } = await demo.signedIn('people')
    await page.getByRole('cell', { name: 'priya', exact: true }).waitFor()
    await page.waitForLoadState('networkidle')
    let answer = () => {}
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/api/call', async (route) => {
      await held
      await route.continue()
    })
    await page.getByLabel('Part of name or email').fill('maya')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByText('Loading…').waitFor()
    expect(await page.getByRole('cell', { name: 'priya', exact: true }).count()).toBe(1)
    answer()
    await page.getByText('Loading…').waitFor({ state: 'detached' })
    expect(await page.getByRole('cell', { name: 'priya', exact: true }).count()).toBe(0)
  })

  test('a list that is read while the server is away says so once, with what to check', async () => {
    const { page } = await demo.signedIn('people')
    await page.getByRole('heading', { name: 'People' }).waitFor()
    await page.route('**/api/**', (route) => route.abort())
    await page.getByLabel('Part of name or email').fill('maya')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    const alert = page.getByRole('alert')
    await alert.getByText('Check that it runs and that this machine can reach it. Then try again.').waitFor()
    expect(await alert.getByText('could not be reached').count()).toBe(1)
    await page.unroute('**/api/**')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('cell', { name: 'maya', exact: true }).waitFor()
  })

  test('a console that is opened while the server fails says so, and goes on when it is back', async () => {
    const watched = await demo.signedIn('people')
    const { page } = watched
    await page.route('**/api/**', (route) => route.abort())
    await page.reload()
    await page.getByRole('alert').getByText(AWAY).waitFor()
    watched.faults.length = 0
    await expectSound(watched, 'server-away-at-first')
    await page.unroute('**/api/**')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'People' }).waitFor()
  })

  /** An API key under which nothing is stored. */
  async function newKey(apiKeyName: string): Promise<string> {
    const headers = {
      'content-type': 'application/json',
      'x-service-workspace-id': demo.review.workspaceId,
      'x-service-workspace-auth-token': demo.review.workspaceAuthToken,
    }
    const data = { ownerEmail: 'new@northwind.example', type: 'testing', apiKeyName }
    const { result } = (await demo.service.call('/v2/workspace/apikey/create', data, headers)).body as {
      result: { data: { apiKey: string } }
    }
    return result.data.apiKey
  }

  test.each(['threads', 'activity', 'browse', 'access', 'people'])(
    'without an organization %s says where to add one',
    async (path) => {
      const key = await newKey(path)
      const watched = await demo.signedIn(`${path}?key=${key}`, 390)
      const { page } = watched
      await page.getByText('This API key has no organization.').waitFor()
      await expectSound(watched, `${path}-empty`)
      await page.getByRole('link', { name: 'Add one with a request to paste.' }).click()
      await page.getByRole('heading', { name: 'Start', exact: true }).waitFor()
      expect(page.url()).toContain(key)
    },
  )

  test('without an endpoint Deliveries leads to where one is made, and offers to send nothing', async () => {
    const key = await newKey('deliveries')
    const watched = await demo.signedIn(`deliveries?key=${key}`, 390)
    const { page } = watched
    await page.getByText('There is no endpoint that events are sent to.').waitFor()
    expect(await page.getByRole('button', { name: 'Send a test event' }).count()).toBe(0)
    await expectSound(watched, 'deliveries-empty')
    await page.getByRole('link', { name: 'Create one on the page Endpoints.' }).click()
    await page.getByRole('button', { name: 'Turn webhooks on' }).waitFor()
    expect(page.url()).toContain(key)
  })

  test('an address of no page says so', async () => {
    const watched = await demo.signedIn('no-such-page')
    await watched.page.getByRole('heading', { name: 'There is no such page.' }).waitFor()
    await expectSound(watched, 'no-page')
  })

  test('an address with a key that is gone says so, and leads on', async () => {
    const { page } = await demo.signedIn('people')
    await page.goto(`${demo.web.url}people?key=gone`)
    await page.getByText('There is no API key of this id').waitFor()
    await page.getByRole('link', { name: 'Open the console without it.' }).click()
    await page.getByRole('heading', { name: 'Start', exact: true }).waitFor()
  })

  test.each([360, 1280])('without a workspace an operator gets the request that makes one, at %i px', async (width) => {
    const watched = await demo.signedIn('', width)
    const { page } = watched
    await page.route('**/api/workspaces/list', (route) => route.fulfill({ json: { result: { data: [] } } }))
    await page.reload()
    const request = page.getByRole('region', { name: 'A new workspace' })
    await request.getByText(`curl -s ${demo.service.url}/v2/workspace/create`).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
    await expectSound(watched, 'no-workspace')
  })
})
