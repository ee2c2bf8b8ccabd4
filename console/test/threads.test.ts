import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBrowser } from './browser.ts'
import { expectSound, startDemoConsole } from './demo-console.ts'

const executable = findBrowser()
const organizationId = 'northwind'
const documentId = 'refund-policy'
const SUGGESTION = { targetId: 'p1', summary: 'Say “30 days”', oldValue: '14 days', newValue: '30 days' }

describe.skipIf(!executable)('the daily work with threads in a browser', { timeout: 60_000 }, () => {
  let demo: Awaited<ReturnType<typeof startDemoConsole>>
  beforeAll(async () => {
    demo = await startDemoConsole(executable ?? '')
    await demo.client.activities.updateActivityConfig({ activityServiceConfig: { isEnabled: true } })
    const commentAnnotations = ['wording', 'price', 'logo'].map((annotationId) => ({
      annotationId,
      location: { id: 4, locationName: 'Section 4' },
      priority: { id: 'p1', name: 'Very high' },
      assignedTo: { userId: 'priya' },
      ...(annotationId === 'wording' && { suggestion: SUGGESTION }),
      commentData: [{ commentId: 1, commentText: `The ${annotationId} is old.`, from: { userId: 'jonas' } }],
    }))
    await demo.client.comments.addCommentAnnotations({ organizationId, documentId, commentAnnotations })
    const reaction = { icon: 'eyes', from: { userId: 'maya' } }
    await demo.client.reactions.addReactions({
      organizationId,
      documentId,
      annotationId: 'price',
      commentId: 1,
      reactions: [reaction],
    })
  }, 120_000)
  afterAll(() => demo?.stop())

  const read = async (annotationId: string) => {
    const { data } = await demo.client.comments.getCommentAnnotations({ organizationId, annotationIds: [annotationId] })
    return data[0]
  }

  test.each([390, 1280])('shows where a thread is, who is to do it and who reacted, at %i px', async (width) => {
    const watched = await demo.signedIn('threads?thread=price', width)
    const { page } = watched
    const thread = page.getByRole('dialog').first()
    for (const text of ['Refund policy, draft 3', 'Section 4', 'Very high', 'Priya Raman', 'eyes Maya Okafor']) {
      await thread.getByText(text, { exact: true }).waitFor()
    }
    await expectSound(watched, 'thread-whole')
    await page.keyboard.press('Escape')
    const row = page.getByRole('row', { name: /The price is old/ })
    await row.getByText('Very high').waitFor()
    await row.getByText('Priya Raman').waitFor()
  })

  test('a long thread shows its first comment, what is left out, the latest, and all of them when asked', async () => {
    const from = { userId: 'jonas' }
    const first = { commentId: 1, commentText: 'The opening.', from }
    const thread = { organizationId, documentId, annotationId: 'long' }
    const commentAnnotations = [{ annotationId: 'long', commentData: [first] }]
    await demo.client.comments.addCommentAnnotations({ organizationId, documentId, commentAnnotations })
    const commentData = Array.from({ length: 250 }, (_, i) => ({ commentText: `Remark ${i + 2}.`, from }))
    await demo.client.comments.addComments({ ...thread, commentData })
    const { page } = await demo.signedIn('threads?thread=long')
    const dialog = page.getByRole('dialog').first()
    await dialog.getByText('The first comment and the latest are shown: 200 of 251.').waitFor()
    await dialog.getByText('Remark 251.').waitFor()
    expect(await dialog.getByText('Remark 2.', { exact: true }).count()).toBe(0)
    expect(await dialog.textContent()).toMatch(/The opening\..*200 of 251\..*Remark 53\..*Remark 251\./s)
    await dialog.getByRole('button', { name: 'Show all from the first on' }).click()
    await dialog.getByText('Remark 2.', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Show more' }).click()
    await dialog.getByText('Remark 251.').waitFor()
    expect(await dialog.getByText(/^Remark/).count()).toBe(250)
  })

  test('a document tells how many threads it has, once all are read', async () => {
    const place = { organizationId: 'busy', documentId: 'plan' }
    await demo.client.organizations.addOrganizations({ organizations: [{ organizationId: 'busy' }] })
    const commentAnnotations = Array.from({ length: 51 }, () => ({
      commentData: [{ commentText: 'Right?', from: { userId: 'jonas' } }],
    }))
    await demo.client.comments.addCommentAnnotations({ ...place, createDocument: true, commentAnnotations })
    const { page } = await demo.signedIn('threads?organizationId=busy')
    await page.getByRole('heading', { name: 'plan (50 or more)' }).waitFor()
    await page.getByRole('button', { name: 'Show more' }).click()
    await page.getByRole('heading', { name: 'plan (51)' }).waitFor()
  })

  test('a comment of HTML alone shows its text', async () => {
    const commentHtml = '<p>Name the <b>price</b> &amp; the tax.</p><p>Now.</p><script>document.title = "run"</script>'
    const commentAnnotations = [{ annotationId: 'markup', commentData: [{ commentHtml, from: { userId: 'jonas' } }] }]
    await demo.client.comments.addCommentAnnotations({ organizationId, documentId, commentAnnotations })
    const { page } = await demo.signedIn('threads?thread=markup')
    await page.getByRole('dialog').first().getByText('Name the price & the tax.').first().waitFor()
    expect(await page.title()).not.toBe('run')
  })

  test('an attached file opens beside the console, if its address is one of the web', async () => {
    const url = 'https://files.example/terms.pdf'
    const attachments = [
      { attachmentId: 1, name: 'terms.pdf', url },
      { attachmentId: 2, name: 'trap.pdf', url: 'javascript:alert(1)' },
    ]
    const commentData = [{ commentText: 'See the files.', from: { userId: 'jonas' }, attachments }]
    const commentAnnotations = [{ annotationId: 'files', commentData }]
    await demo.client.comments.addCommentAnnotations({ organizationId, documentId, commentAnnotations })
    const { page } = await demo.signedIn('threads?thread=files')
    await page.getByText('Attached: terms.pdf, trap.pdf').waitFor()
    const link = page.getByRole('dialog').getByRole('link', { name: 'terms.pdf' })
    const attributes = ['href', 'target', 'rel'].map((name) => link.getAttribute(name))
    expect(await Promise.all(attributes)).toEqual([url, '_blank', 'noreferrer'])
    expect(await page.getByRole('link', { name: 'trap.pdf' }).count()).toBe(0)
  })

  test.each([360, 1280])(
    'a comment is deleted, and then the thread, each after a question, at %i px',
    async (width) => {
      const annotationId = `spam-${width}`
      const from = { userId: 'jonas' }
      const commentData = [
        { commentId: 1, commentText: 'Is this right?', from },
        { commentId: 2, commentText: 'Buy cheap watches!', from },
      ]
      await demo.client.comments.addCommentAnnotations({
        organizationId,
        documentId,
        commentAnnotations: [{ annotationId, commentData }],
      })
      const read = async () => {
        const asked = { organizationId, annotationIds: [annotationId] }
        return (await demo.client.comments.getCommentAnnotations(asked)).data[0]
      }
      const watched = await demo.signedIn(`threads?thread=${annotationId}`, width)
      const { page } = watched
      const dialog = page.getByRole('dialog')
      const spam = dialog.getByRole('listitem').filter({ hasText: 'Buy cheap watches!' })
      await spam.getByRole('button', { name: 'Delete the comment' }).click()
      await dialog.last().getByText('This cannot be undone.').waitFor()
      await dialog.last().getByRole('button', { name: 'Delete the comment' }).click()
      await spam.waitFor({ state: 'detached' })
      expect((await read())?.comments.map(({ commentText }) => commentText)).toEqual(['Is this right?'])
      await expectSound(watched, 'comment-deleted')
      await dialog.getByRole('button', { name: 'Delete the thread' }).click()
      await dialog.last().getByRole('button', { name: 'Delete the thread' }).click()
      await page.getByText('The thread is deleted.').waitFor()
      await dialog.waitFor({ state: 'detached' })
      expect(await read()).toBe(null)
    },
  )

  test('a comment gets a reaction, which undoing takes away', async () => {
    const { page } = await demo.signedIn('threads?thread=logo')
    const thread = page.getByRole('dialog').first()
    await thread.getByRole('button', { name: 'React' }).click()
    const dialog = page.getByRole('dialog', { name: 'React' })
    await dialog.getByLabel('Reaction').selectOption('👍')
    await dialog.getByLabel('Write as').fill('maya')
    await dialog.getByRole('button', { name: 'React' }).click()
    await thread.getByText('👍 Maya Okafor').waitFor()
    // The notice stands in the thread, which covers the page.
    await thread.getByRole('status').getByText('The reaction is added.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('It is as before.').waitFor()
    await page.keyboard.press('Escape')
    await thread.waitFor({ state: 'detached' })
    await page.getByRole('status').getByText('It is as before.').waitFor()
    const { data } = await demo.client.reactions.getReactions({ organizationId, annotationId: 'logo' })
    expect(data).toEqual([])
  })

  test('a thread is rejected for a reason, from which the decision memory learns', async () => {
    const { page } = await demo.signedIn('threads?thread=price')
    const thread = page.getByRole('dialog').first()
    await thread.getByRole('button', { name: 'Change the status' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change the status' })
    await dialog.getByLabel('Status').selectOption('Rejected')
    await dialog.getByLabel('Reason').fill('Prices go up in May.')
    await dialog.getByLabel('Write as').fill('maya')
    await dialog.getByRole('button', { name: 'Change the status' }).click()
    await thread.getByText('Rejected').waitFor()
    await thread.getByText('Prices go up in May.').waitFor()
    await thread.getByText('Maya Okafor').first().waitFor()
    const { results } = await demo.client.memory.queryJudgments({ organizationId, annotationId: 'price' })
    expect(results[0]).toMatchObject({ decision: 'rejected', reasoning: 'Prices go up in May.' })
    await page.goto(`${demo.web.url}threads?status=REJECTED`)
    await page.getByRole('row', { name: /The price is old/ }).waitFor()
  })

  test('a judgment leads to the thread in which it was made', async () => {
    const judgment = {
      decision: 'reject',
      reasoning: 'Two prices confuse.',
      actionUser: { userId: 'maya', name: 'Maya' },
    }
    await demo.client.memory.addJudgments({ organizationId, judgments: [{ ...judgment, annotationId: 'price' }] })
    const { page } = await demo.signedIn('memory?view=judgments')
    const item = page.getByRole('listitem').filter({ hasText: 'Two prices confuse.' })
    await item.getByRole('link', { name: 'Open the thread' }).click()
    await page.getByRole('dialog', { name: /^The price is old/ }).waitFor()
  })

  test('a change of a thread that was deleted meanwhile says so', async () => {
    const commentAnnotations = [
      { annotationId: 'brief', commentData: [{ commentText: 'Gone.', from: { userId: 'jonas' } }] },
    ]
    await demo.client.comments.addCommentAnnotations({ organizationId, documentId, commentAnnotations })
    const { page } = await demo.signedIn('threads?thread=brief')
    await page.getByRole('dialog').first().getByRole('button', { name: 'Resolve' }).click()
    await demo.client.comments.deleteCommentAnnotations({ organizationId, documentId, annotationIds: ['brief'] })
    const dialog = page.getByRole('dialog', { name: 'Resolve' })
    await dialog.getByRole('button', { name: 'Resolve' }).click()
    await dialog.getByRole('alert').getByText('Annotation not found.').waitFor()
  })

  test('a suggestion that is accepted keeps its texts', async () => {
    const { page } = await demo.signedIn('threads?thread=wording')
    const thread = page.getByRole('dialog').first()
    await thread.getByText('to be decided').waitFor()
    await thread.getByRole('button', { name: 'Accept the suggestion' }).click()
    const dialog = page.getByRole('dialog', { name: 'Accept the suggestion' })
    await dialog.getByLabel('Reason').fill('Legal signed it off.')
    await dialog.getByLabel('Write as').fill('maya')
    await dialog.getByRole('button', { name: 'Accept the suggestion' }).click()
    await thread.getByText(/^by Maya Okafor, /).waitFor()
    await thread.getByText(SUGGESTION.summary).waitFor()
    await thread.locator('ins', { hasText: '30' }).waitFor()
    expect((await read('wording'))?.suggestion).toMatchObject({ ...SUGGESTION, status: 'accepted' })
  })

  test('another assignee, and undoing it, leave the priority its name', async () => {
    const { page } = await demo.signedIn('threads?thread=logo')
    const thread = page.getByRole('dialog').first()
    await thread.getByRole('button', { name: 'Priority and assignee' }).click()
    const dialog = page.getByRole('dialog', { name: 'Priority and assignee' })
    await expect.poll(() => dialog.getByLabel('Assigned to').inputValue()).toBe('Priya Raman')
    await dialog.getByLabel('Assigned to').fill('Maya Okafor')
    await page.getByRole('option', { name: /Maya Okafor/ }).click()
    await dialog.getByRole('button', { name: 'Priority and assignee' }).click()
    await thread.getByText('Maya Okafor').first().waitFor()
    expect((await read('logo'))?.priority).toEqual({ id: 'p1', name: 'Very high' })
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('It is as before.').waitFor()
    const after = await read('logo')
    expect(after?.priority).toEqual({ id: 'p1', name: 'Very high' })
    expect(after?.assignedTo?.userId).toBe('priya')
  })

  test('everything at the location of a thread is deleted, and nothing elsewhere', async () => {
    const location = { id: 9, locationName: 'Section <b>9' }
    const thread = (annotationId: string, more = {}) => ({
      annotationId,
      commentData: [{ commentText: `About ${annotationId}.`, from: { userId: 'jonas' } }],
      ...more,
    })
    const commentAnnotations = [thread('here', { location }), thread('here-too', { location }), thread('elsewhere')]
    await demo.client.comments.addCommentAnnotations({ organizationId, documentId, commentAnnotations })
    const { page, faults } = await demo.signedIn('threads?thread=elsewhere')
    await page.getByRole('button', { name: 'Delete the thread' }).waitFor()
    expect(await page.getByRole('button', { name: 'Delete the location' }).count()).toBe(0)
    await page.goto(`${demo.web.url}threads?thread=here`)
    await page.getByRole('button', { name: 'Delete the location' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete the location' })
    await dialog.getByText('Deletes everything at Section <b>9 in this document').waitFor()
    await dialog.getByRole('button', { name: 'Delete the location' }).click()
    await page.getByText('What was at Section <b>9 is deleted.').waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect([await read('here'), await read('here-too')]).toEqual([null, null])
    expect(await read('elsewhere')).toMatchObject({ annotationId: 'elsewhere' })
    expect(await page.content()).not.toContain(demo.review.authToken)
    expect(faults).toEqual([])
  })

  test('the keyboard reads a thread, opens a form and comes back to where it was', async () => {
    const { page } = await demo.signedIn('threads?status=all')
    const row = page.getByRole('button', { name: /The logo is old/ })
    await row.press('Enter')
    const react = page.getByRole('dialog').getByRole('button', { name: 'React' }).first()
    await react.press('Enter')
    await page.getByRole('dialog', { name: 'React' }).locator('select:focus').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('button:focus', { hasText: 'React' }).waitFor()
    await page.keyboard.press('Escape')
    await page.locator('button:focus', { hasText: 'The logo is old.' }).waitFor()
  })

  test('an activity leads to its thread', async () => {
    const { page } = await demo.signedIn('activity')
    await page.getByRole('link', { name: 'Open the thread' }).first().click()
    await page.getByRole('dialog').first().waitFor()
    expect(page.url()).toContain('thread=')
  })
})
