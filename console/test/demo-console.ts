import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { startEventReceiver } from '../../demo/event-receiver.ts'
import { runReview } from '../../demo/review.ts'
import { startAlone } from '../../server/test/running-service.ts'
import { expectAccessible, openBrowser, openPage, type WatchedPage } from './browser.ts'
import { startConsole } from './console-server.ts'

const screenshots = fileURLToPath(new URL('../dist/screenshots', import.meta.url))

/** The console over a service of its own that holds the data of the demo, and a browser. */
export async function startDemoConsole(executable: string) {
  mkdirSync(screenshots, { recursive: true })
  const [service, receiver] = await Promise.all([startAlone(), startEventReceiver()])
  await service.app.worker.start()
  const review = await runReview(service.url, receiver, () => {})
  const web = await startConsole(service.url)
  const browser = await openBrowser(executable)
  return {
    service,
    review,
    web,
    /** A window that nobody has signed in to yet. */
    async open(path: string, width = 1280): Promise<WatchedPage> {
      // Before the sign-in the browser itself reports that session/get was refused.
      const watched = await openPage(browser, width, new URL(web.url).origin, /401 \(Unauthorized\)/)
      await watched.page.goto(web.url + path)
      return watched
    },
    /** A window that has signed in to the workspace of the demo. */
    async signedIn(path: string, width = 1280): Promise<WatchedPage> {
      const watched = await this.open(path, width)
      const { page } = watched
      await page.getByRole('button', { name: 'With the token of a workspace instead' }).click()
      await page.getByLabel('Workspace id').fill(review.workspaceId)
      await page.getByLabel('Auth token of the workspace').fill(review.workspaceAuthToken)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByRole('navigation').waitFor()
      return watched
    },
    async stop(): Promise<void> {
      await browser.close()
      await web.close()
      await service.app.worker.stop()
      await receiver.close()
    },
  }
}

/** Expects a page that is accessible, fits the window and has had no fault; keeps a picture of it in both themes. */
export async function expectSound({ page, faults }: WatchedPage, name: string): Promise<void> {
  const width = page.viewportSize()?.width ?? 0
  for (const theme of ['light', 'dark']) {
    await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`)
    await page.screenshot({ path: join(screenshots, `${name}-${theme}-${width}.png`) })
  }
  expect(await page.evaluate('document.documentElement.scrollWidth'), 'wider than the window').toBeLessThanOrEqual(
    width,
  )
  await expectAccessible(page)
  expect(faults).toEqual([])
}
