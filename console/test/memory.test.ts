import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBrowser } from './browser.ts'
import { expectSound, startDemoConsole } from './demo-console.ts'

const executable = findBrowser()
const DAY_MS = 86_400_000

describe.skipIf(!executable)('the page Decision memory', { timeout: 60_000 }, () => {
  let demo: Awaited<ReturnType<typeof startDemoConsole>>
  beforeAll(async () => {
    demo = await startDemoConsole(executable ?? '')
    const judgment = (n: number, decision: string, days: number) => ({
      recordId: `${decision}-${n}`,
      decision,
      reasoning: `Refund terms of ${days} days ${decision === 'approve' ? 'match' : 'break'} the policy, case ${n}.`,
      content: `Refunds within ${days} days of delivery, case ${n}.`,
      actionUser: { userId: 'maya', name: 'Maya Okafor' },
      createdAt: Date.now() - n * DAY_MS,
    })
    await demo.client.memory.addJudgments({
      judgments: Array.from({ length: 30 }, (_, n) =>
        n % 3 === 2 ? judgment(n, 'reject', 14) : judgment(n, 'approve', 30),
      ),
    })
  }, 120_000)
  afterAll(() => demo?.stop())

  test.each([360, 1280])(
    'a question gets a suggestion with the judgments for and against it side by side, at %i px',
    async (width) => {
      const watched = await demo.signedIn('memory', width)
      const { page } = watched
      await page.getByText('Nothing is asked yet.').waitFor()
      await page.getByLabel('What is to be decided').fill('Refund terms of 30 days')
      await page.getByRole('button', { name: 'Ask', exact: true }).click()
      const suggested = page.locator('section', { hasText: 'Suggested' }).first()
      await suggested.getByText('approve', { exact: true }).waitFor()
      const side = (name: RegExp) => page.locator('section', { has: page.getByRole('heading', { name }) })
      const supporting = side(/^For the suggestion \(\d+\)$/)
      await supporting.locator('mark', { hasText: 'Refund' }).first().waitFor()
      expect(await supporting.getByText('reject', { exact: true }).count()).toBe(0)
      await side(/^Against it \(\d+\)$/)
        .getByText('reject', { exact: true })
        .first()
        .waitFor()
      await supporting
        .getByText(/^\d+\s% similar$/)
        .first()
        .waitFor()
      // The other side is not far below on a phone.
      expect(await supporting.getByRole('listitem').count()).toBe(10)
      const [, count] = /\((\d+)\)/.exec((await supporting.getByRole('heading').first().textContent()) ?? '') ?? []
      await supporting.getByRole('button', { name: `Show all ${count}`, exact: true }).click()
      expect(await supporting.getByRole('listitem').count()).toBe(Number(count))
      expect(page.url()).toContain('query=Refund')
      await expectSound(watched, 'memory')
    },
  )

  test('a counter-example stands among the judgments against, however far it is and whatever its decision and reason', async () => {
    const agreed = Array.from({ length: 60 }, (_, n) => ({
      recordId: `landing-${n}`,
      decision: 'approve',
      reasoning: 'The landing permit of the helicopter is valid.',
      content: 'Landing permit of a helicopter on the roof.',
      actionUser: { userId: 'ana', name: 'Ana Souza' },
      createdAt: Date.now() - n * 60_000,
    }))
    const [first] = agreed
    if (!first) throw new Error('There is no judgment.')
    const against = { ...first, recordId: 'landing-at-night', decision: 'reject', reasoning: 'Too loud at night.' }
    const far = { reasoning: 'Slippery.', content: 'A helicopter lands on the roof in the rain.' }
    const disagreeing = { ...against, ...far, recordId: 'landing-in-rain', decision: 'disagree' }
    await demo.client.memory.addJudgments({ judgments: [...agreed, against, disagreeing] })
    const { page } = await demo.signedIn('memory?query=Landing+permit+of+the+helicopter')
    await page.getByText(/^Counter-example: the similar judgment of Ana Souza, .*, rejects/).waitFor()
    const opposing = page.locator('section', { has: page.getByRole('heading', { name: /^Against it/ }) })
    await opposing.getByText('landing-at-night').waitFor()
    await opposing.getByText('landing-in-rain').waitFor()
    await page.getByRole('link', { name: /^of Ana Souza/ }).click()
    await page.locator('#judgment-landing-at-night').waitFor()
    expect(page.url()).toContain('#judgment-landing-at-night')
  })

  test('the judgments are of the scope that the suggestion is of', async () => {
    const place = { organizationId: 'northwind', documentId: 'refund-policy' }
    const { primary } = await demo.client.memory.suggestDecision({ query: 'Refund terms of 30 days', ...place })
    expect(primary?.scope).toBe('apiKey')
    const { page } = await demo.signedIn(
      'memory?query=Refund+terms+of+30+days&organizationId=northwind&documentId=refund-policy',
    )
    const supporting = page.locator('section', { has: page.getByRole('heading', { name: /^For the suggestion/ }) })
    await supporting.getByRole('button', { name: /^Show all/ }).click()
    await supporting.getByText('approve-0', { exact: true }).waitFor()
  })

  test('says what the service answered: the same confidence and counts', async () => {
    const { page } = await demo.signedIn('memory?query=Refund+terms+of+30+days')
    const { primary } = await demo.client.memory.suggestDecision({ query: 'Refund terms of 30 days' })
    await page
      .getByText(`${Math.round((primary?.confidence ?? 0) * 100)} %`, { exact: true })
      .first()
      .waitFor()
    await page.getByText(`${primary?.basedOn} of ${primary?.basedOnTotal} judgments`).waitFor()
  })

  test('an address with an unknown part shows the first one, says so and is corrected', async () => {
    const { page, faults } = await demo.signedIn('memory?view=pattern')
    await page.getByText('This page has no part “pattern”, or your role may not see it. Here is Suggestion.').waitFor()
    await page.getByRole('tab', { name: 'Suggestion', selected: true }).waitFor()
    await expect.poll(() => page.url()).not.toContain('view=')
    expect(faults).toEqual([])
  })

  test('an address with a reason that recurs no longer says so', async () => {
    const { page, faults } = await demo.signedIn('memory?view=patterns&pattern=+gone')
    await page.getByText('The reason of this address recurs no longer.').waitFor()
    expect(faults).toEqual([])
  })

  /** The report of an evaluation, once it is completed. */
  async function reportOf(evaluationId: string) {
    const read = async () => (await demo.client.memory.getEvaluations({ evaluationId })).evaluations[0]
    await expect.poll(async () => (await read())?.status, { timeout: 40_000 }).toBe('completed')
    const report = (await read())?.report
    if (!report) throw new Error('There is no report.')
    return report
  }

  test.each([360, 1280])(
    'an evaluation shows calibration, accuracy over time and coverage, at %i px',
    async (width) => {
      const watched = await demo.signedIn('memory?view=quality', width)
      const { page } = watched
      await page.getByRole('button', { name: 'Evaluate now' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Evaluate now' }).click()
      // Until then the page shows the evaluation before.
      await expect.poll(() => page.url()).toContain('evaluation=')
      const report = await reportOf(new URL(page.url()).searchParams.get('evaluation') ?? '')
      await page.getByText('completed').waitFor()
      await page.getByRole('img', { name: 'Over time' }).waitFor()
      const percent = (share: number | null) => `${Math.round((share ?? 0) * 100)} %`
      const facts = page.locator('section', { hasText: 'Figures' }).first()
      await facts.getByText(percent(report.coverage), { exact: true }).first().waitFor()
      await facts.getByText(`${report.asked} of ${report.judgments} judgments`).waitFor()
      // The table beside the plot holds the numbers of the report.
      await page.getByText('The numbers of the chart as a table').first().click()
      const rows = page.getByRole('region', { name: 'Calibration' }).getByRole('row')
      expect(await rows.count()).toBe(report.calibration.length + 1)
      await expectSound(watched, 'memory-quality')
    },
  )

  test('an evaluation of judgments that are all of one moment has its chart over time too', async () => {
    const createdAt = Date.now()
    const judgments = [1, 2].map((n) => ({
      recordId: `at-once-${n}`,
      decision: 'approve',
      reasoning: 'The landing permit of the helicopter is valid.',
      content: 'Landing permit of a helicopter on the roof.',
      actionUser: { userId: 'ana', name: 'Ana Souza' },
      createdAt,
    }))
    await demo.client.memory.addJudgments({ judgments })
    const { evaluationId } = await demo.client.memory.evaluateMemory({ from: createdAt })
    expect(await reportOf(evaluationId)).toMatchObject({ asked: 2, overTime: [{ asked: 2 }] })
    const watched = await demo.signedIn(`memory?view=quality&evaluation=${evaluationId}`)
    await watched.page.getByText('With fewer than 100, chance moves them much.').waitFor()
    await watched.page.getByRole('img', { name: 'Over time' }).waitFor()
    await watched.page.getByRole('img', { name: 'Calibration' }).waitFor()
    await expectSound(watched, 'memory-quality-at-once')
  })

  test('judgments are imported from a file with progress; a line that is refused keeps no other out', async () => {
    const watched = await demo.signedIn('memory?view=judgments')
    const { page } = watched
    await page.getByText('made by a formula; it learns from 200 judgments').waitFor()
    const line = (judgment: object) =>
      JSON.stringify({ reasoning: 'Imported.', actionUser: { userId: 'ana', name: 'Ana' }, ...judgment })
    const lines = [
      ...Array.from({ length: 450 }, (_, n) => line({ recordId: `import-${n}`, decision: 'approve' })),
      line({ recordId: 'no-decision' }),
      'not JSON',
      line({ recordId: 'nowhere', decision: 'approve', organizationId: 'unknown' }),
    ]
    await page.getByLabel('CSV file, or JSON lines').setInputFiles({
      name: 'judgments.jsonl',
      mimeType: 'application/jsonl',
      buffer: Buffer.from(lines.join('\n')),
    })
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByText('450 added, 3 refused').waitFor()
    await page.getByText('The import is complete.').waitFor()
    const refused = page.getByRole('region', { name: 'Lines that were refused' })
    await refused.getByRole('row', { name: /451 .*decision/ }).waitFor()
    await refused.getByRole('row', { name: /452 .*JSON/ }).waitFor()
    await refused.getByRole('row', { name: /453 .*Organization does not exist/ }).waitFor()
    // The browser itself reports the request that the service refused for one of its lines.
    expect(watched.faults.splice(0)).toEqual([expect.stringContaining('400 (Bad Request)')])
    await expectSound(watched, 'memory-import')
    expect((await demo.client.memory.getMemoryStats({})).totalActivities).toBeGreaterThanOrEqual(480)
  })

  test('a file without ids that is imported again adds nothing twice', async () => {
    const { page } = await demo.signedIn('memory?view=judgments')
    const row = 'reject;No ids here.;ana'
    for (const time of ['first', 'second']) {
      await page.getByLabel('CSV file, or JSON lines').setInputFiles({
        name: `${time}.csv`,
        mimeType: 'text/csv',
        // Two people may have decided the same in the same words.
        buffer: Buffer.from(`Decision;Reasoning;Reviewer\n${row}\n${row}\n`),
      })
      await page.getByRole('button', { name: 'Import', exact: true }).click()
      await page.getByText('2 added').waitFor()
      const stored = (await demo.client.memory.exportJudgments({})).trim().split('\n')
      expect(stored.filter((line) => line.includes('No ids here.'))).toHaveLength(2)
      await page.reload()
    }
  })

  test('a line that is larger than a request may be keeps no other out of an import', async () => {
    const { page } = await demo.signedIn('memory?view=judgments')
    const line = (recordId: string, content: string) =>
      JSON.stringify({
        recordId,
        decision: 'approve',
        reasoning: 'Fine.',
        content,
        actionUser: { userId: 'ana', name: 'Ana' },
      })
    const lines = [line('small-1', 'Short.'), line('large', 'x'.repeat(6_000_000)), line('small-2', 'Short.')]
    await page.getByLabel('CSV file, or JSON lines').setInputFiles({
      name: 'judgments.jsonl',
      mimeType: 'application/jsonl',
      buffer: Buffer.from(lines.join('\n')),
    })
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByText('2 added, 1 refused').waitFor()
    await page.getByRole('row', { name: /2 .*The body must have at most 5242880 bytes/ }).waitFor()
  })

  test('whoever leaves an import that runs is told that it has stopped', async () => {
    const { page } = await demo.signedIn('memory?view=judgments')
    await page.route('**/api/call', (route) => {
      if (!route.request().postData()?.includes('judgments/add')) return route.continue()
    })
    await page.getByLabel('CSV file, or JSON lines').setInputFiles({
      name: 'judgments.jsonl',
      mimeType: 'application/jsonl',
      buffer: Buffer.from('{"decision":"approve","reasoning":"Fine.","actionUser":{"userId":"ana"}}'),
    })
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByRole('button', { name: 'Stop' }).waitFor()
    await page.getByRole('tab', { name: 'Patterns' }).click()
    await page.getByRole('status').getByText('The import was stopped.').waitFor()
  })

  test.each([360, 1280])('judgments are imported from a CSV file of a spreadsheet, at %i px', async (width) => {
    const watched = await demo.signedIn('memory?view=judgments', width)
    const { page } = watched
    const choose = (text: string) =>
      page
        .getByLabel('CSV file, or JSON lines')
        .setInputFiles({ name: 'cases.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
    const head = 'Record id;Decision;Reasoning;Reviewer;Reviewer name;Created at'
    await choose(`${head};Mood\n`)
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByRole('alert').getByText('Judgments have no column “Mood”.').waitFor()
    await choose(`${head}\ncsv-${width};reject;"Too loud; at night";ana;Ana Souza;2026-01-31\nno-side;;Why;ana;;\n`)
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByText('1 added, 1 refused').waitFor()
    await page
      .getByRole('region', { name: 'Lines that were refused' })
      .getByRole('row', { name: /3 .*decision/ })
      .waitFor()
    expect(watched.faults.splice(0)).toEqual([expect.stringContaining('400 (Bad Request)')])
    await expectSound(watched, 'memory-import-csv')
    const stored = (await demo.client.memory.exportJudgments({})).trim().split('\n')
    expect(stored.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({
        recordId: `csv-${width}`,
        reasoning: 'Too loud; at night',
        actionUser: { userId: 'ana', name: 'Ana Souza' },
        createdAt: Date.UTC(2026, 0, 31),
      }),
    )
  })
})
