import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBrowser } from './browser.ts'
import { expectSound, startDemoConsole } from './demo-console.ts'
import { addReturnsPolicy } from './demo-data.ts'

const executable = findBrowser()
const ORGANIZATION = 'northwind'

describe.skipIf(!executable)('the page Access', { timeout: 60_000 }, () => {
  let demo: Awaited<ReturnType<typeof startDemoConsole>>
  beforeAll(async () => {
    demo = await startDemoConsole(executable ?? '')
    await addReturnsPolicy(demo.client)
  }, 120_000)
  afterAll(() => demo?.stop())

  test.each([360, 1280])('says why somebody may open a document, or may not, at %i px', async (width) => {
    await demo.client.documents.updateDocumentsAccess({
      organizationId: ORGANIZATION,
      documentIds: ['returns'],
      accessType: 'restricted',
    })
    const watched = await demo.signedIn('access', width)
    const { page } = watched
    await page.getByText('Nothing is asked yet.').waitFor()
    const person = page.getByRole('combobox', { name: 'Person' })
    const place = page.getByRole('combobox', { name: 'Document or folder' })
    await person.fill('okafor')
    await page.getByRole('option', { name: /Maya Okafor/ }).waitFor()
    await person.press('ArrowDown')
    await person.press('Enter')
    expect(await person.inputValue()).toBe('Maya Okafor')
    await place.click()
    await page.getByRole('option', { name: /Refund policy, draft 3/ }).click()
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByText('yes').first().waitFor()
    // In the address stands the id, in the field the name.
    expect(page.url()).toContain('userId=maya')
    expect(await person.inputValue()).toBe('Maya Okafor')
    await page.reload()
    await expect.poll(() => person.inputValue()).toBe('Maya Okafor')
    await page.getByRole('heading', { name: 'Maya Okafor and Refund policy, draft 3' }).waitFor()
    // A name that fits one place alone stands for it.
    await place.fill('Returns <b>')
    await page.getByRole('option', { name: /Returns <b>policy/ }).waitFor()
    await place.press('Enter')
    await page.getByText('The place is restricted, and there is no grant.').first().waitFor()
    // The levels that lead to it: the organization, its folder, the document.
    const tree = page.locator('.tree').first()
    await tree.getByText('Northwind Traders').waitFor()
    await tree.getByText('Policies').waitFor()
    await tree.getByText('asked about').waitFor()
    await page.getByRole('region', { name: 'Grants of this person' }).getByText('northwind').waitFor()
    await expectSound(watched, 'access')
  })

  test.each([360, 1280])('is given to a folder and taken away, each with a way back, at %i px', async (width) => {
    const place = { organizationId: ORGANIZATION, folderIds: ['drafts'] }
    await demo.client.folders.updateFoldersAccess({ ...place, accessType: 'restricted' })
    const watched = await demo.signedIn('access?userId=priya&kind=folder&resource=drafts', width)
    const { page } = watched
    const grants = page.getByRole('region', { name: 'Grants of this person' })
    const row = grants.getByRole('row', { name: /Drafts/ })
    await page.getByText('The place is restricted, and there is no grant.').first().waitFor()
    await page.getByRole('button', { name: 'Give access' }).click()
    const dialog = page.getByRole('dialog', { name: 'Give access' })
    // The place that was asked about is filled in.
    await expect.poll(() => dialog.getByRole('combobox', { name: 'Document or folder' }).inputValue()).toBe('Drafts')
    await dialog.getByLabel('Role').selectOption('viewer')
    await expectSound(watched, 'access-give')
    await dialog.getByRole('button', { name: 'Give access' }).click()
    await row.getByText('viewer').waitFor()
    await page.getByText('The grant is for viewing only.').first().waitFor()
    await row.getByRole('button', { name: 'Take away' }).click()
    await row.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await row.getByText('viewer').waitFor()
    await expectSound(watched, 'access-given')
    await row.getByRole('button', { name: 'Take away' }).click()
    await row.waitFor({ state: 'detached' })
  })

  test('is not given until a time that is over', async () => {
    const { page } = await demo.signedIn('access?userId=priya&kind=document&resource=refund-policy')
    await page.getByRole('button', { name: 'Give access' }).click()
    const dialog = page.getByRole('dialog', { name: 'Give access' })
    await dialog.getByLabel('Until').fill('2020-01-01T00:00')
    await dialog.getByRole('button', { name: 'Give access' }).click()
    await dialog.getByRole('alert').getByText('This time is over.').waitFor()
  })

  test('the membership of an organization is taken after a question, with a way back', async () => {
    const { page } = await demo.signedIn('access?userId=jonas')
    const grants = page.getByRole('region', { name: 'Grants of this person' })
    const row = grants.getByRole('row', { name: /organization/ })
    await row.getByRole('button', { name: 'Take away' }).click()
    const dialog = page.getByRole('dialog', { name: 'Take away' })
    await dialog.getByText(`Jonas Lind will be no member of Northwind Traders.`).waitFor()
    await dialog.getByRole('button', { name: 'Take away' }).click()
    await row.getByText('User does not have access to organization').waitFor()
    expect(await row.getByRole('button', { name: 'Take away' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await row.getByRole('button', { name: 'Take away' }).waitFor()
  })

  test('a question about a row stays open when the names of the list arrive', async () => {
    const { page } = await demo.signedIn('start')
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/api/call', async (route) => {
      if (route.request().postData()?.includes('"organizationIds"')) await released
      await route.continue()
    })
    await page.goto(`${demo.web.url}access?organizationId=${ORGANIZATION}&userId=jonas`)
    const row = page.getByRole('region', { name: 'Grants of this person' }).getByRole('row', { name: /organization/ })
    await row.getByRole('button', { name: 'Take away' }).click()
    const dialog = page.getByRole('dialog', { name: 'Take away' })
    await dialog.waitFor()
    expect(await row.textContent()).not.toContain('Northwind Traders')
    release()
    await row.getByRole('cell', { name: 'Northwind Traders', exact: true }).waitFor()
    expect(await dialog.isVisible()).toBe(true)
  })

  test('that gives access fields is taken after a question, and without a way back that would lose them', async () => {
    const resources = [{ type: 'document' as const, id: 'refund-policy', organizationId: ORGANIZATION }]
    const given = resources.map((resource) => ({ ...resource, accessFields: ['dept:finance'] }))
    await demo.client.permissions.addPermissions({ user: { userId: 'finn' }, permissions: { resources: given } })
    const { page } = await demo.signedIn('access?userId=finn')
    const row = page.getByRole('region', { name: 'Grants of this person' }).getByRole('row', { name: /Refund policy/ })
    await row.getByRole('button', { name: 'Take away' }).click()
    const dialog = page.getByRole('dialog', { name: 'Take away' })
    await dialog.getByText('Access fields that were given with it go too. This cannot be undone.').waitFor()
    await dialog.getByRole('button', { name: 'Take away' }).click()
    await page.getByRole('status').getByText('is taken away.').waitFor()
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
  })

  test('offers folders where a folder is asked about', async () => {
    const { page } = await demo.signedIn('access')
    await page.getByLabel('Kind').selectOption('folder')
    await page.getByRole('combobox', { name: 'Document or folder' }).click()
    await page.getByRole('option', { name: /Policies/ }).waitFor()
    expect(await page.getByRole('option', { name: /Refund/ }).count()).toBe(0)
  })

  test('an answer is signed as a permission provider would', async () => {
    const { page } = await demo.signedIn('access?userId=maya&kind=document&resource=refund-policy')
    await page.getByRole('button', { name: 'Sign this answer' }).click()
    const signed = JSON.parse((await page.getByRole('region', { name: 'Sign this answer' }).textContent()) ?? '')
    expect(signed).toEqual({
      data: [{ userId: 'maya', resourceId: 'refund-policy', type: 'document', hasAccess: true, accessRole: 'editor' }],
      signature: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
  })
})
