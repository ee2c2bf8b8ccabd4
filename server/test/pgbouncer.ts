import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect as dial } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from './ports/free-port.ts'

const directories = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
const program = directories.map((directory) => join(directory, 'pgbouncer')).find((path) => existsSync(path))

/** The version of the PgBouncer that is installed here, as [major, minor]; undefined without one. */
export function pgbouncerVersion(): [number, number] | undefined {
  if (!program) return undefined
  const [, major, minor] = /(\d+)\.(\d+)/.exec(execFileSync(program, ['--version'], { encoding: 'utf8' })) ?? []
  return [Number(major), Number(minor)]
}

/** Starts PgBouncer in transaction mode with few server connections; `url` leads through it to the database. */
export async function startPgbouncer(target: string) {
  if (!program) throw new Error('PgBouncer is not installed.')
  const { hostname: host, port, username: user, password, pathname } = new URL(target)
  const home = mkdtempSync(join(tmpdir(), 'precedent-pgbouncer-'))
  const listenPort = await freePort()
  const database = pathname.slice(1)
  // It refuses a parameter without a value.
  const given = Object.entries({ host, port, dbname: database, user, password }).filter(([, value]) => value !== '')
  writeFileSync(
    join(home, 'pgbouncer.ini'),
    `[databases]
${database} = ${given.map(([name, value]) => `${name}=${value}`).join(' ')}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 4
${(pgbouncerVersion() ?? [0, 0])[1] >= 21 ? 'max_prepared_statements = 1000' : ''}
`,
  )
  // It refuses to run as root.
  const nobody = process.getuid?.() === 0 ? accountOfNobody() : {}
  if (nobody.uid !== undefined) chmodSync(home, 0o755)
  const child = spawn(program, [join(home, 'pgbouncer.ini')], { ...nobody, stdio: 'ignore' })
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()))
  for (let tries = 0; !(await answers(listenPort)); tries++) {
    if (tries > 100 || child.exitCode !== null) throw new Error('PgBouncer does not start.')
    await delay(50)
  }
  const url = new URL(target)
  url.port = String(listenPort)
  url.hostname = '127.0.0.1'
  return {
    url: url.href,
    async close() {
      child.kill('SIGKILL')
      await gone
      rmSync(home, { recursive: true, force: true })
    },
  }
}

function accountOfNobody(): { uid?: number; gid?: number } {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((each) => each.startsWith('nobody:'))
  const [, , uid, gid] = line?.split(':') ?? []
  return { uid: Number(uid), gid: Number(gid) }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = dial(port, '127.0.0.1', () => resolve(true))
    socket.on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })
}
