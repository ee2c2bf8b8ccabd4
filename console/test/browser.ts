import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'

const NAMES = ['chromium-headless-shell', 'chromium', 'google-chrome']

/** The browser of this machine; undefined where there is none. `CHROMIUM` names one elsewhere. */
export function findBrowser(): string | undefined {
  const { CHROMIUM, PATH = '' } = process.env
  const found = PATH.split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)))
  return [...(CHROMIUM ? [CHROMIUM] : []), ...found].find((path) => existsSync(path))
}

/** A page, with everything that went wrong in it: console errors, breaches of the policy, requests to elsewhere. */
export interface WatchedPage {
  page: Page
  faults: string[]
}

export const openBrowser = (executablePath: string): Promise<Browser> =>
  chromium.launch({ executablePath, args: ['--no-sandbox'] })

/** The cookies of a window that has signed in. */
export type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>

interface Opening {
  width: number
  origin: string
  /** Errors of the console that the test causes itself. */
  expected?: RegExp
  cookies?: Cookies | undefined
}

/** Opens a window of its own of the given width, until the test ends. */
export async function openPage(browser: Browser, opening: Opening): Promise<WatchedPage> {
  const { width, origin, expected, cookies = [] } = opening
  const viewport = { width, height: 800 }
  const context = await browser.newContext({ viewport })
  await context.addCookies(cookies)
  // A window that stays open goes on asking the service.
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const faults: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' && !expected?.test(message.text())) faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('request', (request) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith('data:')) faults.push(`asked ${request.url()}`)
  })
  return { page, faults }
}

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** What axe checks in each theme: all its rules, and again those that depend on colours. */
const AXE_OPTIONS = { light: {}, dark: { runOnly: ['color-contrast', 'link-in-text-block'] } }

/** Expects that axe finds nothing wrong with the page as it is now, in the light and in the dark theme. */
export async function expectAccessible(page: Page): Promise<void> {
  // By the debugger, which the policy of the page does not bind.
  await page.evaluate(await axeSource())
  for (const [theme, options] of Object.entries(AXE_OPTIONS)) {
    await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`)
    const violations: unknown = await page.evaluate(
      `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`,
    )
    expect(violations, theme).toEqual([])
  }
}

let source: Promise<string> | undefined
function axeSource(): Promise<string> {
  source ??= readFile(axe, 'utf8')
  return source
}
