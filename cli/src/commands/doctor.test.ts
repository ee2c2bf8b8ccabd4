import { execFile, spawnSync } from 'node:child_process'
import { chmod, cp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { sql } from '../../../server/src/platform/db/db.ts'
import { openEmbedded } from '../../../server/src/platform/db/embedded.ts'
import { startMailbox } from '../../../server/test/mailbox.ts'
import { inputOf } from '../../../server/test/models/embeddings-server.ts'
import { buildOnce, startProcess, temporaryDirectory } from '../../../server/test/process.ts'
import { type ReceivedRequest, type Reply, startReceiver } from '../../../server/test/receiver.ts'
import { PROGRAM, precedent } from '../../test/command-line.ts'

let directory: Awaited<ReturnType<typeof temporaryDirectory>>
/** A sound set-up: a database that a server has started on, with a stored secret. */
let sound: string

beforeAll(async () => {
  await buildOnce()
  directory = await temporaryDirectory()
  sound = join(directory.path, 'sound')
  const server = await startProcess({ DATA_DIR: sound, LOG_LEVEL: 'info' })
  await server.stop()
}, 120_000)
afterAll(() => directory.remove())

interface Finding {
  check: string
  status: string
  message: string
  mend?: string
}

async function examine(env: Record<string, string>, args: string[] = []) {
  const { code, output } = await precedent(['doctor', '--json', ...args], { DATA_DIR: sound, ...env })
  const found: Finding[] = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  return { code, found, wrong: found.filter(({ status }) => status !== 'ok') }
}

/** Two vectors of an answer, of which the second is longer. */
function unequalVectors(request: ReceivedRequest): Reply {
  const data = inputOf(request).input.map((_, index) => ({ index, embedding: Array(index + 1).fill(1) }))
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ data }) }
}

/** Whether a test may mount a disk of its own, which only it sees. */
const canMount = spawnSync('unshare', ['--mount', 'sh', '-c', 'mount -t tmpfs tmpfs /mnt']).status === 0

let copies = 0
async function copyOfSound(): Promise<string> {
  const path = join(directory.path, `copy-${copies++}`)
  await cp(sound, path, { recursive: true })
  return path
}

async function changed(path: string, statement: ReturnType<typeof sql>): Promise<void> {
  const database = await openEmbedded({ dataDir: path })
  await database.query(statement)
  await database.close()
}

