import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBrowser } from './browser.ts'
import { expectSound, startDemoConsole } from './demo-console.ts'

const executable = findBrowser()

describe.skipIf(!executable)('the judgments of the decision memory in a browser', { timeout: 60_000 }, () => {
  let demo: Awaited<ReturnType<typeof startDemoConsole>>
  beforeAll(async () => {
    demo = await startDemoConsole(executable ?? '')
  }, 120_000)
  afterAll(() => demo?.stop())

  test.each([
    ['the newest', '', 360],
    ['the nearest to some words', '&words=mistake', 1280],
  ])('one among %s is deleted after a question', async (_, filter, width) => {
    const recordId = `mistake-${width}`
    const reasoning = 'Imported by mistake.'
    const judgment = { recordId, decision: 'reject', reasoning, actionUser: { userId: 'maya', name: 'Maya Okafor' } }
    await demo.client.memory.addJudgments({ judgments: [judgment] })
    const watched = await demo.signedIn(`memory?view=judgments${filter}`, width)
    const { page } = watched
    const item = page.getByRole('listitem').filter({ hasText: recordId })
    await item.getByText(reasoning).waitFor()
    await expectSound(watched, 'judgments-delete')
    await item.getByRole('button', { name: 'Delete the judgment' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete the judgment' })
    await dialog.getByText('This cannot be undone.').waitFor()
    await dialog.getByRole('button', { name: 'Delete the judgment' }).click()
    await page.getByText('The judgment is deleted.').waitFor()
    await item.waitFor({ state: 'detached' })
    expect((await demo.client.memory.queryJudgments({ recordIds: [recordId] })).results).toEqual([])
  })
})
