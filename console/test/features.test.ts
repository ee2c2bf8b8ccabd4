import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOperatorLink } from '../../server/src/areas/operators/access/link.ts'
import { startOn } from '../../server/test/running-service.ts'
import { findBrowser, openBrowser, openPage } from './browser.ts'
import { expectSound, startDemoConsole } from './demo-console.ts'
import { fillDemo, startFailingReceiver } from './demo-data.ts'

const executable = findBrowser()

describe.skipIf(!executable)('the console with the data of a workspace that is used', { timeout: 60_000 }, () => {
  let demo: Awaited<ReturnType<typeof startDemoConsole>>
  let failing: Awaited<ReturnType<typeof startFailingReceiver>>
  beforeAll(async () => {
    demo = await startDemoConsole(executable ?? '')
    failing = await startFailingReceiver()
    await fillDemo(demo.client, failing.url)
  }, 120_000)
  afterAll(async () => {
    failing?.close()
    await demo?.stop()
  })

  test('a test event is sent to the endpoint that is chosen, and its delivery is listed', async () => {
    const { page, faults } = await demo.signedIn('deliveries')
    const total = async () => {
      const { data } = await demo.client.webhooks.listDeliveries({ pageSize: 100 })
      return data.length
    }
    const before = await total()
    await page.getByRole('button', { name: 'Send a test event' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Event type').selectOption('comment_annotation.add')
    await dialog.getByRole('button', { name: 'Send a test event' }).click()
    await page.getByText('The test event is on its way.').waitFor()
    await expect.poll(total).toBe(before + 1)
    expect(faults).toEqual([])
  })

  test('a delivery that failed shows the status and the body of the answer', async () => {
    const watched = await demo.signedIn('deliveries?httpStatus=5xx')
    const { page } = watched
    await page.getByRole('table').getByRole('button').first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('503').first().waitFor()
    await dialog.getByText('Ledger of approvals').waitFor()
    await dialog.getByText('The ledger is being migrated. Try again later.').first().waitFor()
    await expectSound(watched, 'delivery-failed')
  })

  test.each([360, 1280])('Patterns lists the reasons that recur, as the API does, at %i px', async (width) => {
    const watched = await demo.signedIn('memory?view=patterns', width)
    const { page } = watched
    const [first] = await demo.client.insights.getPatterns()
    const row = page.getByRole('row').filter({ hasText: first?.description ?? '' })
    await row
      .first()
      .getByText(first?.category ?? '', { exact: true })
      .waitFor()
    await row
      .first()
      .getByText(`${Math.round(100 * (first?.confidence ?? 0))} %`, { exact: true })
      .waitFor()
    await expectSound(watched, 'memory-patterns')
    await row.first().getByRole('button').click()
    const dialog = page.getByRole('dialog', { name: first?.description ?? '' })
    await dialog.getByText(`The newest of ${first?.sourceCount} judgments`).waitFor()
    await expect.poll(() => dialog.getByRole('listitem').count()).toBe(first?.topSourceRecordIds.length)
    await dialog.getByText('What was reviewed').first().waitFor()
    await expectSound(watched, 'memory-pattern')
  })

  test.each([360, 1280])('Reviewers shows how a person decides beside all others, at %i px', async (width) => {
    const watched = await demo.signedIn('memory?view=reviewers', width)
    const { page } = watched
    await page.getByText('Nobody is chosen yet.').waitFor()
    const reviewer = page.getByRole('combobox', { name: 'Reviewer' })
    // Nobody needs to know an id: those who decided are offered, and a name finds them.
    await reviewer.click()
    await page.getByRole('option', { name: /Priya Raman/ }).waitFor()
    await reviewer.fill('okaf')
    await page.getByRole('option', { name: /Priya Raman/ }).waitFor({ state: 'detached' })
    await page.getByRole('option', { name: /Maya Okafor/ }).waitFor()
    await expectSound(watched, 'memory-reviewers-choices')
    await page.getByRole('option', { name: /Maya Okafor/ }).click()
    expect(await reviewer.inputValue()).toBe('Maya Okafor')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByRole('heading', { name: 'Maya Okafor' }).waitFor()
    const profile = await demo.client.insights.getProfile({ targetUserId: 'maya' })
    const percent = (share: number | null | undefined) => `${Math.round(100 * (share ?? 0))} %`
    await page.getByText(percent(profile?.approvalRate), { exact: true }).first().waitFor()
    await page.getByText(`all reviewers together: ${percent(profile?.scope.approvalRate)}`).waitFor()
    await expectSound(watched, 'memory-reviewers')
    await reviewer.fill('nobody')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByText('This person has decided nothing.').waitFor()
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByRole('button', { name: 'Priya Raman' }).click()
    await page.getByRole('heading', { name: 'Priya Raman' }).waitFor()
    expect(page.url()).toContain('reviewer=priya')
  })

  test.each([390, 1280])('Judgments finds who decided what by words, side and reviewer, at %i px', async (width) => {
    const watched = await demo.signedIn('memory?view=judgments', width)
    const { page } = watched
    const { results } = await demo.client.memory.queryJudgments({ side: 'reject', reviewerId: 'priya', limit: 100 })
    await page.getByLabel('Decision', { exact: true }).selectOption('rejects')
    await page.getByRole('combobox', { name: 'Reviewer' }).fill('Priya Raman')
    await page.getByRole('option', { name: /Priya Raman/ }).click()
    await page.getByRole('button', { name: 'Find', exact: true }).click()
    await page.getByRole('heading', { name: `Newest judgments (${results.length})` }).waitFor()
    await page
      .getByText(results[0]?.reasoning ?? '', { exact: true })
      .first()
      .waitFor()
    await page.getByText('What was reviewed').first().waitFor()
    await expectSound(watched, 'memory-judgments')
    await page.getByLabel('Words to look for (empty: the newest)').fill('refund')
    await page.getByRole('button', { name: 'Find', exact: true }).click()
    await page.getByRole('heading', { name: /^Nearest judgments/ }).waitFor()
    await page.getByText('What was reviewed').first().waitFor()
    await page.getByLabel('Words to look for (empty: the newest)').fill('xylophone')
    await page.getByRole('button', { name: 'Find', exact: true }).click()
    await page.getByText('No judgment fits.').waitFor()
  })

  test('Judgments shows how many there are and the model, and exports each', async () => {
    const { page } = await demo.signedIn('memory?view=judgments')
    const { totalActivities } = await demo.client.memory.getMemoryStats()
    const size = page.locator('section', { hasText: 'What the memory holds' }).first()
    await size.getByText(String(totalActivities), { exact: true }).first().waitFor()
    await size.getByText('none: words are compared').waitFor()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export all judgments' }).click()
    const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\n')
    expect(lines.map((line) => JSON.parse(line).recordId)).toContain('case-1')
    expect(lines).toHaveLength(totalActivities)
  })

  test('a suggestion says its reasons, what it weighs and its caveats', async () => {
    const { page } = await demo.signedIn('memory?query=Refund+within+30+days')
    const { primary } = await demo.client.memory.suggestDecision({ query: 'Refund within 30 days' })
    // The reviewer of a counter-example stands in the place of the id of its record (memory.test.ts).
    const caveats = primary?.caveats.filter((caveat) => !caveat.startsWith('Counter-example')) ?? []
    const said = [...(primary?.topReasons ?? []), ...caveats]
    expect(said.length).toBeGreaterThan(0)
    const counterExamples = (primary?.caveats.length ?? 0) - caveats.length
    const panel = page.locator('section', { hasText: 'Suggested' }).first()
    await expect.poll(() => panel.getByText(/^Counter-example: the similar judgment of /).count()).toBe(counterExamples)
    for (const line of said) await panel.getByText(line, { exact: true }).first().waitFor()
    for (const { label } of primary?.basis.inputs ?? []) await panel.getByText(label, { exact: true }).first().waitFor()
  })

  test('a suggestion on a thread is rejected; priority and assignee are set', async () => {
    const { page } = await demo.signedIn('threads?documentId=warranty&status=all&thread=warranty-length')
    const thread = page.getByRole('dialog').first()
    await thread.getByRole('button', { name: 'Priority and assignee' }).click()
    const edit = page.getByRole('dialog', { name: 'Priority and assignee' })
    await edit.getByLabel('Priority (an id of yours; empty: none)').fill('P1')
    await edit.getByLabel('Assigned to (empty: nobody)').fill('maya')
    await edit.getByRole('button', { name: 'Priority and assignee' }).click()
    await thread.getByText('Maya Okafor').first().waitFor()
    await thread.getByRole('button', { name: 'Reject the suggestion' }).click()
    const reject = page.getByRole('dialog', { name: 'Reject the suggestion' })
    await reject.getByLabel('Write as').fill('maya')
    await reject.getByRole('button', { name: 'Reject the suggestion' }).click()
    await thread.getByText('rejected').waitFor()
    expect(await thread.getByRole('button', { name: 'Accept the suggestion' }).count()).toBe(0)
  })

  test('an API key is renamed and renamed back; its token is reset to another one', async () => {
    const { page } = await demo.signedIn('keys')
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Create an API key' }).click()
    await dialog.getByLabel('Name').fill('Key of a trial')
    await dialog.getByLabel('Email of its owner').fill('maya@northwind.example')
    await dialog.getByRole('button', { name: 'Create an API key' }).click()
    const panel = page.locator('section', { hasText: 'Key of a trial' }).last()
    await panel.getByRole('button', { name: 'Show the token' }).click()
    await panel.getByRole('button', { name: 'Hide' }).waitFor()
    const before = await panel.textContent()
    await panel.getByRole('button', { name: 'Reset the token' }).click()
    await dialog.getByRole('button', { name: 'Reset the token' }).click()
    await page.getByText('The token is new.').waitFor()
    await panel.getByRole('button', { name: 'Show the token' }).click()
    await panel.getByRole('button', { name: 'Hide' }).waitFor()
    expect(await panel.textContent()).not.toBe(before)
    await panel.getByRole('button', { name: 'Rename' }).click()
    await dialog.getByLabel('Name').fill('Another name')
    await dialog.getByRole('button', { name: 'Rename' }).click()
    await page.getByRole('heading', { name: 'Another name' }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await page.getByRole('heading', { name: 'Key of a trial' }).waitFor()
  })

  test('a page whose server cannot be reached says so, and shows its data when it is tried again', async () => {
    const { page } = await demo.signedIn('start')
    await page.route('**/console/api/call', (route) => route.abort())
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Endpoints' }).click()
    const failed = page.getByRole('alert').first()
    await failed.getByText('Check that it runs and that this machine can reach it.').waitFor()
    await page.unroute('**/console/api/call')
    await failed.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Ledger of approvals').waitFor()
  })

  test('the theme that is chosen stays after the page is loaded again', async () => {
    const { page } = await demo.signedIn('start')
    const theme = () => page.evaluate('document.documentElement.dataset.theme')
    await page.getByLabel('Theme').selectOption('dark')
    expect(await theme()).toBe('dark')
    await page.reload()
    await page.getByRole('navigation').waitFor()
    expect(await theme()).toBe('dark')
  })

  test('a read-only console says so, and changes nothing', async () => {
    const readOnly = await startOn(demo.service.database, { CONSOLE: 'read-only' })
    const browser = await openBrowser(executable ?? '')
    try {
      const token = await createOperatorLink(demo.service.database)
      const { page } = await openPage(browser, { width: 1280, origin: readOnly.url })
      await page.goto(`${readOnly.url}/console/endpoints#token=${token}`)
      await page.getByRole('button', { name: 'Not now' }).click()
      await page.getByText('read-only', { exact: true }).waitFor()
      const create = page.getByRole('button', { name: 'Create an endpoint' })
      await create.waitFor()
      expect(await create.getAttribute('title')).toBe('The console is read-only on this server.')
    } finally {
      await browser.close()
      await readOnly.app.http.close()
    }
  })
})
