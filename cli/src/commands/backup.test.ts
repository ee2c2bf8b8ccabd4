import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listen } from '../../../server/test/ports/listen.ts'
import { buildOnce, type ServerProcess, startProcess, temporaryDirectory } from '../../../server/test/process.ts'
import { PROGRAM, precedent, startPrecedent } from '../../test/command-line.ts'

const OPERATOR_TOKEN = 'token-of-the-operator-of-the-test'

let directory: Awaited<ReturnType<typeof temporaryDirectory>>
let server: ServerProcess
let here: Record<string, string>
const at = (name: string) => join(directory.path, name)

beforeAll(async () => {
  await buildOnce()
  directory = await temporaryDirectory()
  server = await startProcess({ DATA_DIR: at('data'), OPERATOR_TOKEN })
  here = { DATA_DIR: at('data'), PORT: new URL(server.url).port }
  await writeFile(at('passphrase'), 'correct horse\n')
  await writeFile(at('other'), 'battery staple\n')
  const files = [
    await precedent(['backup', at('plain.gz')], here),
    await precedent(['backup', at('secret.age'), '--passphrase-file', at('passphrase'), '--json'], here),
  ]
  expect(files.map(({ code, errors }) => [code, errors])).toEqual([
    [0, expect.stringContaining('The master keys are not')],
    [0, ''],
  ])
}, 600_000)
afterAll(async () => {
  await server.stop()
  await directory.remove()
})

let targets = 0
/** An empty data directory with the master keys of the server. */
async function target(): Promise<Record<string, string>> {
  const path = at(`target-${targets++}`)
  await mkdir(path)
  await cp(at('data/secret-keys'), join(path, 'secret-keys'))
  return { DATA_DIR: path }
}

const passphrase = () => ['--passphrase-file', at('passphrase')]

/** Restores what must be refused, and checks that nothing was changed. */
async function refused(args: string[], env?: Record<string, string>): Promise<string> {
  const place = env ?? (await target())
  const files = async () => (await readdir(place.DATA_DIR ?? '')).sort()
  const before = await files()
  const { code, output, errors } = await precedent(['restore', ...args], place)
  expect([code, output, await files()]).toEqual([1, '', before])
  return errors
}

