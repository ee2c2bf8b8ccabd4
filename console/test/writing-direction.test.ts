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
    const thread = watched.page.getByRole('dialog').first()
    const sideOf = async (text: string) => {
      const shown = thread.locator('.told', { hasText: text })
      await shown.waitFor()
      return shown.evaluate((element) => {
        const range = document.createRange()
        range.selectNodeContents(element)
        const [line, box] = [range.getClientRects()[0], element.getBoundingClientRect()]
        return line && Math.abs(line.right - box.right) < Math.abs(line.left - box.left) ? 'right' : 'left'
      })
    }
    expect(await sideOf(WRITTEN.arabic)).toBe('right')
    expect(await sideOf('Rindfleisch')).toBe('left')
    expect(await sideOf('承認')).toBe('left')
    await expectSound(watched, 'scripts')
  })
})