describe('precedent doctor, on this machine', { timeout: 60_000 }, () => {
  test('finds nothing wrong in a sound set-up', async () => {
    const { code, found, wrong } = await examine({})
    expect({ code, wrong }).toEqual({ code: 0, wrong: [] })
    const checks = found.map(({ check }) => check)
    expect(checks).toEqual(
      expect.arrayContaining(['configuration', 'disk', 'database', 'clock', 'migrations', 'secret keys', 'embedder']),
    )
    expect(found.find(({ check }) => check === 'embedder')?.message).toMatch(
      /^The model returns vectors of 128 dimensions, of \d+ short texts a second\.$/,
    )
  })

  test('fails where the program that checks is killed', async () => {
    const killed = "if(process.argv[1].endsWith('doctor.js'))process.kill(process.pid,'SIGKILL')"
    const env = { DATA_DIR: sound, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(killed)}` }
    const { code, errors } = await precedent(['doctor'], env)
    expect([code, errors]).toEqual([1, expect.stringContaining('The checks broke off')])
  })

  const refusingMail = async () => {
    const mailbox = await startMailbox({ credentials: { user: 'me', password: 'right' } })
    onTestFinished(() => mailbox.close())
    return { SMTP_URL: `smtp://me:wrong@127.0.0.1:${mailbox.port}`, MAIL_FROM: 'a@b.example' }
  }
  const unequalEmbedder = async () => {
    const receiver = await startReceiver({ respond: unequalVectors })
    onTestFinished(() => receiver.close())
    return { EMBEDDER: 'openai', EMBEDDER_URL: `${receiver.url}/v1`, EMBEDDER_MODEL: 'x' }
  }
  const silent = {
    SMTP_URL: 'smtp://127.0.0.1:59985',
    MAIL_FROM: 'a@b.example',
    EMBEDDER: 'openai',
    EMBEDDER_URL: 'http://127.0.0.1:59987/v1',
    EMBEDDER_MODEL: 'x',
  }
  const settings: [string, () => Promise<Record<string, string>>, Partial<Finding>[], number][] = [
    ['an invalid variable', async () => ({ PORT: 'x' }), [{ check: 'configuration', status: 'failure' }], 1],
    [
      'a misspelt variable, and a server on which anyone can create workspaces',
      async () => ({ WORKSPACE_CRAETE: 'off', HOST: '0.0.0.0' }),
      [
        { check: 'configuration', status: 'warning', message: expect.stringContaining('WORKSPACE_CREATE') },
        { check: 'workspace creation', status: 'warning', mend: expect.stringContaining('WORKSPACE_CREATE') },
      ],
      0,
    ],
    [
      'a mail server that refuses the credentials, and an embedder whose vectors differ in length',
      async () => ({ ...(await refusingMail()), ...(await unequalEmbedder()) }),
      [
        { check: 'mail', status: 'failure', message: expect.stringContaining('refused the credentials of SMTP_URL') },
        { check: 'embedder', status: 'failure', message: expect.stringContaining('several lengths') },
      ],
      1,
    ],
    [
      'a mail server and an embedder that do not answer',
      async () => silent,
      [
        { check: 'mail', status: 'failure', mend: expect.stringContaining('SMTP_URL') },
        { check: 'embedder', status: 'failure', mend: expect.stringContaining('EMBEDDER_') },
      ],
      1,
    ],
    [
      'a PostgreSQL that does not answer',
      async () => ({
        DATABASE_URL: 'postgres://127.0.0.1:59986/x',
        SECRET_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
      }),
      [{ check: 'database', status: 'failure', mend: expect.stringContaining('DATABASE_URL') }],
      1,
    ],
  ]

  test.each(settings)('names %s', async (_, made, findings, expected) => {
    const { code, wrong } = await examine(await made())
    expect(wrong).toEqual(findings.map((each) => expect.objectContaining({ mend: expect.any(String), ...each })))
    expect(code).toBe(expected)
  })

  const broken: [string, (path: string) => Promise<Record<string, string>>, Partial<Finding>, number][] = [
    [
      'a data directory that cannot be created',
      async (path) => ({ DATA_DIR: join(path, 'secret-keys', 'data') }),
      { check: 'data directory', status: 'failure', mend: expect.stringContaining('DATA_DIR') },
      1,
    ],
    [
      'secret keys that others can read',
      async (path) => {
        await chmod(join(path, 'secret-keys'), 0o644)
        return {}
      },
      { check: 'secret keys', status: 'failure', mend: expect.stringContaining('chmod 600') },
      1,
    ],
    [
      'secret keys of another installation',
      async (path) => {
        await writeFile(join(path, 'secret-keys'), `k1:${Buffer.alloc(32, 9).toString('base64')}\n`)
        return {}
      },
      { check: 'secret keys', status: 'failure', message: expect.stringContaining('does not hold the key') },
      1,
    ],
    [
      'a database that lacks migrations',
      async (path) => {
        await changed(path, sql`delete from migration where name = (select max(name) from migration)`)
        return {}
      },
      { check: 'migrations', status: 'warning', message: expect.stringContaining('lacks 1 migrations') },
      0,
    ],
    [
      'a database of a newer version',
      async (path) => {
        await changed(path, sql`insert into migration (name) values ('9999-future.sql')`)
        return {}
      },
      { check: 'migrations', status: 'failure', message: expect.stringContaining('9999-future.sql') },
      1,
    ],
    [
      'no database yet',
      async (path) => {
        await rm(path, { recursive: true })
        return {}
      },
      { check: 'database', status: 'warning' },
      0,
    ],
    [
      'a directory without a database',
      async (path) => {
        await rm(join(path, 'postgres'), { recursive: true })
        return {}
      },
      { check: 'database', status: 'warning', message: expect.stringContaining('There is no database') },
      0,
    ],
  ]

  test.each(broken)('names %s', async (_, breakIt, finding, expected) => {
    const path = await copyOfSound()
    const { code, wrong } = await examine({ DATA_DIR: path, ...(await breakIt(path)) })
    expect(wrong).toEqual([expect.objectContaining({ mend: expect.any(String), ...finding })])
    expect(code).toBe(expected)
  })

  test.runIf(canMount)('names a disk that is nearly full', async () => {
    const place = join(directory.path, 'small')
    const script = `mkdir "$1" && mount -t tmpfs -o size=110m tmpfs "$1" && cp -r "$2/." "$1" && shift 2 && exec "$@"`
    const command = [process.execPath, PROGRAM, 'doctor', '--json']
    const env = { PATH: process.env.PATH ?? '', DATA_DIR: place }
    const { stdout } = await promisify(execFile)(
      'unshare',
      ['--mount', 'sh', '-ec', script, 'sh', place, sound, ...command],
      { env },
    ).catch((error) => error)
    expect(stdout).toMatch(/"check":"disk","status":"failure","message":"The disk of .* has \d+ MiB left\."/)
  })

  test('says that a running server has the database open, and how to check that server', async () => {
    const server = await startProcess({ DATA_DIR: sound })
    onTestFinished(async () => void (await server.stop()))
    const { code, wrong } = await examine({})
    const finding = { check: 'database', status: 'warning', mend: expect.stringContaining('doctor --server') }
    expect([code, wrong]).toEqual([0, [expect.objectContaining(finding)]])
  })

  test('shows no secret of the settings', async () => {
    const secrets = { SMTP_URL: 'smtp://me:hunter2@127.0.0.1:59985', MAIL_FROM: 'a@b.example' }
    const { output, errors } = await precedent(['doctor'], { DATA_DIR: sound, ...secrets })
    expect(output).toMatch(/FAIL {2}mail/)
    expect(output + errors).not.toContain('hunter2')
  })
})
