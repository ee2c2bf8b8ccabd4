import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBrowser } from './browser.ts'
import { expectSound, startDemoConsole } from './demo-console.ts'

const executable = findBrowser()
if (!executable) {
  console.error('\nNOT RUN: the tests of the console. There is no browser: apt-get install chromium-headless-shell\n')
}

describe.skipIf(!executable)('the console in a browser', { timeout: 60_000 }, () => {
  let demo: Awaited<ReturnType<typeof startDemoConsole>>
  beforeAll(async () => {
    demo = await startDemoConsole(executable ?? '')
  }, 120_000)
  afterAll(() => demo?.stop())

  test('a wrong token is refused with what to do, and nothing of the workspace is shown', async () => {
    const watched = await demo.open('')
    const { page } = watched
    await page.getByRole('button', { name: 'With the token of a workspace instead' }).click()
    await page.getByLabel('Workspace id').fill(demo.review.workspaceId)
    await page.getByLabel('Auth token of the workspace').fill('wrong')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('navigation').count()).toBe(0)
    await expectSound(watched, 'sign-in')
  })

  test('signing out ends the session: the page asks to sign in again', async () => {
    const { page } = await demo.signIn('')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  test('no secret of the API is stored in the browser', async () => {
    const { page } = await demo.signedIn('')
    const stored = await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie, location.href])')
    expect(stored).not.toContain(demo.review.workspaceAuthToken)
    expect(stored).not.toContain(demo.review.authToken)
  })

  test('Ctrl-K goes to a page by a part of its name', async () => {
    const { page } = await demo.signedIn('')
    await page.keyboard.press('Control+k')
    await page.getByLabel('A page, an id or a question').fill('deliv')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Deliveries', exact: true }).waitFor()
  })

  test('a page that is opened names the window and gets the focus, from where Tab goes on', async () => {
    const { page } = await demo.signedIn('threads')
    await page.getByRole('heading', { name: 'Threads' }).waitFor()
    await page.getByRole('link', { name: 'People' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'People' }).waitFor()
    await expect.poll(() => page.title()).toBe('People – Precedent')
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('page')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(`document.activeElement.closest('main') !== null`)).toBe(true)
  })

  test('the arrow keys go from one part of a page to the next, and around', async () => {
    const { page } = await demo.signedIn('memory')
    const chosen = page.getByRole('tab', { selected: true })
    await chosen.focus()
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => chosen.textContent()).toBe('Question')
    await page.keyboard.press('End')
    await expect.poll(() => chosen.textContent()).toBe('Judgments')
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => chosen.textContent()).toBe('Suggestion')
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => chosen.textContent()).toBe('Judgments')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Judgments')
  })

  describe('Deliveries', () => {
    test.each([360, 1280])('are listed with their outcome, at %i px', async (width) => {
      const watched = await demo.signedIn('deliveries', width)
      const rows = watched.page.getByRole('region', { name: 'Deliveries, newest first' }).getByRole('row')
      await expect.poll(() => rows.count()).toBeGreaterThan(demo.review.events.length)
      await watched.page.getByText('Success over time').waitFor()
      // The demo has sent all within seconds, as on a first start.
      await watched.page.getByRole('img', { name: 'Deliveries that succeeded and failed, over time' }).waitFor()
      await expectSound(watched, 'deliveries')
    })

    test('the filters stand in the address, and an address opens the list as it was', async () => {
      const { page } = await demo.signedIn('deliveries')
      await page.getByLabel('Status').selectOption('failed')
      await page.getByRole('button', { name: 'Show', exact: true }).click()
      await page.getByText('No delivery fits.').waitFor()
      expect(page.url()).toContain('status=failed')
      await page.reload()
      await page.getByText('No delivery fits.').waitFor()
    })

    test('are found by their answer, event and document', async () => {
      const { page } = await demo.signedIn('deliveries')
      const rows = page.getByRole('region', { name: 'Deliveries, newest first' }).getByRole('row')
      await page.getByLabel('Last answer').selectOption('2xx')
      const picked = async (name: string, text: string, choice: string) => {
        await page.getByRole('combobox', { name, exact: true }).fill(text)
        await page.getByRole('option', { name: choice }).click()
      }
      await picked('Organization', 'traders', 'Northwind Traders')
      await picked('Document', 'draft', 'Refund policy, draft 3')
      await page.getByRole('button', { name: 'Show', exact: true }).click()
      await expect.poll(() => page.url()).toContain('httpStatus=2xx')
      expect(page.url()).toContain('organizationId=northwind&documentId=refund-policy')
      await rows.nth(1).waitFor()
      await page.getByLabel('webhook-id').fill(demo.review.events[0]?.id ?? '')
      await page.getByRole('button', { name: 'Show', exact: true }).click()
      await expect.poll(() => rows.count()).toBe(2)
      await page.getByLabel('Last answer').selectOption('5xx')
      await page.getByRole('button', { name: 'Show', exact: true }).click()
      await page.getByText('No delivery fits.').waitFor()
      await page.getByRole('button', { name: 'Clear' }).click()
      await expect.poll(() => rows.count()).toBeGreaterThan(2)
    })

    test('a delivery shows its attempts, its request and its response, and is sent again', async () => {
      const watched = await demo.signedIn('deliveries')
      const { page } = watched
      await page.getByRole('table').getByRole('button').first().click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('1. ').first().waitFor()
      await dialog.getByRole('region', { name: 'Request body' }).getByText('"event"').waitFor()
      await expectSound(watched, 'delivery')
      await dialog.getByRole('button', { name: 'Resend' }).click()
      await dialog.getByText('2. ').first().waitFor()
    })

    test('of many attempts the latest come first, and the others when asked', async () => {
      const { page } = await demo.signedIn('deliveries')
      await page.getByRole('table').getByRole('button').last().click()
      const dialog = page.getByRole('dialog')
      const attempts = dialog.getByRole('listitem').getByText(/^\d+\. /)
      for (let number = 2; number <= 7; number += 1) {
        await dialog.getByRole('button', { name: 'Resend' }).click()
        await expect.poll(() => attempts.first().textContent()).toMatch(new RegExp(`^${number}[.]`))
      }
      expect(await attempts.count()).toBe(5)
      await dialog.getByRole('button', { name: 'Show the latest 7' }).click()
      expect(await attempts.last().textContent()).toMatch(/^1[.]/)
      expect(await attempts.count()).toBe(7)
    })

    test('a range is replayed with its progress', async () => {
      const { page } = await demo.signedIn('deliveries')
      await page.getByRole('button', { name: 'Replay a range' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('From').fill('2020-01-01T00:00')
      await dialog.getByRole('button', { name: 'Replay a range' }).click()
      await page.getByText(/(\d+) of \1 replayed/).waitFor()
    })

    test('a replay begins with what the filters show', async () => {
      const url = 'https://later.example/hook'
      const { id } = (await demo.client.webhooks.createEndpoint({ url, description: 'Later' })).data
      const shown = new URLSearchParams({ endpointId: id, status: 'failed', start: '2026-01-31T12:30:00.000Z' })
      const { page } = await demo.signedIn(`deliveries?${shown}`)
      await page.getByRole('button', { name: 'Replay a range' }).click()
      await page.getByRole('dialog').waitFor()
      const given = await page.evaluate(`[...document.querySelectorAll('dialog [name]')].map(({ value }) => value)`)
      expect(given).toEqual([id, '2026-01-31T12:30:00.000Z', '', 'failed'])
      await demo.client.webhooks.deleteEndpoint({ endpointId: id })
    })

    test('the progress of a replay tells nothing that is not known', async () => {
      const { page } = await demo.signedIn('start')
      await page.route('**/api/call', (route) => {
        if (!route.request().postData()?.includes('"status":"pending"')) return route.continue()
        return route.fulfill({ json: { result: { status: 'success', message: '', data: Array(1000).fill({}) } } })
      })
      await page.goto(`${demo.web.url}deliveries?replayed=ep_1+2500`)
      await page.getByText('2,500 are replayed. 1,000 or more still wait.').waitFor()
      expect(await page.getByRole('progressbar').getAttribute('value')).toBe(null)
    })

    test('a refused input is named where it was given, and nothing is sent', async () => {
      const { page } = await demo.signedIn('deliveries')
      await page.getByRole('button', { name: 'Replay a range' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('From').fill('2021-01-01T00:00')
      await dialog.getByLabel('Until').fill('2020-01-01T00:00')
      await dialog.getByRole('button', { name: 'Replay a range' }).click()
      await dialog.getByRole('alert').getByText('dateRange').waitFor()
    })

    test('the event types that exist are offered, and one in the address that is unknown stays chosen', async () => {
      const { page } = await demo.signedIn('deliveries?eventType=comment.shout')
      const types = page.getByLabel('Event type')
      await page.getByText('No delivery fits.').waitFor()
      expect(await types.inputValue()).toBe('comment.shout')
      await types.selectOption('comment.add')
      await page.getByRole('button', { name: 'Show', exact: true }).click()
      const rows = page.getByRole('region', { name: 'Deliveries, newest first' }).getByRole('row')
      await expect.poll(() => rows.count()).toBeGreaterThan(1)
      expect(page.url()).toContain('eventType=comment.add')
    })
  })

  describe('Endpoints', () => {
    test.each([360, 1280])('are listed with what they get, at %i px', async (width) => {
      const watched = await demo.signedIn('endpoints', width)
      await watched.page.getByText('A thread is started comment_annotation.add', { exact: true }).waitFor()
      await watched.page.getByText('works', { exact: true }).waitFor()
      await expectSound(watched, 'endpoints')
    })

    test('an endpoint is created, disabled, put in order and deleted', async () => {
      const { page } = await demo.signedIn('endpoints')
      await page.getByRole('button', { name: 'Create an endpoint' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('URL').fill('http://127.0.0.1:9/second')
      await dialog.getByLabel('Description').fill('The <b>second</b> one')
      await dialog.getByLabel('A comment is added comment.add', { exact: true }).check()
      await dialog.getByRole('button', { name: 'Create an endpoint' }).click()
      // What a caller wrote is text, also where it looks like HTML.
      const second = page.locator('section', { hasText: 'The <b>second</b> one' })
      await second.getByText('Comments and reactions').waitFor()
      await second.getByText('Nothing was sent to it yet.').waitFor()
      await second.getByRole('button', { name: 'Edit' }).click()
      await dialog.getByLabel('Deliveries per second').fill('20')
      await dialog.getByRole('button', { name: 'Edit' }).click()
      await second.getByText('20 a second').waitFor()
      await second.getByRole('button', { name: 'Disable' }).click()
      await second.getByText('disabled', { exact: true }).waitFor()
      await page.getByRole('status').getByRole('button', { name: 'Undo' }).last().click()
      await second.getByText('enabled', { exact: true }).waitFor()
      await second.getByRole('button', { name: 'Send in order' }).click()
      await second.getByText('in the order of the events').waitFor()
      await second.getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await expect.poll(() => second.count()).toBe(0)
    })

    test('the signing secret is shown only when it is asked for, and hidden again', async () => {
      const { page } = await demo.signedIn('endpoints')
      expect(await page.content()).not.toContain('whsec_')
      await page.getByRole('button', { name: 'Show the signing secret' }).click()
      await page.getByText(/^whsec_/).waitFor()
      await page.getByRole('button', { name: 'Hide' }).click()
      expect(await page.content()).not.toContain('whsec_')
    })

    test('the signing secret is rotated, and the one that was shown is hidden', async () => {
      const { page } = await demo.signedIn('endpoints')
      await page.getByRole('button', { name: 'Show the signing secret' }).click()
      const before = await page.getByText(/^whsec_/).textContent()
      await page.getByRole('button', { name: 'Rotate the secret' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('The old secret stays valid for').selectOption('a day')
      await dialog.getByRole('button', { name: 'Rotate the secret' }).click()
      await page.getByText('The secret is rotated.').waitFor()
      await page.getByRole('button', { name: 'Show the signing secret' }).click()
      expect(await page.getByText(/^whsec_/).textContent()).not.toBe(before)
    })
  })
})
