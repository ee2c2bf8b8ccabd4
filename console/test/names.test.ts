import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBrowser } from './browser.ts'
import { startDemoConsole } from './demo-console.ts'

const executable = findBrowser()
const SHOWN = 10
const COUNT = SHOWN + 2

describe.skipIf(!executable)('names in the console', { timeout: 60_000 }, () => {
  let demo: Awaited<ReturnType<typeof startDemoConsole>>
  beforeAll(async () => {
    demo = await startDemoConsole(executable ?? '')
    const { client } = demo
    const numbers = Array.from({ length: COUNT }, (_, n) => n)
    const organizations = numbers.map((n) => ({ organizationId: `shop-${n}`, organizationName: `Shop ${n}` }))
    await client.organizations.addOrganizations({ organizations })
    for (const n of numbers) {
      const place = { organizationId: `shop-${n}`, documentId: 'terms' }
      const documents = [{ documentId: 'terms', documentName: `Terms of shop ${n}` }]
      await client.documents.addDocuments({ organizationId: place.organizationId, documents })
      const judgment = { decision: 'approve', reasoning: `Fine ${n}.`, actionUser: { userId: 'maya', name: 'Maya' } }
      await client.memory.addJudgments({ ...place, judgments: [{ ...judgment, createdAt: Date.now() + n }] })
    }
  }, 120_000)
  afterAll(() => demo?.stop())

  test('are asked for what is shown alone, once, those of a kind together', async () => {
    const { page } = await demo.signedIn('start')
    const asked: { operation: string; data: { organizationIds?: string[]; documentIds?: string[] } }[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/api/call')) asked.push(JSON.parse(request.postData() ?? ''))
    })
    const asking = (operation: string) => asked.filter((each) => each.operation === operation).map(({ data }) => data)
    await page.goto(`${demo.web.url}memory?view=judgments`)
    await page.getByRole('link', { name: 'Shop 11, Terms of shop 11' }).waitFor()
    await page.getByRole('link', { name: 'Shop 2, Terms of shop 2' }).waitFor()
    const documents = '/v2/organizations/documents/get'
    expect(asking(documents)).toHaveLength(SHOWN)
    const named = () => asking('/v2/organizations/get').filter(({ organizationIds }) => organizationIds)
    expect(named().map(({ organizationIds }) => organizationIds?.length)).toEqual([SHOWN])
    asked.length = 0
    await page.getByRole('button', { name: /^Show all/ }).click()
    await page.getByRole('link', { name: 'Shop 0, Terms of shop 0' }).waitFor()
    expect(asking(documents)).not.toContainEqual(expect.objectContaining({ organizationId: 'shop-11' }))
    const rest = named().flatMap(({ organizationIds = [] }) => organizationIds)
    expect(rest).toEqual(expect.arrayContaining(['shop-1', 'shop-0']))
    expect(rest).not.toContain('shop-11')
  })
})