describe('precedent backup', { timeout: 120_000 }, () => {
  test('is a file of its owner, packed lines of JSON, that says what it is', async () => {
    expect((await stat(at('plain.gz'))).mode & 0o777).toBe(0o600)
    const lines = gunzipSync(await readFile(at('plain.gz')))
      .toString()
      .trimEnd()
      .split('\n')
    expect(JSON.parse(lines[0] ?? '')).toEqual([
      'about',
      { at: expect.any(String), keys: ['k1'], rows: expect.any(Number) },
    ])
    const rows = lines.filter((line) => line.startsWith('{'))
    expect(JSON.parse(lines.at(-1) ?? '')).toEqual(['end', rows.length])
    expect(lines.join()).not.toContain((await readFile(at('data/secret-keys'), 'utf8')).trim())
  })

  test('leaves no copy of the data behind, and does not replace a file', async () => {
    const files = (await readdir(at('data'))).filter((name) => !name.endsWith('.socket'))
    expect(files.sort()).toEqual(['postgres', 'secret-keys', 'version.json'])
    const again = await precedent(['backup', at('plain.gz')], here)
    expect([again.code, again.errors]).toEqual([1, expect.stringContaining('exists already')])
  })

  test('of two at once into one file, only that which the file holds is reported as done', async () => {
    const both = await Promise.all([1, 2].map(() => precedent(['backup', at('both.gz'), '--json'], here)))
    const done = both.flatMap(({ code, output }) => (code === 0 ? [JSON.parse(output).rows] : []))
    expect(done).toHaveLength(1)
    expect(both.map(({ errors }) => errors).join('')).toContain('both.gz exists already.')
    const { output } = await precedent(['restore', '--check', at('both.gz'), '--json'], here)
    expect([JSON.parse(output).rows]).toEqual(done)
  })

  test('names the file that cannot be written whole, and leaves nothing of it', async () => {
    const script = `ulimit -f 8; exec "${process.execPath}" "${PROGRAM}" backup "${at('large.gz')}"`
    const ended = promisify(execFile)('bash', ['-c', script], { env: { ...process.env, ...here } })
    await expect(ended).rejects.toMatchObject({ stderr: expect.stringMatching(/large\.gz cannot be written: EFBIG/) })
    expect((await readdir(directory.path)).filter((name) => name.startsWith('large'))).toEqual([])
  })

  test('to standard output, for a pipe', async () => {
    const script = `"${process.execPath}" cli/dist/precedent.js backup - | gunzip | tail -n 1`
    const { stdout } = await promisify(execFile)('bash', ['-c', script], { env: { ...process.env, ...here } })
    expect(stdout).toMatch(/^\["end",\d+\]\n$/)
  })

  test('of another server takes the token of its operator', async () => {
    const remote = (env: Record<string, string>) => precedent(['backup', at('remote.gz'), '--server', server.url], env)
    expect((await remote({})).errors).toContain('Set PRECEDENT_OPERATOR_TOKEN')
    expect((await remote({ PRECEDENT_OPERATOR_TOKEN: 'wrong' })).errors).toContain('UNAUTHENTICATED')
    expect((await readdir(directory.path)).filter((name) => name.endsWith('.partial'))).toEqual([])
    expect((await remote({ PRECEDENT_OPERATOR_TOKEN: OPERATOR_TOKEN })).code).toBe(0)
    expect((await precedent(['restore', at('remote.gz'), '--check'])).code).toBe(0)
  })

  test('ends when it is interrupted while the server is silent, and leaves no file', async () => {
    const silent = createServer()
    const url = `http://127.0.0.1:${await listen(silent)}`
    const env = { PRECEDENT_OPERATOR_TOKEN: OPERATOR_TOKEN }
    const waiting = startPrecedent(['backup', at('silent.gz'), '--server', url], env)
    await once(silent, 'request')
    waiting.interrupt()
    expect(await waiting.ended).toMatchObject({ code: 1, errors: expect.stringContaining('was interrupted') })
    expect((await readdir(directory.path)).filter((name) => name.startsWith('silent'))).toEqual([])
    silent.close()
  })

  test('by somebody with other master keys is refused, and the port of the server is asked for', async () => {
    const stranger = { ...here, SECRET_KEYS: `k1:${Buffer.alloc(32, 9).toString('base64')}` }
    expect((await precedent(['backup', at('stranger.gz')], stranger)).errors).toContain('UNAUTHENTICATED')
    const lost = await precedent(['backup', at('lost.gz')], { ...here, PORT: '1' })
    expect(lost.errors).toMatch(/Set PORT and HOST as that server has them; if it is stopping, try again/)
  })

  test('with a key pair is opened by its file alone', async () => {
    const made = await precedent(['backup-key', at('key')])
    expect((await stat(at('key'))).mode & 0o777).toBe(0o400)
    const taken = await precedent(['backup', at('paired.age'), '--recipient', made.output.trim()], here)
    expect(taken.code).toBe(0)
    expect((await precedent(['restore', at('paired.age'), '--identity', at('key'), '--check'])).code).toBe(0)
    for (const without of [[], passphrase()]) {
      const { errors } = await precedent(['restore', at('paired.age'), ...without, '--check'])
      expect(errors).toMatch(/^The backup is encrypted with a key\.\n.*--identity/)
    }
    const wrong = await precedent(['backup', at('wrong.age'), '--recipient', 'age1wrong'], here)
    expect([wrong.code, wrong.errors]).toEqual([2, expect.stringContaining('begins with age1')])
  })
})

