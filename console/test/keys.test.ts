import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBrowser } from './browser.ts'
import { expectSound, startDemoConsole } from './demo-console.ts'

const executable = findBrowser()
const ORGANIZATION = 'northwind'

describe.skipIf(!executable)('the pages of a key in a browser', { timeout: 60_000 }, () => {
  let demo: Awaited<ReturnType<typeof startDemoConsole>>
  beforeAll(async () => {
    demo = await startDemoConsole(executable ?? '')
    await demo.client.activities.updateActivityConfig({ activityServiceConfig: { isEnabled: true } })
  }, 120_000)
  afterAll(() => demo?.stop())

  describe('Start', () => {
    test.each([360, 1280])(
      'shows which steps are done, and requests with the key filled in, at %i px',
      async (width) => {
        const watched = await demo.signedIn('start', width)
        const { page } = watched
        await page.getByText('The first thread is started. done').waitFor()
        await page.getByText(/^The first event has arrived there: .* done/).waitFor()
        expect(await page.content()).not.toContain(demo.review.authToken)
        const reference = page.getByRole('link', { name: 'API reference' })
        expect(await reference.getAttribute('href')).toBe(`${demo.service.url}/reference`)
        await expectSound(watched, 'start')
        await page.getByRole('button', { name: 'Fill in the token' }).click()
        await page.getByText(demo.review.authToken).first().waitFor()
        await page.getByRole('button', { name: 'Take the token out' }).click()
        expect(await page.content()).not.toContain(demo.review.authToken)
      },
    )

    test('shows the last requests of the key, live', async () => {
      const watched = await demo.signedIn('start')
      const { page } = watched
      const requests = page.getByRole('region', { name: 'Last requests' })
      await requests.getByText('/v2/commentannotations/add').first().waitFor()
      await demo.client.users.addUsers({ organizationId: ORGANIZATION, users: [] }).catch(() => undefined)
      await demo.client.users.getUsers({ organizationId: 'nowhere' }).catch(() => undefined)
      await requests.getByText('There is no organization nowhere.').first().waitFor()
      await expectSound(watched, 'start-requests')
    })

    test('each of its requests, pasted as it stands, is accepted', async () => {
      const { page } = await demo.signedIn('start')
      await page.getByRole('button', { name: 'Fill in the token' }).click()
      await page.getByText(demo.review.authToken).first().waitFor()
      for (const command of await page.locator('pre').allTextContents()) {
        const { stdout } = await promisify(execFile)('bash', ['-c', command])
        expect(JSON.parse(stdout)).toMatchObject({ result: { status: 'success' } })
      }
      const { results } = await demo.client.memory.searchJudgments({
        organizationId: 'acme',
        filters: { annotationId: 'price' },
      })
      expect(results[0]).toMatchObject({ decision: 'approved', actionUser: { name: 'Ada Lovelace' } })
    })
  })

  describe('Keys and options', () => {
    test.each([360, 1280])('lists the keys and the switches of the chosen one, at %i px', async (width) => {
      const watched = await demo.signedIn('keys', width)
      const { page } = watched
      await page.getByText(demo.review.apiKey).first().waitFor()
      await page.getByText('Activity log: on').waitFor()
      await page.getByText('Who did what is recorded, and shown on the page Activity.').waitFor()
      expect(await page.content()).not.toContain(demo.review.authToken)
      await expectSound(watched, 'keys')
    })

    test('notifications, which are off at first, are switched on', async () => {
      const isOn = async () => (await demo.client.notifications.getNotificationConfig({})).data.useNotificationService
      expect(await isOn()).toBe(false)
      const { page } = await demo.signedIn('keys')
      await page.getByRole('button', { name: 'Switch on: Notifications' }).click()
      await page.getByRole('button', { name: 'Switch off: Notifications' }).waitFor()
      expect(await isOn()).toBe(true)
    })

    test('keys of the same name are told apart, and another one is chosen', async () => {
      const headers = {
        'content-type': 'application/json',
        'x-service-workspace-id': demo.review.workspaceId,
        'x-service-workspace-auth-token': demo.review.workspaceAuthToken,
      }
      const create = async () => {
        const data = { ownerEmail: 'twin@northwind.example', type: 'testing', apiKeyName: 'Twin' }
        const { result } = (await demo.service.call('/v2/workspace/apikey/create', data, headers)).body as {
          result: { data: { apiKey: string } }
        }
        return result.data.apiKey
      }
      const [first, second] = [await create(), await create()]
      const { page } = await demo.signedIn('keys')
      const list = page.getByLabel('Workspace and API key')
      await list.getByRole('option', { name: `Twin, ${first}` }).waitFor({ state: 'attached' })
      await list.getByRole('option', { name: `Twin, ${second}` }).waitFor({ state: 'attached' })
      const panel = page.locator('section.panel', { hasText: second })
      await panel.getByRole('link', { name: 'Choose this key' }).click()
      await panel.getByText('chosen', { exact: true }).waitFor()
      expect(await list.inputValue()).toBe(second)
      expect(page.url()).toContain(`key=${second}`)
      await page.getByText('Options of the chosen key, Twin').waitFor()
    })

    test('the chosen key is deleted, and another one is chosen', async () => {
      const headers = {
        'content-type': 'application/json',
        'x-service-workspace-id': demo.review.workspaceId,
        'x-service-workspace-auth-token': demo.review.workspaceAuthToken,
      }
      const data = { ownerEmail: 'gone@northwind.example', type: 'testing', apiKeyName: 'Soon gone' }
      const { result } = (await demo.service.call('/v2/workspace/apikey/create', data, headers)).body as {
        result: { data: { apiKey: string } }
      }
      const { page } = await demo.signedIn(`keys?key=${result.data.apiKey}`)
      const panel = page.locator('section.panel', {
        has: page.getByRole('heading', { name: 'Soon gone', exact: true }),
      })
      await panel.getByRole('button', { name: 'Disable' }).click()
      await panel.getByText('disabled', { exact: true }).waitFor()
      await panel.getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('dialog').getByText('Deletes the API key Soon gone and everything').waitFor()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await page.getByText('The API key is being deleted with all its data.').waitFor()
      await panel.waitFor({ state: 'detached' })
      await page.getByText('chosen', { exact: true }).waitFor()
    })

    test('a switch is turned, a key is created, shown its token, disabled and deleted', async () => {
      const { page } = await demo.signedIn('keys')
      await page.getByRole('button', { name: 'Switch on: Private comments' }).click()
      await page.getByRole('button', { name: 'Switch off: Private comments' }).waitFor()
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByRole('button', { name: 'Switch on: Private comments' }).waitFor()
      await page.getByRole('button', { name: 'Create an API key' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Name').fill('Second key')
      await dialog.getByLabel('Email of its owner').fill('maya@northwind.example')
      await dialog.getByRole('button', { name: 'Create an API key' }).click()
      await page.getByText(/^The API key \w+ is created/).waitFor()
      const second = page.locator('section', { hasText: 'Second key' }).last()
      expect(await second.getByText('chosen', { exact: true }).count()).toBe(0)
      await second.getByRole('button', { name: 'Show the token' }).click()
      await second.getByRole('button', { name: 'Hide' }).click()
      await second.getByRole('button', { name: 'Disable' }).click()
      await second.getByText('disabled', { exact: true }).waitFor()
      await second.getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await page.getByText('The API key is being deleted with all its data.').waitFor()
    })
  })
})
