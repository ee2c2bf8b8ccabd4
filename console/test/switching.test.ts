import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOperatorLink } from '../../server/src/areas/operators/access/link.ts'
import { newWorkspace } from '../../server/test/running-service.ts'
import { findBrowser } from './browser.ts'
import { startDemoConsole } from './demo-console.ts'

const executable = findBrowser()
const PEOPLE = Array.from({ length: 55 }, (_, n) => ({ userId: `p${n}`, name: `Person ${n}` }))

describe.skipIf(!executable)('from one to another in the console', { timeout: 60_000 }, () => {
  let demo: Awaited<ReturnType<typeof startDemoConsole>>
  beforeAll(async () => {
    demo = await startDemoConsole(executable ?? '')
    const { client } = demo
    const organizations = [{ organizationId: 'south', organizationName: 'Southwind' }]
    await client.organizations.addOrganizations({ organizations })
    await client.documents.addDocuments({
      organizationId: 'south',
      documents: [{ documentId: 'plan', documentName: 'Plan of the south' }],
    })
    await client.users.addUsers({ organizationId: 'south', users: PEOPLE })
  }, 120_000)
  afterAll(() => demo?.stop())

  const choose = async (page: Page, organization: string) => {
    await page.getByLabel('Organization', { exact: true }).selectOption(organization)
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.waitForURL(new RegExp(`organizationId=${organization}`))
  }

  test('the token that is filled in does not go along to another API key', async () => {
    const { page } = await demo.signedIn('start')
    const headers = {
      'content-type': 'application/json',
      'x-service-workspace-id': demo.review.workspaceId,
      'x-service-workspace-auth-token': demo.review.workspaceAuthToken,
    }
    const data = { ownerEmail: 'new@northwind.example', type: 'testing', apiKeyName: 'Another' }
    await demo.service.call('/v2/workspace/apikey/create', data, headers)
    await page.reload()
    await page.getByRole('button', { name: 'Fill in the token' }).click()
    await page.getByText(demo.review.authToken).first().waitFor()
    await page.getByLabel('Workspace and API key').selectOption({ label: 'Another' })
    await page.getByRole('button', { name: 'Fill in the token' }).waitFor()
    expect(await page.getByText(demo.review.authToken).count()).toBe(0)
  })

  test('that a log is intact is said of the organization that is shown', async () => {
    const { page } = await demo.signedIn('activity?organizationId=northwind')
    await page.getByRole('button', { name: 'Verify the log' }).click()
    await page.getByText('The log is intact').waitFor()
    await choose(page, 'south')
    await page.getByText('The log is intact').waitFor({ state: 'detached' })
  })

  test('a signature is shown of what is asked now', async () => {
    const { page } = await demo.signedIn('access?organizationId=south&userId=p1&resource=plan')
    await page.getByRole('button', { name: 'Sign this answer' }).click()
    await page.getByText('"signature"').waitFor()
    await page.getByRole('combobox', { name: 'Person' }).fill('p2')
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByRole('heading', { name: 'Person 2 and Plan of the south' }).waitFor()
    expect(await page.getByText('"signature"').count()).toBe(0)
  })

  test('after Back the fields offer what is in the organization that is shown', async () => {
    const { page } = await demo.signedIn('threads?organizationId=northwind')
    await choose(page, 'south')
    const field = page.getByRole('combobox', { name: 'Document' })
    await field.click()
    await page.getByRole('option', { name: 'Plan of the south' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: /^Refund policy/ }).waitFor()
    await field.click()
    await page.getByRole('option', { name: /^Refund policy/ }).waitFor()
    expect(await page.getByRole('option', { name: 'Plan of the south' }).count()).toBe(0)
  })

  test('the organization that was shown last stays chosen on pages that show one', async () => {
    const { page } = await demo.signedIn('browse?organizationId=south')
    const go = async (name: string) => {
      await page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
      await page.getByRole('heading', { name, level: 1 }).waitFor()
    }
    const organization = page.getByLabel('Organization', { exact: true })
    await go('Threads')
    await expect.poll(() => organization.inputValue()).toBe('south')
    await go('Email')
    expect(page.url()).not.toContain('organizationId')
    await go('People')
    await expect.poll(() => organization.inputValue()).toBe('south')
    await page.getByRole('button', { name: 'Go to' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Activity' }).click()
    await page.waitForURL(/activity\?.*organizationId=south/)
    await go('Browse')
    await page.getByRole('button', { name: 'Southwind' }).waitFor()
    await go('Threads')
    expect(page.url()).not.toContain('organizationId')
  })

  test('a document is left out when another organization is chosen, and comes back with its own', async () => {
    const { page } = await demo.signedIn('threads?organizationId=south&documentId=plan')
    const document = page.getByRole('combobox', { name: 'Document' })
    await expect.poll(() => document.inputValue()).toBe('Plan of the south')
    const organization = page.getByLabel('Organization', { exact: true })
    await organization.selectOption('northwind')
    await expect.poll(() => document.inputValue()).toBe('')
    await organization.selectOption('south')
    await expect.poll(() => document.inputValue()).toBe('Plan of the south')
    await choose(page, 'northwind')
    await page.getByRole('heading', { name: /^Refund policy/ }).waitFor()
  })

  test('a person is opened by an address though the list does not show them yet', async () => {
    const { page } = await demo.signedIn('people?organizationId=south')
    await page.getByRole('button', { name: 'Show more' }).waitFor()
    const names = await page.getByRole('row').getByRole('button').allTextContents()
    const later = PEOPLE.find(({ name }) => !names.includes(name))
    await page.goto(`${demo.web.url}people?organizationId=south&user=${later?.userId}`)
    await page.getByRole('dialog', { name: later?.name ?? '', exact: true }).waitFor()
    await page.goto(`${demo.web.url}people?organizationId=south&user=nobody`)
    await page.getByRole('dialog').getByText('There is no such person here.').waitFor()
  })

  test('a list says how many are shown, and keeps its place when a row is closed and on the way back', async () => {
    const { page } = await demo.signedIn('people?organizationId=south')
    await page.getByText('50 are shown.').waitFor()
    await page.getByRole('button', { name: 'Show more' }).click()
    await page.getByText(`${PEOPLE.length} in all.`).waitFor()
    const last = page.getByRole('row').last().getByRole('button')
    await last.scrollIntoViewIfNeeded()
    const place = await page.evaluate('scrollY')
    expect(place).toBeGreaterThan(500)
    await last.click()
    const link = page.getByRole('dialog').getByRole('link', { name: 'Notifications' })
    await link.waitFor()
    expect(await page.evaluate('scrollY')).toBe(place)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await page.evaluate('scrollY')).toBe(place)
    await last.click()
    await link.click()
    await page.getByRole('heading', { name: 'Notifications', level: 1 }).waitFor()
    expect(await page.evaluate('scrollY')).toBe(0)
    await page.goBack()
    await page.keyboard.press('Escape')
    await page.getByText(`${PEOPLE.length} in all.`).waitFor()
    await expect.poll(() => page.evaluate('scrollY')).toBe(place)
  })

  test('who signs in after somebody else sees nothing that was read for them', async () => {
    const { page } = await demo.asOperator(`start?key=${demo.review.apiKey}`)
    const other = await newWorkspace(demo.service)
    await page.getByRole('heading', { name: 'First steps' }).waitFor()
    // The page reads the steps again and again.
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'With the token of a workspace instead' }).click()
    await page.getByLabel('Workspace id').fill(other.id)
    await page.getByLabel('Auth token of the workspace').fill(other.authToken)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('There is no API key of this id, or your session does not reach it.').waitFor()
    expect(await page.getByRole('banner').count()).toBe(0)
  })

  test('a link signs in the one that it is for, whoever is signed in', async () => {
    const { page } = await demo.signedIn('')
    const token = await createOperatorLink(demo.service.database, 'nora@example.com')
    await page.goto(`${demo.web.url}#token=${token}`)
    await page.getByText('You sign in as nora@example.com with it.').waitFor()
    await page.getByRole('button', { name: 'Not now' }).click()
    await page.getByRole('banner').getByText('nora@example.com').waitFor()
    expect(page.url()).not.toContain(token)
  })
})
