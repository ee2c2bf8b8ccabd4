import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBrowser } from './browser.ts'
import { expectSound, startDemoConsole } from './demo-console.ts'
import { addReturnsPolicy } from './demo-data.ts'

const executable = findBrowser()

describe.skipIf(!executable)(
  'organizations, folders and documents that are changed by a click',
  {
    timeout: 60_000,
  },
  () => {
    let demo: Awaited<ReturnType<typeof startDemoConsole>>
    beforeAll(async () => {
      demo = await startDemoConsole(executable ?? '')
      await addReturnsPolicy(demo.client)
    }, 120_000)
    afterAll(() => demo?.stop())

    async function opened(path: string, width?: number) {
      const watched = await demo.signedIn(path, width)
      const { page } = watched
      const dialog = page.getByRole('dialog').last()
      const press = (name: string) => page.getByRole('button', { name, exact: true }).last().click()
      /** Fills in the dialog that a button opens, and sends it. */
      const change = async (name: string, fields: Record<string, string>) => {
        await press(name)
        for (const [label, text] of Object.entries(fields)) await dialog.getByLabel(label).fill(text)
        await dialog.getByRole('button', { name, exact: true }).click()
      }
      const undo = async () => {
        await press('Undo')
        await page.getByText('It is as before.').last().waitFor()
      }
      return { watched, page, dialog, press, change, undo }
    }

    test.each([360, 1280])(
      'an organization is added, with what is in it, and deleted again, at %i px',
      async (width) => {
        const { watched, page, dialog, press, change } = await opened('browse', width)
        await change('Add an organization', { Name: 'Fjord <i>Outdoor', 'Organization id': `fjord-${width}` })
        await page.getByText('Fjord <i>Outdoor is added.').waitFor()
        await change('Add a folder', { Name: 'Autumn', 'Folder id': 'autumn' })
        await page.getByRole('button', { name: 'Autumn' }).click()
        await page.getByRole('list', { name: 'Where you are' }).getByText('Autumn').waitFor()
        await change('Add a document', { Name: 'Poster', 'Document id': 'poster' })
        await page.getByRole('button', { name: 'Poster' }).waitFor()
        await expectSound(watched, 'places')
        const { data } = await demo.client.documents.getDocuments({
          organizationId: `fjord-${width}`,
          folderId: 'autumn',
        })
        expect(data.map(({ id, documentName }) => [id, documentName])).toEqual([['poster', 'Poster']])
        await page.getByRole('button', { name: 'Fjord <i>Outdoor' }).click()
        await page.getByRole('button', { name: 'Autumn' }).waitFor()
        await press('Delete')
        await dialog.getByText('Deletes Fjord <i>Outdoor and everything in it').waitFor()
        await dialog.getByRole('button', { name: 'Delete' }).click()
        await page.getByText('Fjord <i>Outdoor is deleted.').waitFor()
        await page.getByRole('button', { name: 'Northwind Traders' }).waitFor()
        await page.getByRole('button', { name: 'Fjord <i>Outdoor' }).waitFor({ state: 'detached' })
        expect(
          (await demo.client.organizations.getOrganizations({ organizationIds: [`fjord-${width}`] })).data,
        ).toEqual([])
      },
    )

    test('an organization is renamed and disabled, each with a way back', async () => {
      const { page, change, press, undo } = await opened('browse?organizationId=northwind')
      const read = async () =>
        (await demo.client.organizations.getOrganizations({ organizationIds: ['northwind'] })).data[0]
      await change('Rename', { Name: 'Southwind' })
      await page.getByRole('list', { name: 'Where you are' }).getByText('Southwind').waitFor()
      await undo()
      await expect.poll(read).toMatchObject({ organizationName: 'Northwind Traders', disabled: false })
      await press('Disable')
      await page
        .getByText('Checks of access admit nobody to Northwind Traders now. Calls that check no user go on.')
        .waitFor()
      await expect.poll(read).toMatchObject({ disabled: true })
      await undo()
      await expect.poll(read).toMatchObject({ disabled: false })
    })

    test('what is there already is not added again, and the dialog says so', async () => {
      const { change, dialog } = await opened('browse')
      await change('Add an organization', { Name: 'Another', 'Organization id': 'northwind' })
      await dialog.getByRole('alert').waitFor()
      await dialog.locator('input[name=organizationId]:focus[aria-invalid=true]').waitFor()
      expect(await dialog.getByLabel('Name').getAttribute('aria-invalid')).toBe(null)
      expect(await dialog.getByLabel('Name').inputValue()).toBe('Another')
    })

    test('a folder gets an access type of its own and gives it back, and is deleted', async () => {
      const { page, dialog, press, undo } = await opened('browse?organizationId=northwind&folderId=drafts')
      const read = async () =>
        (await demo.client.folders.getFolders({ organizationId: 'northwind', folderId: 'drafts' })).data[0]
      await press('Change the access type')
      await dialog.getByLabel('Access type').selectOption('restricted')
      await dialog.getByRole('button', { name: 'Change the access type' }).click()
      await page.getByText('The access type is changed.').waitFor()
      await expect.poll(read).toMatchObject({ accessType: 'restricted', inheritAccessFromParent: false })
      await undo()
      await expect.poll(read).toMatchObject({ accessType: 'public', inheritAccessFromParent: true })
      await press('Delete')
      await dialog.getByRole('button', { name: 'Delete' }).click()
      await page.getByText('Drafts is deleted.').waitFor()
      await expect.poll(() => new URL(page.url()).searchParams.get('folderId')).toBe('policies')
    })

    test('at the top of an organization are the documents that are in no folder', async () => {
      const organizationId = 'northwind'
      await demo.client.documents.addDocuments({
        organizationId,
        documents: [{ documentId: 'lobby', documentName: 'Lobby sign' }],
      })
      const { page } = await opened(`browse?organizationId=${organizationId}`)
      const documents = page.getByRole('region', { name: 'Documents', exact: true })
      await documents.getByRole('button', { name: 'Lobby sign' }).waitFor()
      expect(await documents.getByRole('button', { name: /^Returns/ }).count()).toBe(0)
      await page.getByLabel('Search folders and documents of this organization').fill('Returns')
      await page.getByRole('button', { name: 'Search', exact: true }).click()
      await documents.getByRole('button', { name: /^Returns/ }).click()
      await page.getByRole('dialog').getByRole('link', { name: 'Policies' }).click()
      await page.getByRole('list', { name: 'Where you are' }).getByText('Policies').waitFor()
    })

    test.each([360, 1280])('a document and a folder are moved, each with a way back, at %i px', async (width) => {
      const organizationId = `move-${width}`
      await demo.client.organizations.addOrganizations({ organizations: [{ organizationId }] })
      const folders = ['spring', 'autumn'].map((folderId) => ({
        folderId,
        folderName: folderId,
        parentFolderId: 'root',
      }))
      await demo.client.folders.addFolders({ organizationId, folders })
      const documents = [{ documentId: 'menu', documentName: 'Menu' }]
      await demo.client.documents.addDocuments({ organizationId, folderId: 'spring', documents })
      const folderOf = async () => {
        const { data } = await demo.client.documents.getDocuments({ organizationId, documentIds: ['menu'] })
        return data[0]?.folderId
      }
      const parentOf = async () =>
        (await demo.client.folders.getFolders({ organizationId, folderId: 'spring' })).data[0]?.parentFolderId
      const { watched, page, dialog, press, change, undo } = await opened(
        `browse?organizationId=${organizationId}&document=menu`,
        width,
      )
      await press('Move')
      await expectSound(watched, 'move')
      await dialog.getByLabel('Folder').fill('')
      await dialog.getByRole('button', { name: 'Move', exact: true }).click()
      await page.getByText('It is moved.').waitFor()
      expect(await folderOf()).toBe(undefined)
      await undo()
      await expect.poll(folderOf).toBe('spring')
      await page.getByRole('dialog').getByRole('link', { name: 'spring' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await change('Move', { Folder: 'autumn' })
      await page.getByText('It is moved.').last().waitFor()
      await page.getByRole('list', { name: 'Where you are' }).getByText('autumn').waitFor()
      expect(await parentOf()).toBe('autumn')
      await undo()
      await expect.poll(parentOf).toBe('root')
      await change('Move', { Folder: 'spring' })
      await dialog.getByRole('alert').getByText('A folder cannot be moved into itself.').waitFor()
      await dialog.locator('input[role=combobox]:focus[aria-invalid=true]').waitFor()
    })

    test.each([360, 1280])('a document gets another id, with a way back, at %i px', async (width) => {
      const [organizationId, from, to] = ['northwind', `menu-${width}`, `card-${width}`]
      const documents = [{ documentId: from, documentName: 'Menu' }]
      await demo.client.documents.addDocuments({ organizationId, documents })
      const commentAnnotations = [{ commentData: [{ commentText: 'Too dear.', from: { userId: 'maya' } }] }]
      await demo.client.comments.addCommentAnnotations({ organizationId, documentId: from, commentAnnotations })
      const threadsIn = async (documentId: string) =>
        (await demo.client.comments.getCommentAnnotations({ organizationId, documentId })).data.length
      const { watched, page, dialog, change, undo } = await opened(
        `browse?organizationId=${organizationId}&document=${from}`,
        width,
      )
      await change('Change the id', { 'New id': 'refund-policy' })
      await dialog.getByRole('alert').getByText('There is a document refund-policy in the organization').waitFor()
      await dialog.locator('input[name=newDocumentId]:focus[aria-invalid=true]').waitFor()
      // The browser itself reports that the request was refused.
      watched.faults.length = 0
      await dialog.getByLabel('New id').fill(to)
      await expectSound(watched, 'change-id')
      await dialog.getByRole('button', { name: 'Change the id' }).click()
      await page.getByText(`The id is ${to} now.`).waitFor()
      await page.getByRole('dialog', { name: 'Menu' }).getByText(to, { exact: true }).waitFor()
      expect([await threadsIn(from), await threadsIn(to)]).toEqual([0, 1])
      await undo()
      await page.getByRole('dialog', { name: 'Menu' }).getByText(from, { exact: true }).waitFor()
      expect([await threadsIn(from), await threadsIn(to)]).toEqual([1, 0])
    })

    test.each([360, 1280])('a document is restricted, disabled and deleted in its dialog, at %i px', async (width) => {
      const place = { organizationId: 'northwind', folderId: 'policies' }
      const documentId = `terms-${width}`
      await demo.client.documents.addDocuments({ ...place, documents: [{ documentId, documentName: 'Terms' }] })
      const { watched, page, dialog, press } = await opened(
        `browse?organizationId=northwind&folderId=policies&document=${documentId}`,
        width,
      )
      const read = async () =>
        (await demo.client.documents.getDocuments({ organizationId: 'northwind', documentIds: [documentId] })).data[0]
      await dialog.getByRole('button', { name: 'Rename' }).waitFor()
      await press('Change the access type')
      await dialog.getByText('whatever folder it is in').waitFor()
      await dialog.getByLabel('Access type').selectOption('restricted')
      await dialog.getByRole('button', { name: 'Change the access type' }).click()
      await dialog.getByText('restricted', { exact: true }).waitFor()
      await press('Disable')
      await press('Undo')
      await page.getByText('It is as before.').waitFor()
      await expectSound(watched, 'document')
      await expect.poll(read).toMatchObject({ accessType: 'restricted', disabled: false })
      await press('Delete')
      await dialog.getByText('Deletes Terms with its threads.').waitFor()
      await dialog.getByRole('button', { name: 'Delete' }).click()
      await page.getByText('Terms is deleted.').waitFor()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      expect(await read()).toBe(undefined)
    })
  },
)
