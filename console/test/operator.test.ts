import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../../client/src/index.ts'
import { sql } from '../../server/src/platform/db/db.ts'
import { findBrowser } from './browser.ts'
import { expectSound, startDemoConsole } from './demo-console.ts'

const executable = findBrowser()

describe.skipIf(!executable)('the page Operator', { timeout: 60_000 }, () => {
  let demo: Awaited<ReturnType<typeof startDemoConsole>>
  beforeAll(async () => {
    demo = await startDemoConsole(executable ?? '')
  }, 120_000)
  afterAll(() => demo?.stop())

  test.each([360, 1280])('shows what runs: processes, queues, database and retention, at %i px', async (width) => {
    const watched = await demo.asOperator('operator', width)
    const { page } = watched
    const processes = page.getByRole('region', { name: 'Processes' })
    await processes.getByText(`(${process.pid})`).waitFor()
    for (const column of ['Clock behind the database by', 'Memory for indexes of judgments'])
      await processes.getByText(column).first().waitFor({ state: 'attached' })
    await processes
      .getByText(/[\d.]+\s\w+ used, [\d.,]+\s\w+ at most/)
      .first()
      .waitFor({ state: 'attached' })
    const queues = page.getByRole('region', { name: 'Queues' }).getByRole('row')
    await queues.filter({ hasText: 'Send events to endpoints deliveries' }).waitFor()
    // Each has words beside its name.
    expect(await queues.locator('td:first-of-type:not(:has(.muted))').allTextContents()).toEqual([])
    await page.getByText(/^(embedded )?PostgreSQL \d/).waitFor()
    await page.getByText('Events and deliveries are kept for').waitFor()
    await expectSound(watched, 'operator')
  })

  test('tells the age of what is due in a queue, and none of what is due later', async () => {
    const { page } = await demo.asOperator('operator?view=people')
    await page.route('**/installation/get', async (route) => {
      const response = await route.fetch()
      const { result, ...rest } = await response.json()
      const at = result.data.time
      const queues = [
        { queue: 'due', depth: 2, oldestAt: at - 4_000, oldestAgeMs: 4_000 },
        { queue: 'later', depth: 1, oldestAt: at + 4_000, oldestAgeMs: 0 },
        { queue: 'many', depth: 10_000, oldestAt: null, oldestAgeMs: 0 },
      ]
      await route.fulfill({ response, json: { ...rest, result: { ...result, data: { ...result.data, queues } } } })
    })
    await page.getByRole('tab', { name: 'Installation' }).click()
    const rows = page.getByRole('region', { name: 'Queues' }).getByRole('row')
    await expect
      .poll(async () => (await rows.allTextContents()).slice(1))
      .toEqual(['due24\u00a0s', 'later1–', 'many10,000 or more–'])
  })

  test.each([360, 1280])('shows workspaces, operators and the audit, at %i px', async (width) => {
    const watched = await demo.asOperator('operator?view=workspaces', width)
    const { page } = watched
    await page.getByRole('region', { name: 'Workspaces' }).getByText(demo.review.workspaceId).waitFor()
    await expectSound(watched, 'operator-workspaces')
    await page.getByRole('tab', { name: 'Operators' }).click()
    await page.getByRole('region', { name: 'Operators' }).getByText('operator@localhost').waitFor()
    await expectSound(watched, 'operator-people')
    await page.getByRole('tab', { name: 'Audit' }).click()
    await page
      .getByRole('region', { name: 'Audit records' })
      .getByText('/console/api/session/sign-in')
      .first()
      .waitFor()
    await expectSound(watched, 'operator-audit')
  })

  test('finds a workspace by a part of its name, and leads to its API key', async () => {
    const { page } = await demo.asOperator('operator?view=workspaces')
    const search = page.getByLabel('Part of a name, an id or an address of the owner')
    await search.fill('nothing is named so')
    await page.getByRole('button', { name: 'Find', exact: true }).click()
    await page.getByText('No workspace fits.').waitFor()
    await search.fill('orthwin')
    await page.getByRole('button', { name: 'Find', exact: true }).click()
    await page.getByRole('region', { name: 'Workspaces' }).getByRole('link').first().click()
    await page.getByRole('heading', { level: 1, name: 'Start' }).waitFor()
    expect(page.url()).toContain(`key=${demo.review.apiKey}`)
  })

  test.each([360, 1280])(
    'a workspace is created, and what its owner signs in with is shown, at %i px',
    async (width) => {
      const watched = await demo.asOperator('operator?view=workspaces', width)
      const { page } = watched
      const dialog = page.getByRole('dialog')
      await page.getByRole('button', { name: 'Create a workspace' }).click()
      await dialog.getByLabel('Email of its owner').fill(`owner-${width}@fjord.example`)
      await dialog.getByLabel('Name of the workspace').fill(`Fjord ${width}`)
      await dialog.getByRole('button', { name: 'Create a workspace' }).click()
      await page.getByRole('dialog', { name: 'The workspace is created' }).waitFor()
      await expectSound(watched, 'workspace-created')
      const [workspaceId = '', authToken = ''] = await dialog.getByRole('definition').allTextContents()
      const owner = createClient({ baseUrl: demo.service.url, workspaceId, workspaceAuthToken: authToken })
      expect((await owner.workspaces.getWorkspace({})).data).toMatchObject({ id: workspaceId, name: `Fjord ${width}` })
      await dialog.getByRole('button', { name: 'Close' }).first().click()
      await page.getByRole('region', { name: 'Workspaces' }).getByText(workspaceId).waitFor()
      expect(await page.content()).not.toContain(authToken)
    },
  )

  test('an address with an unknown API key shows no other one, and leads on', async () => {
    const watched = await demo.open('deliveries?key=unknown', 1280, await demo.operatorCookies())
    const { page } = watched
    await page.getByText('There is no API key of this id').waitFor()
    await expectSound(watched, 'unknown-key')
    await page.getByRole('link', { name: 'Open the console without it.' }).click()
    await page.getByRole('heading', { level: 1, name: 'Start' }).waitFor()
  })

  test('the API key of a workspace beyond the first hundred is found', async () => {
    const { database } = demo.service
    // A hundred workspaces whose ids come before all others.
    await database.query(sql`
      insert into workspace (id, name, owner_id, owner_name, owner_email, token_hash, token_sealed)
      select 'ws_00' || n, 'Workspace ' || n, 'owner', 'Owner', 'owner@northwind.example', '', '' from generate_series(100, 199) n`)
    try {
      const { page } = await demo.asOperator(`operator?key=${demo.review.apiKey}`)
      expect(await page.getByLabel('Workspace and API key').inputValue()).toBe(demo.review.apiKey)
    } finally {
      await database.query(sql`delete from workspace where id like 'ws_00%'`)
    }
  })

  test('invites an operator with a link that signs in, changes the role and removes them', async () => {
    const watched = await demo.asOperator('operator?view=people')
    const { page } = watched
    await page.getByRole('button', { name: 'Invite an operator' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Email').fill('vera@example.com')
    await dialog.getByLabel('Role').selectOption('viewer')
    await dialog.getByRole('combobox', { name: 'Only this workspace' }).fill('northw')
    await dialog.getByRole('option', { name: /Northwind/ }).click()
    await dialog.getByRole('button', { name: 'Invite an operator' }).click()
    const link = new URL((await dialog.getByText('/console/#token=').textContent()) ?? '')
    await dialog.getByRole('button', { name: 'Copy' }).waitFor()
    await expectSound(watched, 'operator-link')
    await page.keyboard.press('Escape')
    expect(await page.content()).not.toContain(link.hash)

    const invited = await demo.open(link.hash)
    await invited.page.getByRole('button', { name: 'Not now' }).click()
    await invited.page.getByText('vera@example.com').waitFor()

    await page.getByRole('button', { name: 'Invite an operator' }).click()
    await dialog.getByLabel('Email').fill('vera@example.com')
    await dialog.getByRole('button', { name: 'Invite an operator' }).click()
    await dialog.locator('input[name=email]:focus[aria-invalid=true]').waitFor()
    await page.keyboard.press('Escape')

    const operators = page.getByRole('region', { name: 'Operators' })
    const vera = operators.getByRole('row', { name: /vera@example\.com/ })
    await vera.getByText(demo.review.workspaceId).waitFor()
    await vera.getByRole('button', { name: 'Change the role' }).click()
    await dialog.getByLabel('Role').selectOption('reviewer')
    await dialog.getByRole('button', { name: 'Change the role' }).click()
    await vera.getByText('reviewer', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await vera.getByText('viewer', { exact: true }).waitFor()

    await vera.getByRole('button', { name: 'End sessions' }).click()
    await dialog.getByRole('button', { name: 'End sessions' }).click()
    await page.getByText('vera@example.com is signed out.').waitFor()
    await invited.page.reload()
    await invited.page.getByRole('heading', { name: 'Sign in' }).waitFor()

    await vera.getByRole('button', { name: 'Remove' }).click()
    await dialog.getByText('You can invite them again.').waitFor()
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await expect.poll(() => vera.count()).toBe(0)
  })

  test('refuses to remove the last operator, and says why', async () => {
    const { page } = await demo.asOperator('operator?view=people')
    const row = page.getByRole('row', { name: /operator@localhost/ })
    await row.getByRole('button', { name: 'Remove' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await dialog.getByRole('alert').getByText('The last operator must stay').waitFor()
  })

  test('filters the audit by the address, and a record opens by its link', async () => {
    const watched = await demo.asOperator('operator?view=audit&action=%2Fconsole%2Fapi%2Fsession%2Fsign-in')
    const { page } = watched
    const records = page.getByRole('region', { name: 'Audit records' })
    await records.getByRole('button').first().click()
    await page.getByRole('dialog').getByText('What was sent, without secrets').first().waitFor()
    expect(page.url()).toContain('record=')
    await page.reload()
    await page.getByRole('dialog').getByText('What was sent, without secrets').first().waitFor()
    await expectSound(watched, 'audit-record')
    await page.keyboard.press('Escape')
    await page.getByLabel('Who').fill('nobody@example.com')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByText('No record fits.').waitFor()
  })

  test('exports the audit records that the filters admit', async () => {
    const { page } = await demo.asOperator('operator?view=audit&action=%2Fconsole%2Fapi%2Fsession%2Fsign-in')
    await page.getByRole('region', { name: 'Audit records' }).getByRole('row').nth(1).waitFor()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click()
    const text = await readFile(await (await download).path(), 'utf8')
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.pop()).toEqual({ kind: 'end', records: lines.length })
    expect(lines.length).toBeGreaterThan(0)
    for (const line of lines) expect(line).toMatchObject({ action: '/console/api/session/sign-in' })
    // The export has left a record itself.
    await page.getByLabel('Operation', { exact: true }).fill('/console/api/audit/export')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByRole('region', { name: 'Audit records' }).getByText('/console/api/audit/export').first().waitFor()
  })

  test('verifies the audit, and names the first record that was changed', async () => {
    const { page } = await demo.asOperator('operator?view=audit')
    const verdict = async () => {
      await page.getByRole('button', { name: 'Verify the audit' }).click()
      return page.getByRole('dialog').getByRole('status').first().textContent()
    }
    expect(await verdict()).toMatch(/^All \d+ records fit\.$/)
    await page.keyboard.press('Escape')
    await demo.service.database.query(sql`update audit_record set actor = 'somebody else' where seq = 1`)
    expect(await verdict()).toBe('Record 1 was changed, removed or put in.')
  })

  test('shows an admin of one workspace that workspace and its audit alone', async () => {
    const watched = await demo.signedIn('operator')
    const { page } = watched
    await page.getByRole('region', { name: 'Workspaces' }).getByText(demo.review.workspaceId).waitFor()
    await page.getByRole('tab', { name: 'Audit' }).click()
    await page.getByRole('heading', { name: 'Audit' }).waitFor()
    expect(await page.getByRole('tab').allTextContents()).toEqual(['Workspaces', 'Audit'])
    expect(await page.getByRole('button', { name: 'Verify the audit' }).count()).toBe(0)
    expect(watched.faults).toEqual([])
  })
})
