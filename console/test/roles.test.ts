import { request as ask, createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOperatorLink } from '../../server/src/areas/operators/access/link.ts'
import { sql } from '../../server/src/platform/db/db.ts'
import { listen } from '../../server/test/ports/listen.ts'
import { findBrowser } from './browser.ts'
import { startDemoConsole } from './demo-console.ts'

const executable = findBrowser()

describe.skipIf(!executable)('what a role may not do', { timeout: 60_000 }, () => {
  let demo: Awaited<ReturnType<typeof startDemoConsole>>
  beforeAll(async () => {
    demo = await startDemoConsole(executable ?? '')
    await demo.client.notifications.updateNotificationConfig({ useNotificationService: true })
    const recording = {
      annotationId: 'walk',
      recordingType: 'screen' as const,
      mode: 'floating' as const,
      recordedTime: { duration: 42_000 },
      attachments: [],
    }
    const place = { organizationId: 'northwind', documentId: 'refund-policy' }
    await demo.client.recordings.addRecordings({ ...place, recordings: [recording] })
  }, 120_000)
  afterAll(() => demo?.stop())

  async function signedInAs(role: string) {
    const email = `${role}@example.com`
    const token = await createOperatorLink(demo.service.database, email)
    await demo.service.database.query(sql`update operator set role = ${role} where email = ${email}`)
    const watched = await demo.open(`#token=${token}`)
    await watched.page.getByRole('button', { name: 'Not now' }).click()
    await watched.page.getByRole('navigation').waitFor()
    return watched
  }

  /** Which buttons of a page are off for what they need, and which are on. */
  const MATRIX = [
    {
      role: 'viewer',
      path: 'endpoints',
      off: ['Create an endpoint', 'Rotate the secret', 'Show the settings'],
      on: [],
    },
    { role: 'viewer', path: 'deliveries', off: ['Send a test event', 'Replay a range'], on: [] },
    { role: 'viewer', path: 'activity', off: ['Export'], on: ['Verify the log'] },
    { role: 'viewer', path: 'memory?view=knowledge', off: ['Upload', 'Add a text'], on: [] },
    { role: 'viewer', path: 'memory?view=judgments', off: ['Import'], on: [] },
    { role: 'viewer', path: 'keys', off: ['Create an API key', 'Show the token', 'Add domains'], on: [] },
    { role: 'reviewer', path: 'activity', off: [], on: ['Verify the log', 'Export'] },
    { role: 'reviewer', path: 'memory?view=quality', off: [], on: ['Evaluate now'] },
    { role: 'reviewer', path: 'endpoints', off: ['Show the signing secret', 'Disable'], on: [] },
    { role: 'developer', path: 'endpoints', off: [], on: ['Show the signing secret', 'Show the settings'] },
    { role: 'developer', path: 'notifications', off: ['Change the wait', 'Change the events'], on: [] },
    { role: 'developer', path: 'recordings?recording=walk', off: ['Delete'], on: [] },
    { role: 'developer', path: 'access', off: ['Show the settings'], on: [] },
    { role: 'developer', path: 'memory?view=quality', off: ['Evaluate now'], on: [] },
    { role: 'admin', path: 'keys', off: [], on: ['Create an API key', 'Show the token', 'Add domains'] },
    { role: 'admin', path: 'access', off: [], on: ['Show the settings'] },
  ]

  test.each(['viewer', 'reviewer', 'developer', 'admin'])('is off for a %s, with the reason', async (role) => {
    const { page, faults } = await signedInAs(role)
    const looks = new Set<string | null>()
    for (const { path, off, on } of MATRIX.filter((each) => each.role === role)) {
      await page.goto(demo.web.url + path)
      for (const name of off) {
        const button = page.getByRole('button', { name }).first()
        await button.waitFor()
        expect(await button.getAttribute('aria-disabled'), `${path}: ${name}`).toBe('true')
        expect(await button.getAttribute('title')).toMatch(new RegExp(`^Your role \\(${role}\\) may not do this\\.`))
        looks.add(await button.getAttribute('class'))
      }
      for (const name of on) {
        const button = page.getByRole('button', { name }).first()
        await button.waitFor()
        expect(await button.getAttribute('aria-disabled'), `${path}: ${name}`).toBe('false')
      }
    }
    // None of them looks as if it did something, whatever it does for others.
    expect(looks.size).toBeLessThanOrEqual(1)
    expect(faults).toEqual([])
  })

  test('a button that is off says why when it is pressed, and asks nothing of the service', async () => {
    const { page } = await signedInAs('viewer')
    await page.goto(`${demo.web.url}endpoints`)
    // Forced, because the tool itself does not press what is off.
    await page.getByRole('button', { name: 'Create an endpoint' }).click({ force: true })
    await page.getByRole('status').getByText('It needs the role developer or admin.').waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  test('the console works below any path', async () => {
    const proxy = await startBelow('/tools/review', demo.service.url)
    try {
      const origin = `http://127.0.0.1:${proxy.port}`
      // Signed in by the address that the proxy serves: a session counts for the port that it was made for.
      const token = await createOperatorLink(demo.service.database, 'below@example.com')
      const { page, faults } = await demo.open(`#token=${token}`, 1280, undefined, `${origin}/tools/review/console/`)
      await page.getByRole('button', { name: 'Not now' }).click()
      await page.getByRole('banner').waitFor()
      await page.goto(`${origin}/tools/review/console/deliveries?status=succeeded`)
      await page.getByRole('region', { name: 'Deliveries, newest first' }).waitFor()
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Endpoints' }).click()
      await page.getByRole('heading', { level: 1, name: 'Endpoints' }).waitFor()
      expect(page.url()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/tools\/review\/console\/endpoints/)
      expect(faults).toEqual([])
    } finally {
      await proxy.close()
    }
  })
})

/** A proxy that serves a service below a path, as one beside other tools does. */
async function startBelow(path: string, service: string): Promise<{ port: number; close(): Promise<void> }> {
  const proxy = createServer((incoming, answer) => {
    const { url = '', method, headers } = incoming
    if (!url.startsWith(`${path}/`)) return void answer.writeHead(404).end()
    const passed = ask(service + url.slice(path.length), { method, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(answer)
    })
    incoming.pipe(passed)
  })
  const port = await listen(proxy)
  const close = async () => {
    proxy.closeAllConnections()
    await new Promise((resolve) => proxy.close(resolve))
  }
  return { port, close }
}
