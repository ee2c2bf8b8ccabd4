import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { createClient } from '../../client/src/index.ts'
import { startEventReceiver } from '../../demo/event-receiver.ts'
import { runReview } from '../../demo/review.ts'
import { createOperatorLink } from '../../server/src/areas/operators/access/link.ts'
import { startAlone } from '../../server/test/running-service.ts'
import { type Cookies, expectAccessible, openBrowser, openPage, type WatchedPage } from './browser.ts'

const screenshots = fileURLToPath(new URL('../dist/screenshots', import.meta.url))

/** The console of a service of its own that holds the data of the demo, and a browser. */
export async function startDemoConsole(executable: string) {
  mkdirSync(screenshots, { recursive: true })
  const [service, receiver] = await Promise.all([startAlone(), startEventReceiver()])
  await Promise.all([service.app.worker.start(), service.app.heartbeat.start()])
  const review = await runReview({ baseUrl: service.url }, receiver, () => {})
  const { apiKey, authToken } = review
  const web = { url: `${service.url}/console/` }
  const browser = await openBrowser(executable)
  // Signed in once: the server limits how often an address may.
  let session: Cookies | undefined
  let operatorSession: Cookies | undefined
  return {
    service,
    review,
    /** Calls the API for the API key of the demo. */
    client: createClient({ baseUrl: service.url, apiKey, authToken }),
    web,
    /** A window that nobody has signed in to yet; `address` is where the console is, if a proxy serves it. */
    async open(path: string, width = 1280, cookies?: Cookies, address = web.url): Promise<WatchedPage> {
      const { origin } = new URL(address)
      // Before the sign-in the browser itself reports that session/get was refused.
      const watched = await openPage(browser, { width, origin, expected: /401 \(Unauthorized\)/, cookies })
      await watched.page.goto(address + path)
      return watched
    },
    /** A window that has signed in to the workspace of the demo by its token. */
    async signIn(path: string, width = 1280): Promise<WatchedPage> {
      const watched = await this.open(path, width)
      const { page } = watched
      await page.getByRole('button', { name: 'With the token of a workspace instead' }).click()
      await page.getByLabel('Workspace id').fill(review.workspaceId)
      await page.getByLabel('Auth token of the workspace').fill(review.workspaceAuthToken)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByRole('banner').waitFor()
      return watched
    },
    /** A window with the session that all tests share. */
    async signedIn(path: string, width = 1280): Promise<WatchedPage> {
      session ??= await (await this.signIn('')).page.context().cookies()
      const watched = await this.open(path, width, session)
      await watched.page.getByRole('banner').waitFor()
      return watched
    },
    /** The session of the operator of the installation, who has signed in by a link. */
    async operatorCookies(): Promise<Cookies> {
      if (operatorSession !== undefined) return operatorSession
      const { page } = await this.open(`#token=${await createOperatorLink(service.database)}`)
      await page.getByRole('button', { name: 'Not now' }).click()
      await page.getByRole('banner').waitFor()
      operatorSession = await page.context().cookies()
      return operatorSession
    },
    /** A window with that session. */
    async asOperator(path: string, width = 1280): Promise<WatchedPage> {
      const watched = await this.open(path, width, await this.operatorCookies())
      await watched.page.getByRole('banner').waitFor()
      return watched
    },
    async stop(): Promise<void> {
      await browser.close()
      await Promise.all([service.app.worker.stop(), service.app.heartbeat.stop()])
      await receiver.close()
    },
  }
}

/** Expects that all can be tapped, and that nothing but code scrolls sideways. */
async function expectTouchable(page: Page): Promise<void> {
  expect(await page.evaluate(SMALL_TARGETS), 'too small for a finger').toEqual([])
  expect(await page.evaluate(SIDEWAYS), 'scrolls sideways').toEqual([])
}

const NARROW = 768
// Without links in a text, and fields behind their labels.
const SMALL_TARGETS = `[...document.querySelectorAll('button, select, summary, textarea, nav a, input:not([type=hidden], [type=checkbox])')]
  .filter((each) => each.checkVisibility() && each.getBoundingClientRect().height < 40)
  .map((each) => each.outerHTML)`
const SIDEWAYS = `[...document.querySelectorAll('.scrolls, dialog')]
  .filter((each) => each.scrollWidth > each.clientWidth)
  .map((each) => each.ariaLabel ?? each.tagName)`

async function takePictures(page: Page, name: string): Promise<void> {
  for (const theme of ['light', 'dark']) {
    await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`)
    await page.screenshot({ path: join(screenshots, `${name}-${theme}.png`) })
  }
}

/** Expects a page that is accessible, fits the window and has had no fault; keeps a picture for whoever develops it. */
export async function expectSound({ page, faults }: WatchedPage, name: string): Promise<void> {
  const width = page.viewportSize()?.width ?? 0
  if (process.env.CI !== 'true') await takePictures(page, `${name}-${width}`)
  expect(await page.evaluate('document.documentElement.scrollWidth'), 'wider than the window').toBeLessThanOrEqual(
    width,
  )
  if (width < NARROW) await expectTouchable(page)
  await expectAccessible(page)
  expect(faults).toEqual([])
}
