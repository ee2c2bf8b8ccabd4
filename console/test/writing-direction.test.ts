import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBrowser } from './browser.ts'
import { expectSound, startDemoConsole } from './demo-console.ts'

const executable = findBrowser()
const PLACE = { organizationId: 'northwind', documentId: 'refund-policy' }
const WRITTEN = {
  arabic: 'راجع الشعار من فضلك!',
  german: 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz '.repeat(3).trim(),
  japanese: 'ロゴが不鮮明なので承認できません。'.repeat(9),
}
/** A name that would turn around what follows it. */
const TURNING = { userId: 'turning', name: '\u202EnruT' }

/** An expression for the page: on which side of its box the first line of the text stands that begins so. */
const sideOf = (beginning: string) => `(() => {
  const element = [...document.querySelectorAll('.told')].find((each) => each.textContent.startsWith('${beginning}'))
  const range = document.createRange()
  range.selectNodeContents(element)
  const [line, box] = [range.getClientRects()[0], element.getBoundingClientRect()]
  return Math.abs(line.right - box.right) < Math.abs(line.left - box.left) ? 'right' : 'left'
})()`

/**
 * An expression for the page: how far the day of a time stands to the left of its month, both in the text of a
 * judgment.
 */
const DAY_BEFORE_MONTH = `(() => {
  const texts = document.createTreeWalker(document.querySelector('.judgment'), NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const at = texts.currentNode.data.indexOf('31\\u00a0Jan')
    if (at < 0) continue
    const leftOf = (offset) => {
      const range = document.createRange()
      range.setStart(texts.currentNode, at + offset)
      range.setEnd(texts.currentNode, at + offset + 1)
      return range.getBoundingClientRect().left
    }
    return leftOf(3) - leftOf(0)
  }
})()`

/** An expression for the page: of each text that is this name of a file, whether it begins to the right of its end. */
const beginsRight = (name: string) => `(() => {
  const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT)
  const found = []
  while (texts.nextNode()) {
    if (texts.currentNode.data !== '${name}' || !texts.currentNode.parentElement.checkVisibility()) continue
    const leftOf = (offset) => {
      const range = document.createRange()
      range.setStart(texts.currentNode, offset)
      range.setEnd(texts.currentNode, offset + 1)
      return range.getBoundingClientRect().left
    }
    found.push(leftOf(0) > leftOf(${name.length - 1}))
  }
  return found
})()`

describe.skipIf(!executable)('texts of other scripts in the console', { timeout: 60_000 }, () => {
  let demo: Awaited<ReturnType<typeof startDemoConsole>>
  beforeAll(async () => {
    demo = await startDemoConsole(executable ?? '')
    const { client } = demo
    const from = { userId: 'm', name: 'محمد علي' }
    const judgment = { decision: 'approve', reasoning: 'Fits.', actionUser: from, createdAt: Date.UTC(2026, 0, 31, 12) }
    await client.memory.addJudgments({ judgments: [judgment] })
    await client.users.addUsers({ organizationId: 'northwind', users: [TURNING] })
    await client.activities.updateActivityConfig({ activityServiceConfig: { isEnabled: true } })
    await client.notifications.updateNotificationConfig({ useNotificationService: true })
    const commentData = Object.values(WRITTEN).map((commentText) => ({ commentText, from }))
    await client.comments.addCommentAnnotations({
      ...PLACE,
      commentAnnotations: [
        { annotationId: 'scripts', commentData },
        { annotationId: 'turned', commentData: [{ from: TURNING, commentText: 'For {{jonas}}' }] },
      ],
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

  test('the name of a file in Arabic runs from right to left in a list, in a title and among other names', async () => {
    const name = 'تقرير.webm'
    const attachments = [
      { name, url: 'https://cdn.example/a.webm' },
      { name, url: 'javascript:alert(1)' },
    ]
    const recording = { annotationId: 'arabic', displayName: name, recordingType: 'screen' as const, attachments }
    const documentId = 'refund-policy'
    const recordings = [{ ...recording, mode: 'floating' as const, recordedTime: { duration: 1 } }]
    await demo.client.recordings.addRecordings({ organizationId: 'northwind', documentId, recordings })
    const { page } = await demo.signedIn('recordings?organizationId=northwind&recording=arabic')
    await page.getByRole('dialog').getByRole('link', { name }).waitFor()
    expect(await page.evaluate(beginsRight(name))).toEqual([true, true, true, true])
  })

  test('a name in Arabic moves no part of the time beside it', async () => {
    const { page } = await demo.signedIn('memory?view=judgments')
    await page.getByText('محمد علي').first().waitFor()
    const distance = Number(await page.evaluate(DAY_BEFORE_MONTH))
    expect(distance).toBeGreaterThan(0)
    expect(distance).toBeLessThan(40)
  })

  test.each(['activity?', 'notifications?userId=jonas&'])(
    'a name turns around nothing that is told of it: %s',
    async (path) => {
      const { page } = await demo.signedIn(`${path}organizationId=northwind`)
      const told = page.getByText(/nruT \w+/).first()
      expect(await told.textContent()).toMatch(/^nruT \w+/)
    },
  )

  test('a name does not turn around what somebody is asked to confirm', async () => {
    const { page } = await demo.signedIn('access?organizationId=northwind&userId=turning')
    await page.getByRole('button', { name: 'Give access' }).click()
    const asked = page.getByRole('dialog').getByText(/nruT gets/)
    expect(await asked.textContent()).toMatch(/^nruT gets/)
  })
})
