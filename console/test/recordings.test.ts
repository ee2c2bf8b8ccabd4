import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBrowser } from './browser.ts'
import { expectSound, startDemoConsole } from './demo-console.ts'

const executable = findBrowser()
const organizationId = 'northwind'
const documentId = 'refund-policy'

describe.skipIf(!executable)('the page Recordings', { timeout: 60_000 }, () => {
  let demo: Awaited<ReturnType<typeof startDemoConsole>>
  beforeAll(async () => {
    demo = await startDemoConsole(executable ?? '')
  }, 120_000)
  afterAll(() => demo?.stop())

  async function addRecording(annotationId: string) {
    const recording = {
      annotationId,
      recordingType: 'screen' as const,
      mode: 'floating' as const,
      displayName: `Walk <b>through ${annotationId}`,
      recordedTime: { duration: 42_000 },
      attachments: [
        { name: 'walk.webm', url: 'https://cdn.example/walk.webm', mimeType: 'video/webm' },
        { name: 'notes.txt', url: 'javascript:alert(1)' },
      ],
      from: { userId: 'maya' },
      transcription: { text: '<script>alert(1)</script>' },
      commentAnnotationId: demo.review.annotationId,
    }
    await demo.client.recordings.addRecordings({ organizationId, documentId, recordings: [recording] })
  }

  test.each([360, 1280])('shows recordings with their files, and deletes one, at %i px', async (width) => {
    const id = `walk-${width}`
    await addRecording(id)
    const watched = await demo.signedIn('recordings', width)
    const { page } = watched
    const row = page.getByRole('region', { name: 'Recordings, in the order of adding' }).getByRole('row')
    const name = `Walk <b>through ${id}`
    await row.filter({ hasText: name }).getByText('00:00:42').waitFor()
    await row.filter({ hasText: name }).getByText('Refund policy, draft 3').waitFor()
    await expectSound(watched, 'recordings')
    await page.getByRole('button', { name }).click()
    const dialog = page.getByRole('dialog', { name })
    const file = dialog.getByRole('link', { name: 'walk.webm' })
    expect(await file.getAttribute('href')).toBe('https://cdn.example/walk.webm')
    expect(await dialog.getByRole('link', { name: 'notes.txt' }).count()).toBe(0)
    await dialog.getByText('Transcription').click()
    await dialog.getByText('<script>alert(1)</script>').waitFor()
    await expectSound(watched, 'recording')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    const question = page.getByRole('dialog').last()
    await question.getByText(`Deletes the recording ${name}.`).waitFor()
    await question.getByRole('button', { name: 'Delete' }).click()
    await page.getByText(`${name} is deleted.`).waitFor()
    await dialog.waitFor({ state: 'detached' })
    expect((await demo.client.recordings.getRecordings({ organizationId, recordingIds: [id] })).data).toEqual([])
  })

  test('leads from a document to its recordings, and from one to its thread', async () => {
    await addRecording('led-to')
    const { page } = await demo.signedIn(`browse?organizationId=${organizationId}&document=${documentId}`)
    await page.getByRole('dialog').getByRole('link', { name: 'Recordings' }).click()
    await page.getByRole('button', { name: 'led-to' }).click()
    await page.getByRole('dialog').getByRole('link', { name: 'Open the thread' }).click()
    await page.getByRole('dialog').getByText('Section 4 promises').first().waitFor()
  })

  test('says so where there is none, or not the one that an address names', async () => {
    const { page } = await demo.signedIn('recordings?documentId=nowhere&recording=gone')
    await page.getByRole('dialog').getByText('There is no such recording here.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('There is no recording.').waitFor()
  })
})
