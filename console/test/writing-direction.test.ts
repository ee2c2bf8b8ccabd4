import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../../client/src/index.ts'
import { findBrowser } from './browser.ts'
import { expectSound, startDemoConsole } from './demo-console.ts'

const executable = findBrowser()
const PLACE = { organizationId: 'northwind', documentId: 'refund-policy' }
const WRITTEN = {
  arabic: 'راجع الشعار من فضلك!',
  german: 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz '.repeat(3).trim(),
  japanese: 'ロゴが不鮮明なので承認できません。'.repeat(9),
}

/** An expression for the page: on which side of its box the first line of the text stands that begins so. */
const sideOf = (beginning: string) => `(() => {
  const element = [...document.querySelectorAll('.told')].find((each) => each.textContent.startsWith('${beginning}'))
  const range = document.createRange()
  range.selectNodeContents(element)
  const [line, box] = [range.getClientRects()[0], element.getBoundingClientRect()]
  return Math.abs(line.right - box.right) < Math.abs(line.left - box.left) ? 'right' : 'left'
})()`

describe.skipIf(!executable)('texts of other scripts in the console', { timeout: 60_000 }, () => {
  let demo: Awaited<ReturnType<typeof startDemoConsole>>
  beforeAll(async () => {
    demo = await startDemoConsole(executable ?? '')
    const { apiKey, authToken } = demo.review
    const client = createClient({ baseUrl: demo.service.url, apiKey, authToken })
    const from = { userId: 'm', name: 'محمد علي' }
    const commentData = Object.values(WRITTEN).map((commentText) => ({ commentText, from }))
    await client.comments.addCommentAnnotations({
      ...PLACE,
      commentAnnotations: [{ annotationId: 'scripts', commentData }],
    })
  }, 120_000)
  afterAll(() => demo?.stop())

  test.each([360, 1280])('each runs in its own direction and breaks where it must, at %i px', async (width) => {
    const watched = await demo.signedIn('threads?status=all&thread=scripts', width)
    const { page } = watched
    await page.locator('.told', { hasText: '承認' }).waitFor()
    expect(await page.evaluate(sideOf(WRITTEN.arabic))).toBe('right')
    expect(await page.evaluate(sideOf('Rindfleisch'))).toBe('left')
    expect(await page.evaluate(sideOf('ロゴ'))).toBe('left')
    expect(await page.evaluate(`getComputedStyle(document.querySelector('dialog h2')).unicodeBidi`)).toBe('plaintext')
    await expectSound(watched, 'scripts')
  })
})
