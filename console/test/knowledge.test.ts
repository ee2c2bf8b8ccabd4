import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pdfOf, workbookParts, zipOf } from '../../server/test/office-files.ts'
import { findBrowser } from './browser.ts'
import { expectSound, startDemoConsole } from './demo-console.ts'

const executable = findBrowser()
const DAY_MS = 86_400_000
const EXCEL = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const POLICY = `# Refunds

- Refunds within 30 days of delivery are approved.
- A refund needs a <b>receipt</b>.

# Shipping

- Express delivery takes four days.
`

describe.skipIf(!executable)('what the decision memory knows, answers and warns of', { timeout: 60_000 }, () => {
  let demo: Awaited<ReturnType<typeof startDemoConsole>>
  beforeAll(async () => {
    demo = await startDemoConsole(executable ?? '')
    const judged = (decision: string, days: number) => (_: unknown, n: number) => ({
      recordId: `${decision}-${n}`,
      decision,
      reasoning: `Refunds within ${decision === 'approve' ? 30 : 14} days, case ${n}: the policy is about <i>delivery</i>. The customer was told. Nothing else was asked.`,
      content: `The item under review, number ${n}.`,
      actionUser: { userId: 'maya', name: 'Maya Okafor' },
      createdAt: Date.now() - days * DAY_MS,
    })
    await demo.client.memory.addJudgments({
      judgments: [
        ...Array.from({ length: 30 }, judged('approve', 90)),
        ...Array.from({ length: 30 }, judged('reject', 3)),
      ],
    })
    // A worker looks through an API key once an hour.
    demo.service.clock.ahead += 2 * 3_600_000
  }, 120_000)
  afterAll(() => demo?.stop())

  describe('Knowledge', () => {
    test.each([360, 1280])('says what to do while there is none, at %i px', async (width) => {
      const watched = await demo.signedIn('memory?view=knowledge', width)
      await watched.page.getByText('There is no knowledge yet.').waitFor()
      await expectSound(watched, 'knowledge-none')
    })

    test('a text is added, read by a worker, and shows its rules as text', async () => {
      const watched = await demo.signedIn('memory?view=knowledge')
      const { page } = watched
      await page.getByRole('button', { name: 'Add a text' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Name').fill('policy')
      await dialog.getByLabel(/^Text:/).fill(POLICY)
      await dialog.getByRole('button', { name: 'Add a text' }).click()
      const row = page.getByRole('row', { name: /policy\.md/ })
      await row.getByText('read', { exact: true }).waitFor({ timeout: 30_000 })
      await row.getByRole('button').click()
      await dialog.getByText('A refund needs a <b>receipt</b>.').waitFor()
      expect(page.url()).toContain('source=')
      await dialog.getByText('Shipping').first().waitFor()
      await expectSound(watched, 'knowledge-source')
    })

    test.each([
      { name: 'table.csv', type: 'text/csv', buffer: Buffer.from('Rule,Who\nNo refunds for gift cards,Maya\n') },
      { name: 'sheet.xlsx', type: EXCEL, buffer: zipOf(workbookParts([['Rule'], ['Gift cards expire never']])) },
      {
        name: 'terms.pdf',
        type: 'application/pdf',
        buffer: pdfOf([{ text: 'Warranty', size: 20 }, { text: 'The warranty lasts two years.' }]),
      },
    ])('$name is uploaded and read', async ({ name, type, buffer }) => {
      const { page, faults } = await demo.signedIn('memory?view=knowledge')
      await page.getByLabel(/^PDF, CSV, Excel/).setInputFiles({ name, mimeType: type, buffer })
      await page.getByRole('button', { name: 'Upload' }).click()
      await page
        .getByRole('row', { name: new RegExp(name.replace('.', '\\.')) })
        .getByText('read', { exact: true })
        .waitFor({ timeout: 30_000 })
      expect(faults).toEqual([])
    })

    test('a file of another type is refused with the types that are read', async () => {
      const { page } = await demo.signedIn('memory?view=knowledge')
      await page
        .getByLabel(/^PDF, CSV, Excel/)
        .setInputFiles({ name: 'picture.png', mimeType: 'image/png', buffer: Buffer.from('x') })
      await page.getByRole('button', { name: 'Upload' }).click()
      await page.getByRole('alert').getByText('Only .pdf, .csv, .xlsx, .txt and .md files are read.').waitFor()
    })

    test.each([
      { name: 'nothing.txt', buffer: Buffer.alloc(0), why: 'The file is empty.' },
      { name: 'large.txt', buffer: Buffer.alloc(30 * 1024 * 1024 + 1, 'x'), why: 'The file has more than 30 MiB.' },
    ])('$name is refused by its size, in words', async ({ name, buffer, why }) => {
      const { page, faults } = await demo.signedIn('memory?view=knowledge')
      await page.getByLabel(/^PDF, CSV, Excel/).setInputFiles({ name, mimeType: 'text/plain', buffer })
      await page.getByRole('button', { name: 'Upload' }).click()
      await page.getByRole('alert').getByText(why).waitFor()
      expect(faults).toEqual([])
    })

    test('a file that cannot be read says why, and what to do', async () => {
      const { page } = await demo.signedIn('memory?view=knowledge')
      await page
        .getByLabel(/^PDF, CSV, Excel/)
        .setInputFiles({ name: 'broken.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\nbroken') })
      await page.getByRole('button', { name: 'Upload' }).click()
      const row = page.getByRole('row', { name: /broken\.pdf/ })
      await row.getByText('failed', { exact: true }).waitFor({ timeout: 30_000 })
      await row.getByRole('button').click()
      await page.getByRole('dialog').getByText('The file cannot be read.').waitFor()
    })

    test.each([360, 1280])('is listed with its state and searched, at %i px', async (width) => {
      const watched = await demo.signedIn('memory?view=knowledge', width)
      const { page } = watched
      await page.getByLabel('Words to look for').fill('express delivery')
      await page.getByRole('button', { name: 'Find', exact: true }).click()
      const hits = page.getByRole('list', { name: 'What was found' })
      await hits.locator('mark', { hasText: 'Express' }).first().waitFor()
      await hits.getByRole('link', { name: 'policy.md' }).first().waitFor()
      expect(page.url()).toContain('find=express+delivery')
      await expectSound(watched, 'knowledge')
      await page.getByLabel('Words to look for').fill('zebra')
      await page.getByRole('button', { name: 'Find', exact: true }).click()
      await page.getByText('Nothing was found.').waitFor()
    })

    test('its text is replaced, with what became of the rules, and downloaded', async () => {
      const { page } = await demo.signedIn('memory?view=knowledge')
      await page.getByRole('button', { name: 'policy.md' }).click()
      const dialog = page.getByRole('dialog', { name: 'policy.md' })
      await dialog.getByRole('button', { name: 'Replace the text' }).click()
      const replace = page.getByRole('dialog', { name: 'Replace the text' })
      const text = replace.getByLabel('New text')
      expect(await text.inputValue()).toContain('Refunds within 30 days')
      await text.fill(POLICY.replace('four days', 'five days'))
      await replace.getByRole('button', { name: 'Replace the text' }).click()
      await page.getByText('Rules: 1 added, 1 removed, 2 as before.').waitFor()
      await dialog.getByText('Express delivery takes five days.').waitFor()
      const download = page.waitForEvent('download')
      await dialog.getByRole('button', { name: 'Download its text' }).click()
      expect((await download).suggestedFilename()).toBe('policy.md.md')
      const original = page.waitForEvent('download')
      await dialog.getByRole('link', { name: 'Download the file' }).click()
      expect((await original).suggestedFilename()).toBe('policy.md')
    })

    test('a source is deleted, after a question', async () => {
      const { page } = await demo.signedIn('memory?view=knowledge')
      await page.getByRole('button', { name: 'broken.pdf' }).click()
      await page.getByRole('dialog', { name: 'broken.pdf' }).getByRole('button', { name: 'Delete' }).click()
      const asked = page.getByRole('dialog', { name: 'Delete' })
      await asked.getByText('This cannot be undone.').waitFor()
      await asked.getByRole('button', { name: 'Delete' }).click()
      await expect.poll(() => page.getByRole('row', { name: /broken\.pdf/ }).count()).toBe(0)
      expect((await demo.client.knowledge.listKnowledge()).map(({ fileName }) => fileName)).not.toContain('broken.pdf')
    })
  })

  describe('Question', () => {
    test.each([360, 1280])('is answered in quotes that lead to judgments and rules, at %i px', async (width) => {
      const watched = await demo.signedIn('memory?view=question', width)
      const { page } = watched
      await page.getByText('No question is asked yet.').waitFor()
      await page.getByLabel('Question').fill('Refunds within how many days of delivery?')
      await page.getByRole('button', { name: 'Ask', exact: true }).click()
      const question = 'Refunds within how many days of delivery?'
      const { citations, knowledge = [], confidence } = await demo.client.insights.askMemory({ question })
      const [first] = citations
      const quotes = page.locator('section', { hasText: 'Judgments it quotes' }).last()
      await quotes.getByText(first?.recordId ?? '', { exact: true }).waitFor()
      await quotes.getByText('<i>delivery</i>').first().waitFor()
      // The measure of the whole answer is named, and its quotes have none of another search.
      const nearest = page.locator('p', { hasText: `${Math.round(confidence * 100)} % similar` })
      await nearest.getByText('The nearest judgment:').waitFor()
      expect(await quotes.getByRole('meter').count()).toBe(0)
      await page.getByRole('link', { name: `[${first?.recordId}]`, exact: true }).click()
      expect(page.url()).toMatch(/view=question.*#quote-1$/)
      await expectSound(watched, 'memory-question')
      await page.getByRole('link', { name: `[${knowledge[0]?.ruleId}]`, exact: true }).click()
      const sources = await demo.client.knowledge.listKnowledge()
      const name = sources.find(({ id }) => id === knowledge[0]?.sourceId)?.fileName ?? ''
      await page.getByRole('dialog', { name }).waitFor()
    })

    test('a follow-up is asked together with the question', async () => {
      const { page } = await demo.signedIn('memory?view=question&question=Refunds')
      await page.getByLabel('Follow-up').fill('Is a receipt needed?')
      await page.getByRole('button', { name: 'Ask the follow-up' }).click()
      await expect.poll(() => page.getByLabel('Question').inputValue()).toBe('Refunds\nIs a receipt needed?')
      await page.getByText('A refund needs a <b>receipt</b>.').first().waitFor()
      await page.getByRole('link', { name: 'What would be decided?' }).click()
      await page.getByRole('tab', { name: 'Suggestion', selected: true }).waitFor()
      await page.getByText('Rules that bear on it').waitFor()
      expect(page.url()).not.toContain('undefined')
    })

    test('without an answer it says how much was searched, and what to do', async () => {
      const { page } = await demo.signedIn('memory?view=question&question=zebra')
      await page.getByText('Nothing answers this.').waitFor()
      await page.getByText('60 judgments were searched, and the rules.').waitFor()
    })
  })

  test('evidence marks the sentences that the service highlights, and shows what was reviewed', async () => {
    const watched = await demo.signedIn('memory?query=Refunds+within+30+days+of+delivery')
    const { page } = watched
    const { results } = await demo.client.memory.searchJudgments({
      query: 'Refunds within 30 days of delivery',
      limit: 30,
      includeContent: true,
    })
    const [highlight = ''] = results[0]?.highlights ?? []
    expect(highlight).toContain('<i>delivery</i>')
    await page.locator('mark.sentence', { hasText: highlight }).first().waitFor()
    expect(await page.locator('mark.sentence', { hasText: 'Nothing else was asked.' }).count()).toBe(0)
    await page.getByText('What was reviewed').first().click()
    await page
      .getByText(/^The item under review, number \d+\.$/)
      .first()
      .waitFor()
    await expectSound(watched, 'memory-highlights')
  })

  describe('Alerts', () => {
    test.each([360, 1280])('tell what changed, with the numbers and the judgments, at %i px', async (width) => {
      await expect
        .poll(() => demo.client.insights.listAlerts().then(({ length }) => length), { timeout: 40_000 })
        .toBe(1)
      const watched = await demo.signedIn('memory?view=alerts', width)
      const { page } = watched
      await page.getByRole('heading', { name: 'Approvals of all content fall' }).waitFor()
      const [alert] = await demo.client.insights.listAlerts()
      await page.getByText(alert?.description ?? '').waitFor()
      await page.getByRole('meter', { name: 'Before' }).waitFor()
      await page.getByText('Judgments it rests on (10)').click()
      const recordIds = alert?.evidence.sourceRecordIds ?? []
      const { results } = await demo.client.memory.queryJudgments({ recordIds })
      expect(results).toHaveLength(10)
      const [first] = results
      const judgment = page
        .getByRole('listitem')
        .filter({ has: page.getByText(first?.recordId ?? '', { exact: true }) })
      await judgment.getByText(first?.reasoning ?? '', { exact: true }).waitFor()
      await judgment.getByText(first?.decision ?? '', { exact: true }).waitFor()
      await judgment.getByText(new RegExp(`^${first?.actionUser.name}`)).waitFor()
      await judgment.getByText('What was reviewed').click()
      await judgment.getByText(/^The item under review, number \d+\.$/).waitFor()
      await expectSound(watched, 'memory-alerts')
    })

    test('what is raised is changed, and changed back', async () => {
      const { page } = await demo.signedIn('memory?view=alerts')
      await page.getByRole('button', { name: 'Change what is raised' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('sudden disagreement').uncheck()
      await dialog.getByLabel('Least severity').selectOption('medium')
      await dialog.getByLabel('Most alerts in 7 days').fill('2')
      await dialog.getByRole('button', { name: 'Change what is raised' }).click()
      await page.getByText('drift of decisions, a new reason, stale knowledge').waitFor()
      expect(await demo.client.insights.getAlertConfig()).toMatchObject({
        enabled: true,
        enabledAlertTypes: ['standards_drift', 'emerging_standard', 'configuration_drift'],
        severityThreshold: 'medium',
        maxAlertsPerWeek: 2,
      })
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText('drift of decisions, sudden disagreement, a new reason, stale knowledge').waitFor()
    })

    test('an alert is dismissed after a question, and then the page says what brings one', async () => {
      const { page } = await demo.signedIn('memory?view=alerts')
      await page.getByRole('button', { name: 'Mark as done' }).waitFor()
      await page.getByRole('button', { name: 'Dismiss' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Dismiss' }).click()
      await page.getByText('There is no alert.').waitFor()
      await page.getByText('far more or far less was approved in the last 30 days').waitFor()
      expect(await demo.client.insights.listAlerts()).toEqual([])
    })
  })
})
