import { execFile, execFileSync } from 'node:child_process'
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { validate } from 'dockerfile-utils'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { repository } from '../architecture/source.ts'
import { temporaryDirectory } from '../process.ts'

const run = promisify(execFile)
const read = (path: string) => readFileSync(join(repository, path), 'utf8')

const MOST_MB = 80

describe('Dockerfile', () => {
  const sources = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths = '']) =>
    paths.split(' '),
  )

  test('copies files that exist, and the manifest of every workspace', () => {
    for (const path of sources) expect([path, existsSync(join(repository, path))]).toEqual([path, true])
    const { workspaces } = JSON.parse(read('package.json'))
    expect(sources).toEqual(expect.arrayContaining(workspaces.map((name: string) => `${name}/package.json`)))
  })

  test('has nothing that a linter warns of', () => {
    expect(validate(read('Dockerfile'))).toEqual([])
  })

  test('starts from named versions, runs without root, and says how to ask for its health', () => {
    const text = read('Dockerfile')
    const [, last = ''] = /^FROM (?![\s\S]*^FROM )([\s\S]*)/m.exec(text) ?? []
    expect([...text.matchAll(/^FROM (\S+)/gm)].map(([, image = '']) => /:\d/.test(image))).toEqual([true, true, true])
    expect(last).toMatch(/^USER node$/m)
    expect(last).toMatch(/^HEALTHCHECK .*\n {2}CMD \["node"/m)
    expect(last).toMatch(/^ENTRYPOINT \["node", "\/app\/dist\/precedent.js"\]$/m)
    expect(text).not.toMatch(/^ADD |^SHELL |\bsudo\b|\bcurl\b/m)
  })

  test(`what it copies beside Node has at most ${MOST_MB} MB, and starts`, { timeout: 300_000 }, async () => {
    const { path, remove } = await temporaryDirectory()
    onTestFinished(remove)
    for (const source of sources.filter((each) => each !== '.')) {
      await mkdir(join(path, dirname(source)), { recursive: true })
      await cp(join(repository, source), join(path, source))
    }
    const [, install = ''] = /^RUN (npm ci --workspace(?:.*\\\n)*.*)$/m.exec(read('Dockerfile')) ?? []
    await run('bash', ['-ec', install], { cwd: path, env: { ...process.env, npm_config_prefer_offline: 'true' } })
    await run('npm', ['pack', '--workspace=cli', `--pack-destination=${path}`], { cwd: repository })
    const [packed = ''] = readdirSync(path).filter((file) => file.endsWith('.tgz'))
    await run('tar', ['--extract', '--gzip', `--file=${packed}`, '--strip-components=1'], { cwd: path })
    expect(bytesOf(join(path, 'node_modules')) + bytesOf(join(path, 'dist'))).toBeLessThan(MOST_MB * 1_000_000)
    const { PATH = '' } = process.env
    const env = { PATH, DATA_DIR: join(path, 'data') }
    const { stdout } = await run(process.execPath, [join(path, 'dist/precedent.js'), 'migrate'], { env })
    expect(stdout).toContain('The database is up to date')
  })
})

test('compose.yaml starts PostgreSQL, migrations, an API and two workers, on roots that they cannot write', () => {
  const { services } = parse(read('compose.yaml'), { merge: true })
  expect(Object.keys(services)).toEqual(['postgres', 'migrate', 'api', 'worker'])
  expect(services.api).toMatchObject({ environment: { ROLE: 'api' }, ports: ['127.0.0.1:8080:8080'] })
  expect(services.worker).toMatchObject({ environment: { ROLE: 'worker' }, deploy: { replicas: 2 } })
  for (const name of ['migrate', 'api', 'worker']) {
    expect(services[name]).toMatchObject({ read_only: true, cap_drop: ['ALL'], build: '.' })
  }
})

test('compose.yaml hands on the settings that its guide names from `.env`', () => {
  const [, guide = ''] = /^## Compose\n([\s\S]*?)^## /m.exec(read('docs/containers.md')) ?? []
  const named = [...guide.matchAll(/`([A-Z]+_[A-Z]+)`|^([A-Z]+_[A-Z]+)=/gm)].map(
    ([, inText, inFile]) => inText ?? inFile,
  )
  expect(named).toEqual(expect.arrayContaining(['SECRET_KEYS', 'PUBLIC_URL', 'TRUST_PROXY', 'SMTP_URL', 'MAIL_FROM']))
  const text = read('compose.yaml')
  expect(named.filter((name) => !text.includes(`\${${name}:`))).toEqual([])
})

test('the Helm chart takes no secret among its settings', () => {
  const secrets = [...read('docs/configuration.md').matchAll(/^\| `([A-Z_]+)` \| [^|]*†/gm)].map(([, name]) => name)
  const { settings } = JSON.parse(read('deploy/helm/precedent/values.schema.json')).properties
  expect(settings.propertyNames.not.enum).toEqual(expect.arrayContaining(secrets))
})

test('every deployment lets only the operator create workspaces', () => {
  const { services } = parse(read('compose.yaml'), { merge: true })
  for (const name of ['migrate', 'api', 'worker']) {
    expect(services[name].environment.WORKSPACE_CREATE).toBe('token')
  }
  expect(read('Dockerfile')).toMatch(/^ENV .*\bWORKSPACE_CREATE=token\b/m)
  for (const file of readdirSync(join(repository, 'deploy/systemd'))) {
    expect(read(`deploy/systemd/${file}`)).toMatch(/^Environment=.*\bWORKSPACE_CREATE=token\b/m)
  }
  expect(parse(read('deploy/helm/precedent/values.yaml')).settings).toEqual({ WORKSPACE_CREATE: 'token' })
})

test('compose.yaml, the Dockerfile and the systemd units name settings that exist', () => {
  const ofCompose = [...read('compose.yaml').matchAll(/\b([A-Z][A-Z_]+)(?=: )/g)].map(([, name]) => name)
  const ofImage = [...read('Dockerfile').matchAll(/\b([A-Z][A-Z_]+)=/g)].map(([, name]) => name)
  const ofUnits = readdirSync(join(repository, 'deploy/systemd')).flatMap((file) =>
    [...read(`deploy/systemd/${file}`).matchAll(/\b([A-Z][A-Z_]+)=/g)].map(([, name]) => name),
  )
  const others = ['NODE_ENV', 'POSTGRES_USER', 'POSTGRES_PASSWORD', 'POSTGRES_INITDB_ARGS', 'NAME']
  const settings = [...read('docs/configuration.md').matchAll(/^\| `([A-Z_]+)`/gm)].map(([, name]) => name)
  const known = [...settings, ...others]
  expect([...ofCompose, ...ofImage, ...ofUnits].filter((name = '') => !known.includes(name))).toEqual([])
})

test.skipIf(!isInstalled('systemd-analyze'))('systemd finds nothing wrong in the units', async () => {
  const { path, remove } = await temporaryDirectory()
  onTestFinished(remove)
  for (const file of readdirSync(join(repository, 'deploy/systemd'))) {
    const unit = read(`deploy/systemd/${file}`)
    await writeFile(join(path, file.replace('@.', '@9001.')), unit)
  }
  const units = readdirSync(path).map((file) => join(path, file))
  const { stderr } = await run('systemd-analyze', ['verify', '--recursive-errors=no', ...units])
  expect(stderr.split('\n').filter((line) => line.includes(path))).toEqual([])
})

function bytesOf(path: string): number {
  const stats = lstatSync(path)
  if (!stats.isDirectory()) return stats.size
  return readdirSync(path).reduce((sum, name) => sum + bytesOf(join(path, name)), 0)
}

function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
