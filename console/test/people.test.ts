import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBrowser } from './browser.ts'
import { expectSound, startDemoConsole } from './demo-console.ts'

const executable = findBrowser()
const ORGANIZATION = 'northwind'

describe.skipIf(!executable)('people and user groups that are changed by a click', { timeout: 60_000 }, () => {
  let demo: Awaited<ReturnType<typeof startDemoConsole>>
  beforeAll(async () => {
    demo = await startDemoConsole(executable ?? '')
  }, 120_000)
  afterAll(() => demo?.stop())

  const stored = async (userId: string) =>
    (await demo.client.users.getUsers({ organizationId: ORGANIZATION, userIds: [userId] })).data[0]

  async function opened(width?: number) {
    const watched = await demo.signedIn('people', width)
    const { page } = watched
    const dialog = page.getByRole('dialog').last()
    const change = async (name: string, fields: Record<string, string>) => {
      await page.getByRole('button', { name, exact: true }).click()
      for (const [label, text] of Object.entries(fields)) await dialog.getByLabel(label).fill(text)
      await dialog.getByRole('button', { name, exact: true }).click()
    }
    return { watched, page, dialog, change }
  }

  test.each([360, 1280])('a person is added, changed and removed, at %i px', async (width) => {
    const { watched, page, dialog, change } = await opened(width)
    const userId = `olga-${width}`
    await change('Add a person', { Name: 'Olga Berg', 'User id': userId, Email: `${userId}@northwind.example` })
    await page.getByText('Olga Berg is in the organization.').waitFor()
    await page.getByRole('button', { name: 'Olga Berg' }).click()
    await dialog.getByText(`${userId}@northwind.example`).waitFor()
    await change('Edit name and email', { Name: 'Olga <b>Holm', Email: '' })
    await page.getByRole('dialog', { name: 'Olga <b>Holm' }).waitFor()
    await expect.poll(() => stored(userId)).toMatchObject({ name: 'Olga <b>Holm' })
    expect(await stored(userId)).not.toHaveProperty('email')
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await page.getByRole('dialog', { name: 'Olga Berg' }).waitFor()
    await expect.poll(() => stored(userId)).toMatchObject({ name: 'Olga Berg', email: `${userId}@northwind.example` })
    await expectSound(watched, 'person-actions')
    await page.getByRole('button', { name: 'Remove from the organization' }).click()
    await dialog.getByText('Olga Berg is no member any more').waitFor()
    await dialog.getByRole('button', { name: 'Remove from the organization' }).click()
    await page.getByText('Olga Berg is removed.').waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Olga Berg' }).waitFor({ state: 'detached' })
  })

  test('an organization without people says how somebody comes in', async () => {
    await demo.client.organizations.addOrganizations({ organizations: [{ organizationId: 'empty' }] })
    const { page } = await demo.signedIn('people?organizationId=empty')
    await page.getByText('Nobody is in the organization yet.').waitFor()
    await page.getByLabel('Part of name or email').fill('nobody')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByText('Nobody fits.').waitFor()
  })

  test('an address that was never given cannot be given back, so no way back is offered', async () => {
    await demo.client.users.addUsers({ organizationId: ORGANIZATION, users: [{ userId: 'nils', name: 'Nils Dahl' }] })
    const { page, dialog, change } = await opened()
    await page.getByRole('button', { name: 'Nils Dahl' }).click()
    await dialog.getByText('nils', { exact: true }).waitFor()
    await change('Edit name and email', { Email: 'nils@northwind.example' })
    await page.getByText('The person is changed, in all organizations.').waitFor()
    await expect.poll(() => stored('nils')).toMatchObject({ email: 'nils@northwind.example' })
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
  })

  test.each([360, 1280])('a group is added, filled and deleted, at %i px', async (width) => {
    const { watched, page, dialog, change } = await opened(width)
    const groupId = `legal-${width}`
    await change('Add a user group', { Name: 'Legal team', 'Group id': groupId })
    await page.getByText('The group Legal team is added.').waitFor()
    await page.getByText('Nobody is in the group.').waitFor()
    await page.getByRole('button', { name: 'Add somebody to the group' }).click()
    await dialog.getByLabel('Person').fill('Priya Raman')
    await page.getByRole('option', { name: /Priya Raman/ }).click()
    await dialog.getByRole('button', { name: 'Add somebody to the group' }).click()
    const row = page.getByRole('row', { name: /Priya Raman/ })
    await row.getByRole('button', { name: 'Take out' }).waitFor()
    expect(await page.getByRole('row', { name: /Maya Okafor/ }).count()).toBe(0)
    await expectSound(watched, 'group')
    await row.getByRole('button', { name: 'Take out' }).click()
    await row.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await row.waitFor()
    const group = page.getByRole('group', { name: 'The group Legal team' })
    await group.getByRole('button', { name: 'Delete the group' }).click()
    await dialog.getByText('Deletes the group Legal team. Its people stay.').waitFor()
    await dialog.getByRole('button', { name: 'Delete the group' }).click()
    await page.getByRole('row', { name: /Maya Okafor/ }).waitFor()
    expect(new URL(page.url()).searchParams.get('group')).toBe(null)
    const { data } = await demo.client.userGroups.getUserGroups({ organizationId: ORGANIZATION })
    expect(data.map((each) => each.groupId)).not.toContain(groupId)
  })
})
