import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBrowser } from './browser.ts'
import { expectSound, startDemoConsole } from './demo-console.ts'

const executable = findBrowser()
const ORGANIZATION = 'northwind'
const LONG_NAME = `Maximiliana ${'Wolfeschlegelsteinhausen'.repeat(8)}`.slice(0, 200)
const LONG_TEXT = 'The terms of delivery are not what the carrier promises. '.repeat(100).slice(0, 5000)
const LONG_ID = `contract-${'x'.repeat(150)}`

describe.skipIf(!executable)('the console in a narrow window and with long texts', { timeout: 60_000 }, () => {
  let demo: Awaited<ReturnType<typeof startDemoConsole>>
  beforeAll(async () => {
    demo = await startDemoConsole(executable ?? '')
    const { client } = demo
    const long = { userId: 'long', name: LONG_NAME }
    await client.users.addUsers({ organizationId: ORGANIZATION, users: [{ ...long, email: 'long@northwind.example' }] })
    await client.comments.addCommentAnnotations({
      organizationId: ORGANIZATION,
      documentId: 'refund-policy',
      commentAnnotations: [{ annotationId: 'long', commentData: [{ commentText: LONG_TEXT, from: long }] }],
    })
    await client.reactions.addReactions({
      organizationId: ORGANIZATION,
      documentId: 'refund-policy',
      annotationId: 'long',
      reactions: [{ icon: 'eyes', from: long }],
    })
    await client.memory.addJudgments({
      judgments: ['long-1', 'long-2'].map((recordId) => ({
        recordId,
        decision: 'reject',
        reasoning: LONG_TEXT,
        content: `The terms of delivery. ${LONG_ID}`,
        actionUser: long,
      })),
    })
  }, 120_000)
  afterAll(() => demo?.stop())

  test('the pages and the account stand in a menu, which a chosen page closes', async () => {
    const watched = await demo.signedIn('threads', 390)
    const { page } = watched
    const menu = page.getByRole('button', { name: 'Menu' })
    await page.getByRole('heading', { name: 'Threads' }).waitFor()
    expect(await page.getByRole('navigation').isVisible()).toBe(false)
    await menu.click()
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
    await expectSound(watched, 'menu')
    await page.getByRole('link', { name: 'People' }).click()
    await page.getByRole('heading', { name: 'People' }).waitFor()
    await expect.poll(() => page.getByRole('navigation').isVisible()).toBe(false)
    expect(await menu.getAttribute('aria-expanded')).toBe('false')
  })

  test('Escape closes the menu, or the dialog in front of it, and its button has the focus again', async () => {
    const { page } = await demo.signedIn('threads', 390)
    const menu = page.getByRole('button', { name: 'Menu' })
    await menu.press('Enter')
    await page.getByRole('button', { name: 'Go to' }).press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await menu.getAttribute('aria-expanded')).toBe('true')
    await page.getByRole('link', { name: 'People' }).focus()
    await page.keyboard.press('Escape')
    await expect.poll(() => menu.getAttribute('aria-expanded')).toBe('false')
    expect(await menu.evaluate((each) => each === each.ownerDocument.activeElement)).toBe(true)
  })

  test('however many notices there are, the button of a long dialog can be pressed', async () => {
    const { page } = await demo.signedIn('endpoints', 390)
    for (const name of ['Change the form', 'Change the form', 'Change the form', 'Change the form']) {
      const dialog = page.getByRole('dialog', { name })
      await page.getByRole('button', { name }).click()
      await dialog.getByRole('button', { name }).click()
      await dialog.waitFor({ state: 'detached' })
    }
    await page.getByRole('button', { name: 'Create an endpoint' }).click()
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByText('The settings are changed.').count()).toBe(4)
    const [latest, notices] = [dialog.getByText('The settings are changed.').last(), dialog.getByRole('status')]
    const bottomOf = async (each: Locator) => {
      const { y, height } = (await each.boundingBox()) ?? { y: 0, height: 0 }
      return y + height
    }
    expect(await bottomOf(latest)).toBeLessThanOrEqual(await bottomOf(notices))
    await dialog.getByLabel('URL').fill('https://example.com/hook')
    await dialog.getByRole('button', { name: 'Create an endpoint' }).click({ timeout: 5000 })
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('The endpoint is created.').waitFor()
  })

  test('a wide window shows the pages and no menu', async () => {
    const { page } = await demo.signedIn('threads')
    await page.getByRole('navigation').waitFor()
    expect(await page.getByRole('button', { name: 'Menu' }).isVisible()).toBe(false)
  })

  test('the organization has a line of its own, because names are long', async () => {
    const { page } = await demo.signedIn('threads', 390)
    const { width = 0 } = (await page.getByLabel('Organization', { exact: true }).boundingBox()) ?? {}
    expect(width).toBeGreaterThan(350)
  })

  test.each([390, 1280])('a cell says the name of its column where no head does, at %i px', async (width) => {
    const { page } = await demo.signedIn('people', width)
    const cell = page.getByRole('cell', { name: 'long@northwind.example' })
    await cell.waitFor()
    const named = await page.evaluate(
      `[...document.querySelectorAll('td')].map((cell) => getComputedStyle(cell, '::before').content)`,
    )
    if (width === 390) expect(named).toContain('"Email"')
    else expect(named).not.toContain('"Email"')
  })

  test.each([
    ['threads?thread=long&status=all', 'thread-long'],
    ['memory?query=The+terms+of+delivery', 'memory-long'],
  ])('a long text of a long name is folded, and shown when asked: %s', async (path, name) => {
    for (const width of [390, 1280]) {
      const watched = await demo.signedIn(path, width)
      const { page } = watched
      const text = page.getByText(LONG_TEXT.trim()).first()
      await text.waitFor()
      const folded = (await text.boundingBox())?.height ?? 0
      await expectSound(watched, name)
      await page.getByRole('button', { name: 'Show all 5,000 characters' }).first().click()
      expect((await text.boundingBox())?.height ?? 0).toBeGreaterThan(folded * 1.5)
      await page.getByRole('button', { name: 'Show less' }).click()
      expect((await text.boundingBox())?.height).toBe(folded)
    }
  })
})
