import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { type Service, startConfigured, startService } from '../../../test/running-service.ts'

const index = fileURLToPath(new URL('../../../dist/console/index.html', import.meta.url))
let service: Service
beforeAll(async () => {
  const root = fileURLToPath(new URL('../../../../', import.meta.url))
  if (!existsSync(index)) execFileSync('npm', ['run', '--silent', 'build'], { cwd: root })
  service = await startService()
}, 120_000)

const get = (path: string) => fetch(service.url + path, { redirect: 'manual' })

test('the console is at /console/, and /console leads there, below the path of a proxy too', async () => {
  const redirect = await get('/console')
  expect([redirect.status, redirect.headers.get('location')]).toEqual([308, 'console/'])
  const page = await get('/console/')
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(page.headers.get('content-security-policy')).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
      "frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  )
})

test('every page has the same document, and every file that it names is served and kept', async () => {
  const document = await (await get('/console/deliveries')).text()
  expect(document).toBe(await (await get('/console/')).text())
  const files = [...document.matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map(([, file]) => file)
  expect(files.length).toBeGreaterThan(1)
  for (const file of files) {
    const answer = await get(`/console/${file}`)
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000'])
  }
})

test.each([
  ['/console/deliveries/', '/console/deliveries'],
  ['/console/threads/?status=open&q=a?b', '/console/threads?status=open&q=a?b'],
  ['/console/threads/one/two', '/console/threads'],
  ['/console//elsewhere.test/', '/console/'],
])('a browser at %s is led to %s, below the path of a proxy too', async (from, to) => {
  const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
  const answer = await fetch(service.url + from, { headers, redirect: 'manual' })
  expect(answer.status).toBe(307)
  const location = answer.headers.get('location') ?? ''
  for (const base of [service.url, 'https://example.test/reviews']) {
    expect(new URL(location, base + from).href).toBe(base + to)
  }
  expect(await (await fetch(service.url + from, { headers })).text()).toContain('<div id="console">')
})

test.each(['/console/api/session/get', '/console/none.js/'])('a browser is not led on from %s', async (path) => {
  expect((await fetch(service.url + path, { headers: { accept: 'text/html' }, redirect: 'manual' })).status).toBe(404)
})

test.each(['/console/none.js', '/console/../package.json', '/console/%2e%2e/main.js', '/console/a/b'])(
  '%s is no part of the console',
  async (path) => {
    expect((await get(path)).status).toBe(404)
  },
)

test('with CONSOLE=off there is none', async () => {
  const without = await startConfigured({ CONSOLE: 'off' })
  expect((await fetch(`${without.url}/console/`)).status).toBe(404)
})
