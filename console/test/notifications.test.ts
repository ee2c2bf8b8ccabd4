import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBrowser } from './browser.ts'
import { expectSound, startDemoConsole } from './demo-console.ts'

const executable = findBrowser()
const place = { organizationId: 'northwind', documentId: 'refund-policy' }

describe.skipIf(!executable)('the page Notifications', { timeout: 60_000 }, () => {
  let demo: Awaited<ReturnType<typeof startDemoConsole>>
  beforeAll(async () => {
    demo = await startDemoConsole(executable ?? '')
    const { annotationId } = demo.review
    await demo.client.notifications.updateNotificationConfig({ useNotificationService: true })
    for (const commentText of ['Does this still hold?', 'Legal asks too.']) {
      const commentData = [{ commentText, from: { userId: 'jonas' } }]
      await demo.client.comments.addComments({ ...place, annotationId, commentData })
    }
    const { data } = await demo.client.notifications.getNotifications({ organizationId: 'northwind', userId: 'maya' })
    const read = data.filter(({ displayBodyMessage }) => displayBodyMessage === 'Legal asks too.')
    const notifications = read.map(({ id }) => ({ id, readByUserIds: ['maya'] }))
    await demo.client.notifications.updateNotifications({ organizationId: 'northwind', notifications })
  }, 120_000)
  afterAll(() => demo?.stop())

  test.each([360, 1280])('shows what a person was notified of, and what they have read, at %i px', async (width) => {
    const watched = await demo.signedIn('notifications', width)
    const { page } = watched
    await page.getByText('Choose a person.').waitFor()
    await page.getByRole('combobox', { name: 'Person' }).fill('maya')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    const rows = page.getByRole('region', { name: 'Notifications, newest first' }).getByRole('row')
    await rows.filter({ hasText: 'Does this still hold?' }).getByText('Unread').waitFor()
    await rows.filter({ hasText: 'Legal asks too.' }).getByText('Read', { exact: true }).waitFor()
    const { data } = await demo.client.notifications.countNotifications({ organizationId: 'northwind', userId: 'maya' })
    await page.getByText(`Unread: ${data.unread}. Addressed to them: ${data.forYou}.`).waitFor()
    await page.getByLabel('State').selectOption('Unread')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await rows.filter({ hasText: 'Legal asks too.' }).waitFor({ state: 'detached' })
    await rows.filter({ hasText: 'Does this still hold?' }).waitFor()
    await expectSound(watched, 'notifications')
    await rows.filter({ hasText: 'Does this still hold?' }).getByRole('link', { name: 'Open the thread' }).click()
    await page.getByRole('dialog').getByText('Legal asks too.').waitFor()
  })

  test('marks notifications as read, and deletes one from the inbox of a person alone', async () => {
    const { annotationId } = demo.review
    const commentData = [{ commentText: 'Whose is it?', from: { userId: 'jonas' } }]
    await demo.client.comments.addComments({ ...place, annotationId, commentData })
    const inboxOf = async (userId: string) =>
      (await demo.client.notifications.getNotifications({ organizationId: 'northwind', userId })).data
    const heldBy = async (userId: string, text: string) =>
      (await inboxOf(userId)).filter(({ displayBodyMessage }) => displayBodyMessage === text)
    expect(await heldBy('priya', 'Whose is it?')).toHaveLength(1)
    const { page } = await demo.signedIn('notifications?userId=maya&documentId=refund-policy')
    const row = page.getByRole('row').filter({ hasText: 'Whose is it?' })
    await row.getByRole('button', { name: 'Mark as read' }).click()
    await row.getByText('Read', { exact: true }).waitFor()
    expect((await heldBy('maya', 'Whose is it?')).map(({ isUnread }) => isUnread)).toEqual([false])
    await row.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('The notification is deleted.').waitFor()
    await row.waitFor({ state: 'detached' })
    expect(await heldBy('maya', 'Whose is it?')).toEqual([])
    expect(await heldBy('priya', 'Whose is it?')).toHaveLength(1)
    await page.getByRole('button', { name: 'Mark what is shown as read' }).click()
    await page.getByRole('button', { name: 'Mark what is shown as read' }).waitFor({ state: 'detached' })
    expect(await page.getByRole('row').getByText('Unread', { exact: true }).count()).toBe(0)
  })

  test('says where more are unread than are counted', async () => {
    const commentData = Array.from({ length: 500 }, () => ({ commentText: 'Still open.', from: { userId: 'jonas' } }))
    const { annotationId } = demo.review
    await demo.client.comments.addComments({ ...place, annotationId, commentData })
    await demo.client.comments.addComments({ ...place, annotationId, commentData })
    const { page } = await demo.signedIn('notifications?userId=maya')
    await page.getByText(/^Unread: 1,000 or more\. Addressed to them: [\d,]+ or more\.$/).waitFor()
  })

  test('changes what a person gets in a document, and takes it back', async () => {
    const { page } = await demo.signedIn('notifications?userId=maya&documentId=refund-policy')
    const inbox = async () => {
      const asked = { organizationId: 'northwind', documentIds: ['refund-policy'], userId: 'maya' }
      return (await demo.client.notifications.getUserNotificationConfig(asked)).data[0]?.config.inbox
    }
    const before = await inbox()
    const panel = page.locator('section.panel', { hasText: 'What they chose for Refund policy, draft 3' })
    await panel.getByRole('button', { name: 'Change the choice' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Inbox').selectOption('Nothing')
    await dialog.getByRole('button', { name: 'Change the choice' }).click()
    await panel.locator('dl').getByText('Nothing').waitFor()
    expect(await inbox()).toBe('NONE')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(inbox).toBe(before)
  })

  test('changes which events notify people and when, and takes it back', async () => {
    const watched = await demo.signedIn('notifications', 390)
    const { page } = watched
    const read = async () => (await demo.client.notifications.getNotificationConfig()).data.notificationServiceConfig
    const before = await read()
    const panel = page.locator('section.panel', { hasText: 'What notifies people' })
    const dialog = page.getByRole('dialog')
    await panel.getByRole('button', { name: 'Change the wait' }).click()
    await dialog.getByLabel('Wait before telling of a comment').check()
    await dialog.getByLabel('Seconds to wait').fill('3')
    await dialog.getByRole('button', { name: 'Change the wait' }).click()
    await dialog.locator('input[name=delaySeconds]:focus[aria-invalid=true]').waitFor()
    // The browser itself reports that the request was refused.
    watched.faults.length = 0
    await dialog.getByLabel('Seconds to wait').fill('30')
    await dialog.getByRole('button', { name: 'Change the wait' }).click()
    await panel.getByText('30 s', { exact: true }).waitFor()
    await panel.getByRole('button', { name: 'Gather by person' }).click()
    await dialog.getByLabel('Gather by person').check()
    await dialog.getByLabel('So many appear at once').fill('5')
    await dialog.getByRole('button', { name: 'Gather by person' }).click()
    await panel.getByText('10 s after the first, or when there are 5').waitFor()
    await panel.getByRole('button', { name: 'Change the events' }).click()
    const switches = dialog.locator('.check')
    expect(await switches.first().textContent()).toBe('A thread is started comment / newlyAdded')
    expect(await switches.last().textContent()).toBe('Somebody joins a huddle huddle / join')
    await dialog.getByLabel('A comment is added').uncheck()
    await expectSound(watched, 'notification-settings')
    await dialog.getByRole('button', { name: 'Change the events' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await read()).toMatchObject({
      delayConfig: { isEnabled: true, delaySeconds: 30 },
      batchConfig: {
        user: { isEnabled: true, batchWindowSeconds: 10, maxActivities: 5 },
        document: { isEnabled: false },
      },
      triggers: { comment: { added: false } },
    })
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await expect.poll(read).toMatchObject({ triggers: { comment: { added: true } } })
    await demo.client.notifications.updateNotificationConfig({ notificationServiceConfig: before })
  })
})
