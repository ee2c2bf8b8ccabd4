import { accessSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startService } from '../../../test/running-service.ts'

const service = await startService()
const get = (path: string, headers: Record<string, string> = {}) => fetch(service.url + path, { headers })
const page = '/reference'
const scripts = ['/reference/start.js', '/reference/viewer.js']

test('/openapi.json is served to any origin', async () => {
  const response = await get('/openapi.json')
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  expect(await response.json()).toHaveProperty('openapi', '3.1.0')
})

test('/ leads to the API reference', async () => {
  const root = await fetch(service.url, { redirect: 'manual' })
  expect([root.status, root.headers.get('location')]).toEqual([302, '/reference'])
  expect(await root.text()).toContain('/openapi.json')
  expect((await get('/')).headers.get('content-type')).toContain('text/html')
})

describe('/reference', () => {
  test("has a policy with default-src 'none', script-src 'self' and connect-src 'self'", async () => {
    for (const path of [page, `${page}/`]) {
      const policy = (await get(path)).headers.get('content-security-policy')?.split('; ')
      expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", "script-src 'self'", "connect-src 'self'"]))
      expect(policy?.filter((rule) => /unsafe|https?:|\*/.test(rule))).toEqual(["style-src 'unsafe-inline'"])
    }
  })

  test('names no foreign address, has no inline script, and its scripts come from this server', async () => {
    const html = await (await get(page)).text()
    expect(html).not.toMatch(/https?:|<script(?![^>]* src="\/)|<script[^>]*>[^<]/)
    for (const path of scripts) {
      expect(html).toContain(`src="${path}"`)
      expect((await get(path)).headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    }
  })

  test.each([page, ...scripts, '/openapi.json'])('%s is compressed and cached', async (path) => {
    const compressed = await get(path, { 'accept-encoding': 'gzip' })
    expect(compressed.headers.get('content-encoding')).toBe('gzip')
    expect(compressed.headers.get('cache-control')).toMatch(/^public, max-age=\d{4,}$/)
    const plain = await get(path, { 'accept-encoding': 'identity' })
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(await plain.text()).toBe(await compressed.text())
    const etag = plain.headers.get('etag') ?? ''
    const again = await get(path, { 'if-none-match': etag })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })
})

const browser = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].flatMap(
  (name) =>
    (process.env.PATH ?? '')
      .split(delimiter)
      .map((folder) => join(folder, name))
      .find(exists) ?? [],
)[0]
if (browser === undefined) console.warn('SKIPPED: no Chromium in the PATH, so /reference is not opened in a browser.')

function exists(path: string): boolean {
  try {
    accessSync(path)
    return true
  } catch {
    return false
  }
}

describe.skipIf(browser === undefined)('/reference in a browser', () => {
  async function open() {
    const opened = await chromium.launch({ executablePath: browser ?? '', args: ['--no-sandbox'] })
    onTestFinished(() => opened.close())
    return opened.newPage()
  }

  test('a request to test holds the example of its operation', { timeout: 60_000 }, async () => {
    const window = await open()
    await window.goto(`${service.url}${page}#tag/memory/POST/v2/memory/suggest`)
    const query = '"Photo of a bridge without alt text"'
    const section = window.locator('section', { hasText: 'Suggest a decision' }).filter({ hasText: query }).last()
    await section.getByRole('button', { name: /Test Request/ }).click()
    await window.getByRole('dialog').getByText(query).waitFor()
  })

  test('shows the operations, makes no foreign request, and breaks no rule of its policy', {
    timeout: 60_000,
  }, async () => {
    const window = await open()
    const foreign: string[] = []
    const said: string[] = []
    window.on('request', (request) => {
      if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== service.url)
        foreign.push(request.url())
    })
    window.on('console', (message) => said.push(message.text()))
    await window.goto(service.url + page)
    await window.getByText('Create a workspace').first().waitFor()
    await window.waitForLoadState('networkidle')
    expect(said.join('\n')).not.toContain('Content Security Policy')
    expect(foreign).toEqual([])
  })
})
