import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBrowser } from './browser.ts'
import { expectSound, startDemoConsole } from './demo-console.ts'

const executable = findBrowser()
const place = { organizationId: 'northwind', documentId: 'refund-policy' }

describe.skipIf(!executable)('what is written in the console', { timeout: 60_000 }, () => {
  let demo: Awaited<ReturnType<typeof startDemoConsole>>
  beforeAll(async () => {
    demo = await startDemoConsole(executable ?? '')
  }, 120_000)
  afterAll(() => demo?.stop())

  const threads = async () => (await demo.client.comments.getCommentAnnotations(place)).data

  test.each([390, 1280])('a thread is started on a document, and opened, at %i px', async (width) => {
    const watched = await demo.signedIn('threads', width)
    const { page } = watched
    const dialog = page.getByRole('dialog').last()
    const text = `Is <b>30 days</b> right at ${width} px?`
    await page.getByRole('button', { name: 'Start a thread' }).click()
    await dialog.getByLabel('Document').fill('refund')
    await dialog.getByRole('option', { name: /Refund policy/ }).click()
    await dialog.getByLabel('Text').fill(text)
    await dialog.getByLabel('Write as').fill('maya')
    await expectSound(watched, 'start-a-thread')
    await dialog.getByRole('button', { name: 'Start a thread' }).click()
    await page.getByRole('heading', { name: text, exact: true }).waitFor()
    const started = (await threads()).find((each) => each?.comments[0]?.commentText === text)
    expect(started?.from.userId).toBe('maya')
    expect(new URL(page.url()).searchParams.get('thread')).toBe(started?.annotationId)
  })

  test('a thread on a document that is not there is refused, and what was written stays', async () => {
    const before = (await threads()).length
    const { page } = await demo.signedIn('threads')
    const dialog = page.getByRole('dialog').last()
    await page.getByRole('button', { name: 'Start a thread' }).click()
    await dialog.getByLabel('Document').fill('nowhere')
    await dialog.getByLabel('Text').fill('Lost?')
    await dialog.getByRole('button', { name: 'Start a thread' }).click()
    await dialog.getByRole('alert').waitFor()
    expect(await dialog.getByLabel('Text').inputValue()).toBe('Lost?')
    expect(await threads()).toHaveLength(before)
  })

  test.each([390, 1280])('a comment is edited, with a way back to its HTML, at %i px', async (width) => {
    const annotationId = `edited-${width}`
    const comment = { commentText: 'Ask {{priya}} first.', commentHtml: '<p>Ask <i>Priya</i> first.</p>' }
    const commentData = [{ commentId: 1, ...comment, from: { userId: 'maya' } }]
    await demo.client.comments.addCommentAnnotations({ ...place, commentAnnotations: [{ annotationId, commentData }] })
    const read = async () => (await demo.client.comments.getComments({ ...place, annotationId })).data[0]
    const watched = await demo.signedIn(`threads?status=all&thread=${annotationId}`, width)
    const { page } = watched
    const dialog = page.getByRole('dialog').last()
    await page.getByRole('button', { name: 'Edit the comment' }).click()
    await dialog.getByText('An id in double braces mentions the person who has it.').waitFor()
    expect(await dialog.getByLabel('Text').inputValue()).toBe(comment.commentText)
    await dialog.getByLabel('Text').fill('Ask {{priya}} and legal first.')
    await dialog.getByLabel('Write as').fill('maya')
    await dialog.getByRole('button', { name: 'Edit the comment' }).click()
    await page.getByText('The comment is changed.').waitFor()
    expect(await read()).toMatchObject({ commentText: 'Ask {{priya}} and legal first.', isEdited: true })
    expect(await read()).not.toHaveProperty('commentHtml', comment.commentHtml)
    await expectSound(watched, 'comment-edited')
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await page.getByText('It is as before.').waitFor()
    expect(await read()).toMatchObject(comment)
  })
})
