import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../../client/src/index.ts'
import { findBrowser } from './browser.ts'
import { startDemoConsole } from './demo-console.ts'
import { fillDemo, startFailingReceiver } from './demo-data.ts'

const executable = findBrowser()
const made = fileURLToPath(new URL('../dist/pictures', import.meta.url))
const repository = fileURLToPath(new URL('../..', import.meta.url))
const published = join(repository, 'docs/pictures')
const WIDTH = 1280
/** Where a PNG says its width (PNG, third edition, §11.2.1). */
const PNG_WIDTH_AT = 16
/** The limit of what is published. A picture that a test makes varies: its deliveries take more or fewer seconds. */
const MOST_BYTES = 150_000

/** The pictures of the documentation. `PICTURES=1` publishes those that the test makes. */
const PICTURES = [
  { name: 'memory', path: 'memory?query=Refund+within+30+days', shows: 'For the suggestion', height: 880 },
  { name: 'deliveries', path: 'deliveries', shows: 'comment_annotation.status_change' },
  { name: 'access', path: 'access?userId=ana&kind=document&resource=supplier-contract', shows: 'Supplier contract' },
  { name: 'activity', path: 'activity', shows: 'status' },
]

describe.skipIf(!executable)('the pictures of the console', { timeout: 60_000 }, () => {
  let demo: Awaited<ReturnType<typeof startDemoConsole>>
  let failing: Awaited<ReturnType<typeof startFailingReceiver>>
  beforeAll(async () => {
    mkdirSync(made, { recursive: true })
    demo = await startDemoConsole(executable ?? '')
    failing = await startFailingReceiver()
    const { apiKey, authToken } = demo.review
    await fillDemo(createClient({ baseUrl: demo.service.url, apiKey, authToken }), failing.url)
  }, 120_000)
  afterAll(async () => {
    failing?.close()
    await demo?.stop()
  })

  test.each(PICTURES)('$name is made with the data of the demo', async ({ name, path, shows, height = 800 }) => {
    const { page, faults } = await demo.signedIn(path)
    await page.setViewportSize({ width: WIDTH, height })
    // A list to choose from holds the same words, folded.
    await page.getByText(shows).filter({ visible: true }).first().waitFor()
    await expect.poll(() => page.getByText('Loading…').count()).toBe(0)
    const file = join(made, `${name}.png`)
    const picture = await page.screenshot({ path: file })
    expect(picture.readUInt32BE(PNG_WIDTH_AT)).toBe(WIDTH)
    expect(faults).toEqual([])
    if (process.env.PICTURES === '1') {
      mkdirSync(published, { recursive: true })
      copyFileSync(file, join(published, `${name}.png`))
    }
  })
})

test('the documentation shows the pictures that are published, each at most 150 kB', () => {
  const files = readdirSync(published)
  expect(files.toSorted()).toEqual(PICTURES.map(({ name }) => `${name}.png`).toSorted())
  expect(files.filter((file) => statSync(join(published, file)).size > MOST_BYTES)).toEqual([])
  const pages = ['README.md', 'docs/console.md'].map((file) => readFileSync(join(repository, file), 'utf8')).join('\n')
  expect(files.filter((file) => !pages.includes(`pictures/${file}`))).toEqual([])
})
