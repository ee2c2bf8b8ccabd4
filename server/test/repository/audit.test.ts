import { execFile } from 'node:child_process'
import { expect, onTestFinished, test } from 'vitest'
import { repository } from '../architecture/source.ts'
import { temporaryDirectory } from '../process.ts'
import { testReceiver } from '../receiver.ts'

/** Runs `npm run audit` with a registry and a cache of its own. */
async function audit(registry: string): Promise<{ code: number; output: string }> {
  const { path, remove } = await temporaryDirectory()
  onTestFinished(remove)
  const env = {
    ...process.env,
    npm_config_registry: registry,
    npm_config_cache: path,
    npm_config_fetch_retries: '0',
  }
  return new Promise((resolve) => {
    execFile(process.execPath, ['scripts/audit.mjs'], { cwd: repository, env }, (error, stdout) => {
      resolve({ code: error ? Number(error.code) : 0, output: stdout })
    })
  })
}

/** A registry that knows one vulnerability. */
function registryWith(severity: string) {
  const advisory = {
    id: 1,
    title: 'a hole',
    url: '',
    severity,
    vulnerable_versions: '<99',
    cwe: [],
    cvss: { score: 5 },
  }
  return testReceiver(({ url }) =>
    url.endsWith('/advisories/bulk')
      ? { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ fastify: [advisory] }) }
      : { status: 404, body: '{}' },
  )
}

const SLOW = { timeout: 60_000 }

test(
  'npm run audit fails for a high vulnerability of what production installs, and names the package',
  SLOW,
  async () => {
    const { code, output } = await audit((await registryWith('high')).url)
    expect(output).toContain('fastify: high\n1 known vulnerabilities, of which high or critical: 1.')
    expect(code).toBe(1)
  },
)

test('it tells of a moderate one without failing', SLOW, async () => {
  const { code, output } = await audit((await registryWith('moderate')).url)
  expect(output).toContain('1 known vulnerabilities, of which high or critical: 0.')
  expect(code).toBe(0)
})

test('it says that nothing was checked where the registry has no advisories or cannot be reached', SLOW, async () => {
  const { url } = await testReceiver(() => ({ status: 405, body: '{}' }))
  for (const registry of [url, 'http://127.0.0.1:1']) {
    const { code, output } = await audit(registry)
    expect(output).toMatch(/^NOT CHECKED: the registry gave no advisories/)
    expect(code).toBe(0)
  }
})