describe('precedent restore', { timeout: 120_000 }, () => {
  test('--check verifies a whole backup and restores nothing', async () => {
    const { code, output } = await precedent(['restore', at('secret.age'), ...passphrase(), '--check'])
    expect([code, output]).toEqual([0, expect.stringMatching(/whole: \d+ rows as of .*\n.*master keys k1\./)])
  })

  test.each([
    ['cut off', 'secret.age', async (file: string) => truncate(file, (await stat(file)).size - 20)],
    [
      'changed in one bit',
      'secret.age',
      async (file: string) => {
        const bytes = await readFile(file)
        bytes.writeUInt8(bytes.readUInt8(bytes.length - 100) ^ 1, bytes.length - 100)
        await writeFile(file, bytes)
      },
    ],
    ['cut off, not encrypted', 'plain.gz', async (file: string) => truncate(file, (await stat(file)).size - 20)],
  ])('a backup that was %s is refused', async (_, name, damage) => {
    await cp(at(name), at('damaged'))
    await damage(at('damaged'))
    expect(await refused([at('damaged'), ...passphrase()])).toContain('changed or cut off')
    await rm(at('damaged'))
  })

  const lines = async () =>
    gunzipSync(await readFile(at('plain.gz')))
      .toString()
      .split('\n')
  const packed = (text: string) => writeFile(at('made.gz'), gzipSync(text))

  test('a backup without a row or without its end is refused', async () => {
    const all = await lines()
    await packed(all.filter((line, index) => !line.startsWith('{') || index < 10).join('\n'))
    expect(await refused([at('made.gz')])).toMatch(/announces \d+ rows and has \d+/)
    const checked = await precedent(['restore', '--check', at('made.gz')])
    expect([checked.code, checked.errors]).toEqual([1, expect.stringMatching(/announces \d+ rows and has \d+/)])
    await packed(all.slice(0, -5).join('\n'))
    expect(await refused([at('made.gz')])).toContain('not complete')
  })

  test('a backup of a later version, and what is no backup, are refused', async () => {
    const [about, names, ...rest] = await lines()
    await packed([about, names?.replace('"]', ' 9999-future.sql"]'), ...rest].join('\n'))
    expect(await refused([at('made.gz')])).toMatch(/later version of Precedent \(9999-future.sql\)/)
    await packed('hello\n')
    expect(await refused([at('made.gz')])).toContain('no backup of Precedent')
    expect(await refused([at('missing')])).toContain('is no file')
  })

  test('the master keys must be there first, and be those of the backup', async () => {
    await mkdir(at('keyless'))
    expect(await refused([at('plain.gz')], { DATA_DIR: at('keyless') })).toMatch(
      /needs the master keys .*k1.*secret-keys/,
    )
    const place = await target()
    await writeFile(join(place.DATA_DIR ?? '', 'secret-keys'), `k1:${Buffer.alloc(32, 9).toString('base64')}\n`)
    expect(await refused([at('plain.gz')], place)).toContain('does not hold the key of the stored secrets')
    await writeFile(join(place.DATA_DIR ?? '', 'secret-keys'), `k2:${Buffer.alloc(32, 9).toString('base64')}\n`)
    expect(await refused([at('plain.gz')], place)).toContain('lacks k1')
  })

  test('a wrong passphrase is refused', async () => {
    expect(await refused([at('secret.age'), '--passphrase-file', at('other')])).toContain('Check the passphrase')
  })

  test('an empty database is filled, and one with data is refused', async () => {
    const place = await target()
    const { code, output } = await precedent(['restore', at('secret.age'), ...passphrase()], place)
    expect([code, output]).toEqual([0, expect.stringMatching(/^\d+ rows are restored, as of /)])
    expect(await refused([at('plain.gz')], place)).toContain('holds data already')
    const credentials = await precedent(['credentials'], place)
    expect(credentials.output).toContain('demo@precedent.local')
  })
})
