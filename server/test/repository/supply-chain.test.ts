import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { repository } from '../architecture/source.ts'

interface Package {
  license?: string
  link?: boolean
  dev?: boolean
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}

/** Licences that let anyone use, change and pass on a package without publishing their own code. */
const PERMISSIVE = [
  'MIT',
  'MIT-0',
  'Apache-2.0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  '0BSD',
  'Python-2.0',
  'Unlicense',
]

const isPermissive = (license: string) => license.replaceAll(/[()]/g, '').split(' OR ').some(isAllPermissive)
const isAllPermissive = (license: string) => license.split(' AND ').every((one) => PERMISSIVE.includes(one))

const { packages }: { packages: Record<string, Package> } = JSON.parse(
  readFileSync(join(repository, 'package-lock.json'), 'utf8'),
)

/** The packages with another licence, each with it. */
const others = (paths: string[]) =>
  paths
    .filter((path) => !isPermissive(packages[path]?.license ?? 'none'))
    .map((path) => `${path}: ${packages[path]?.license}`)

test('what is installed for production has a permissive licence', () => {
  const installed = Object.entries(packages).filter(
    ([path, { link, dev }]) => path.includes('node_modules/') && !link && !dev,
  )
  expect(installed.length).toBeGreaterThan(50)
  expect(others(installed.map(([path]) => path))).toEqual([])
})

test('the packages that only EMBEDDER=onnx needs are not installed for production', () => {
  const runtimes = Object.entries(packages).filter(([path]) => /onnxruntime|huggingface/.test(path))
  expect(runtimes.length).toBeGreaterThan(0)
  expect(runtimes.filter(([, { dev }]) => !dev)).toEqual([])
})

test('what can be bundled into the MCP server has a permissive licence', () => {
  const reached = new Set<string>()
  const reach = (path: string) => {
    if (reached.has(path)) return
    reached.add(path)
    for (const name of Object.keys(packages[path]?.dependencies ?? {})) {
      const nested = `${path}/node_modules/${name}`
      reach(packages[nested] ? nested : `node_modules/${name}`)
    }
  }
  for (const name of Object.keys(packages.mcp?.devDependencies ?? {})) reach(`node_modules/${name}`)
  expect(reached.size).toBeGreaterThan(10)
  expect(others([...reached])).toEqual([])
})

const SECRETS: [string, RegExp][] = [
  ['a private key', /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----\s+[A-Za-z0-9+/]{40}/],
  ['a key of AWS', /\bAKIA[0-9A-Z]{16}\b/],
  ['a token of GitHub', /\bgh[pousr]_[A-Za-z0-9]{36}\b/],
  ['a token of Slack', /\bxox[abprs]-[0-9A-Za-z-]{20,}/],
  ['a live key of Stripe', /\bsk_live_[0-9A-Za-z]{20,}/],
  ['a key of SendGrid', /\bSG\.[\w-]{22}\.[\w-]{43}\b/],
  ['a token of npm', /\bnpm_[A-Za-z0-9]{36}\b/],
]

const secretsIn = (text: string) => SECRETS.filter(([, form]) => form.test(text)).map(([name]) => name)

describe('the repository', () => {
  // An archive of the sources has no list of its files.
  test.skipIf(!existsSync(join(repository, '.git')))('holds no secret of a known form', () => {
    const files = execFileSync('git', ['ls-files', '-z'], { cwd: repository, encoding: 'utf8' })
      .split('\0')
      .filter(Boolean)
    const found = files
      .filter((file) => statSync(join(repository, file), { throwIfNoEntry: false })?.isFile())
      .flatMap((file) => secretsIn(readFileSync(join(repository, file), 'latin1')).map((name) => `${file}: ${name}`))
    expect(found).toEqual([])
  })

  test.each([
    ['a private key', ['-----BEGIN', 'PRIVATE KEY-----\n'].join(' ') + 'A'.repeat(64)],
    ['a key of AWS', `id = ${'AKIA'}${'A1'.repeat(8)}`],
    ['a token of GitHub', `${'ghp'}_${'a1'.repeat(18)}`],
  ])('would be told of %s', (name, text) => {
    expect(secretsIn(text)).toEqual([name])
  })
})
