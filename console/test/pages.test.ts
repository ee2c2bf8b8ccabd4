import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBrowser } from './browser.ts'
import { expectSound, startDemoConsole } from './demo-console.ts'
import { addReturnsPolicy } from './demo-data.ts'

const executable = findBrowser()
const ORGANIZATION = 'northwind'
const TITLE = /Section 4 promises a 30-day refund/

describe.skipIf(!executable)('the pages of the console in a browser', { timeout: 60_000 }, () => {
  let demo: Awaited<ReturnType<typeof startDemoConsole>>
  beforeAll(async () => {
    demo = await startDemoConsole(executable ?? '')
    await demo.client.activities.updateActivityConfig({ activityServiceConfig: { isEnabled: true } })
    await addReturnsPolicy(demo.client)
    await demo.client.comments.addCommentAnnotations({
      organizationId: ORGANIZATION,
      documentId: 'returns',
      commentAnnotations: [
        {
          annotationId: 'wording',
          suggestion: { targetId: 'p1', summary: 'Say “30 days”', oldValue: '14 days', newValue: '30 days' },
          commentData: [{ commentText: 'The <i>wording</i> is old.', from: { userId: 'jonas' } }],
        },
      ],
    })
  }, 120_000)
  afterAll(() => demo?.stop())

  /** The link of an element that starts a download, and the text of the file. */
  async function downloaded(page: Awaited<ReturnType<typeof demo.signedIn>>['page'], button: string): Promise<string> {
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: button }).last().click()
    return readFile(await (await download).path(), 'utf8')
  }

  describe('Threads', () => {
    test.each([360, 1280])('are listed by document, at %i px', async (width) => {
      const watched = await demo.signedIn('threads', width)
      const { page } = watched
      // By their names, not their ids.
      await page.getByRole('heading', { name: 'Refund policy, draft 3 (1)' }).waitFor()
      await page.getByRole('button', { name: TITLE }).waitFor()
      await page.getByText('The <i>wording</i> is old.').waitFor()
      await expectSound(watched, 'threads')
    })

    test("a thread with a status of one's own is unresolved until its type ends the review", async () => {
      const place = { organizationId: ORGANIZATION, documentId: 'returns' }
      const set = (annotationId: string, id: string, type: 'ongoing' | 'terminal') =>
        demo.client.comments.updateCommentAnnotations({
          ...place,
          annotationIds: [annotationId],
          updatedData: { status: { id, type } },
        })
      const threadOf = (annotationId: string, commentText: string) => ({
        annotationId,
        commentData: [{ commentText, from: { userId: 'jonas' } }],
      })
      await demo.client.comments.addCommentAnnotations({
        ...place,
        commentAnnotations: [
          threadOf('asked-legal', 'Does this need a lawyer?'),
          threadOf('waived', 'Nobody minds the wording.'),
        ],
      })
      await set('asked-legal', 'ASKED_LEGAL', 'ongoing')
      await set('waived', 'WAIVED', 'terminal')
      const { page } = await demo.signedIn('threads')
      await page.getByRole('button', { name: 'Does this need a lawyer?' }).waitFor()
      expect(await page.getByRole('button', { name: 'Nobody minds the wording.' }).count()).toBe(0)
    })

    test('a thread is read, answered, resolved and opened again', async () => {
      const watched = await demo.signedIn('threads?documentId=refund-policy&status=all')
      const { page } = watched
      await page.getByRole('button', { name: TITLE }).click()
      expect(page.url()).toContain('thread=')
      const thread = page.getByRole('dialog').first()
      await thread.getByText('Confirmed, 30 days since March.').waitFor()
      await thread.getByText('@Priya Raman, can you confirm').waitFor()
      await expectSound(watched, 'thread')
      await thread.getByRole('button', { name: 'Reply' }).click()
      const reply = page.getByRole('dialog', { name: 'Reply' })
      // Escape closes one dialog at a time.
      await reply.waitFor()
      await page.keyboard.press('Escape')
      await reply.waitFor({ state: 'detached' })
      await thread.getByRole('button', { name: 'Reply' }).click()
      await reply.getByLabel('Text').fill('Thank you, <b>all</b>.')
      await reply.getByLabel('Write as').fill('maya')
      await reply.getByRole('button', { name: 'Reply' }).click()
      await thread.getByText('Thank you, <b>all</b>.').waitFor()
      await thread.getByRole('button', { name: 'Resolve' }).click()
      await page.getByRole('dialog', { name: 'Resolve' }).getByRole('button', { name: 'Resolve' }).click()
      await thread.getByText('Resolved').waitFor()
      await thread.getByRole('button', { name: 'Open again' }).click()
      await page.getByRole('dialog', { name: 'Open again' }).getByRole('button', { name: 'Open again' }).click()
      await thread.getByText('Open', { exact: true }).waitFor()
    })

    test('an address with an unknown thread says so, and what to do', async () => {
      const { page } = await demo.signedIn('threads?thread=unknown')
      await page.getByRole('dialog').getByText('There is no such thread here.').waitFor()
    })

    test('what was resolved is opened again by undoing it', async () => {
      const { page } = await demo.signedIn('threads?status=all&thread=wording')
      const thread = page.getByRole('dialog').first()
      await thread.getByRole('button', { name: 'Resolve' }).click()
      await page.getByRole('dialog', { name: 'Resolve' }).getByRole('button', { name: 'Resolve' }).click()
      await thread.getByText('Resolved').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText('It is as before.').waitFor()
      await page.goto(`${demo.web.url}threads?status=OPEN&thread=wording`)
      await page.getByRole('dialog').getByText('Open', { exact: true }).waitFor()
    })

    test('a suggestion is accepted', async () => {
      const { page } = await demo.signedIn('threads?documentId=returns&status=all&thread=wording')
      const thread = page.getByRole('dialog').first()
      await thread.locator('del', { hasText: '14' }).waitFor()
      await thread.locator('ins', { hasText: '30' }).waitFor()
      await thread.getByRole('button', { name: 'Accept the suggestion' }).click()
      const dialog = page.getByRole('dialog', { name: 'Accept the suggestion' })
      await dialog.getByLabel('Write as').fill('maya')
      await dialog.getByRole('button', { name: 'Accept the suggestion' }).click()
      await thread.getByText('accepted').waitFor()
    })
  })

  describe('Activity', () => {
    test.each([360, 1280])('is listed, and the log is verified, at %i px', async (width) => {
      const watched = await demo.signedIn('activity', width)
      const { page } = watched
      await page.getByRole('region', { name: 'Activities, newest first' }).getByRole('listitem').first().waitFor()
      await page.getByRole('button', { name: 'Verify the log' }).click()
      await page.getByText(/The log is intact: \d+ entries/).waitFor()
      await expectSound(watched, 'activity')
    })

    test('an entry shows what changed, and the log is exported', async () => {
      await demo.client.comments.updateCommentAnnotations({
        organizationId: ORGANIZATION,
        documentId: 'returns',
        annotationIds: ['wording'],
        updatedData: { priority: { id: 'P1', name: 'High' } },
        actionUser: { userId: 'maya' },
      })
      const watched = await demo.signedIn('activity')
      const { page } = watched
      const entries = page.getByRole('region', { name: 'Activities, newest first' })
      await entries.locator('ins').getByText('High', { exact: true }).first().waitFor()
      expect(await entries.locator('ins', { hasText: 'P1' }).count()).toBe(0)
      await entries.getByText('The <i>wording</i> is old.').waitFor()
      await entries.getByText('Returns <b>policy</b>').first().waitFor()
      await entries.getByRole('button', { name: 'Maya Okafor changed the priority' }).first().click()
      await page.getByRole('dialog').getByRole('region', { name: 'The record' }).getByText('"actionType"').waitFor()
      expect(page.url()).toContain('activity=')
      await page.reload()
      await page.getByRole('dialog').getByText('What changed').waitFor()
      await expectSound(watched, 'activity-entry')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Export' }).click()
      await page.getByRole('dialog').getByLabel('Format').selectOption('CSV')
      expect(await downloaded(page, 'Export')).toContain('comment_annotation.priority_change')
    })
  })

  describe('Browse', () => {
    test.each([360, 1280])('leads from the organization to a folder, at %i px', async (width) => {
      const watched = await demo.signedIn('browse', width)
      const { page } = watched
      await page.getByRole('button', { name: 'Northwind Traders' }).click()
      await page.getByRole('button', { name: 'Policies' }).waitFor()
      await expectSound(watched, 'browse')
      await page.getByRole('button', { name: 'Policies' }).click()
      await page.getByRole('button', { name: 'Drafts' }).waitFor()
      await page.getByText('Returns <b>policy</b>').waitFor()
      expect(page.url()).toContain('folderId=policies')
      const way = page.getByRole('list', { name: 'Where you are' })
      await page.getByRole('button', { name: 'Drafts' }).click()
      await way.getByText('Drafts').waitFor()
      await way.getByRole('button', { name: 'Policies' }).click()
      await way.getByRole('button', { name: 'Policies' }).waitFor({ state: 'detached' })
      await way.getByRole('button', { name: 'Northwind Traders' }).click()
      await page.getByRole('button', { name: 'Policies' }).waitFor()
      await way.getByRole('button', { name: 'All organizations' }).click()
      await page.getByRole('button', { name: 'Northwind Traders' }).waitFor()
    })

    test.each([360, 1280])('finds organizations and people by a part of their name, at %i px', async (width) => {
      const watched = await demo.signedIn('browse', width)
      const { page } = watched
      await page.getByLabel('Search organizations and people').fill('ORTHWIND')
      await page.getByRole('button', { name: 'Search', exact: true }).click()
      await page.getByRole('button', { name: 'Northwind Traders' }).waitFor()
      expect(page.url()).toContain('search=ORTHWIND')
      await page.getByLabel('Search organizations and people').fill('raman')
      await page.getByRole('button', { name: 'Search', exact: true }).click()
      await page.getByText('No organization fits.').waitFor()
      await expectSound(watched, 'browse-search')
      await page
        .getByRole('row', { name: /Priya Raman/ })
        .getByRole('link', { name: 'Northwind Traders' })
        .click()
      await page.getByRole('dialog', { name: 'Priya Raman' }).waitFor()
    })

    test('finds documents and folders of an organization by a part of their name', async () => {
      const { page } = await demo.signedIn(`browse?organizationId=${ORGANIZATION}`)
      const search = page.getByLabel('Search folders and documents of this organization')
      await search.fill('raft')
      await page.getByRole('button', { name: 'Search', exact: true }).click()
      await page.getByText('Refund policy, draft 3').waitFor()
      await page.getByRole('button', { name: 'Drafts', exact: true }).click()
      await expect.poll(() => new URL(page.url()).searchParams.get('folderId')).toBe('drafts')
      await expect.poll(() => search.inputValue()).toBe('')
      await search.fill('returns')
      await page.getByRole('button', { name: 'Search', exact: true }).click()
      await page.getByText('Returns <b>policy</b>').waitFor()
      await page.getByText('Refund policy, draft 3').waitFor({ state: 'detached' })
    })

    test('a document leads to its threads', async () => {
      const { page } = await demo.signedIn(`browse?organizationId=${ORGANIZATION}&folderId=policies`)
      await page.getByRole('table').getByRole('link', { name: 'Threads' }).first().click()
      await page.getByText('The <i>wording</i> is old.').waitFor()
      expect(page.url()).toContain('documentId=returns')
    })
  })

  describe('People', () => {
    test.each([360, 1280])('a person is found, at %i px', async (width) => {
      const watched = await demo.signedIn('people', width)
      const { page } = watched
      await page.getByRole('button', { name: 'Priya Raman' }).waitFor()
      await page.getByLabel('Part of name or email').fill('maya')
      await page.getByRole('button', { name: 'Show', exact: true }).click()
      await expect.poll(() => page.getByRole('button', { name: 'Priya Raman' }).count()).toBe(0)
      await page.getByRole('button', { name: 'Maya Okafor' }).waitFor()
      await expectSound(watched, 'people')
    })

    test('the people of a group are found, and a person leads to their access', async () => {
      const group = { groupId: 'legal', groupName: 'Legal' }
      const place = { organizationId: ORGANIZATION }
      await demo.client.userGroups.addUserGroups({ ...place, organizationUserGroups: [group] })
      await demo.client.userGroups.addGroupUsers({ ...place, organizationUserGroupId: 'legal', userIds: ['maya'] })
      const { page } = await demo.signedIn('people')
      await page.getByRole('button', { name: 'Priya Raman' }).waitFor()
      await page.getByLabel('Group').selectOption('Legal (1)')
      await page.getByRole('button', { name: 'Show', exact: true }).click()
      await page.getByRole('button', { name: 'Priya Raman' }).waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Maya Okafor' }).click()
      await page.getByRole('dialog').getByRole('link', { name: 'Access' }).click()
      await page.getByRole('heading', { name: 'Grants of this person' }).waitFor()
      expect(page.url()).toContain('userId=maya')
    })

    test('what is stored about a person is downloaded, then erased with its progress', async () => {
      const { page } = await demo.signedIn('people')
      await page.getByRole('button', { name: 'Jonas Lind' }).click()
      const person = page.getByRole('dialog').first()
      expect(await downloaded(page, 'Download their data')).toContain('Section 4 promises')
      await person.getByRole('button', { name: 'Erase this person' }).click()
      const dialog = page.getByRole('dialog', { name: 'Erase this person' })
      await dialog.getByRole('button', { name: 'Erase this person' }).click()
      await page.getByText('The data of this person is erased.').waitFor()
    })
  })
})
