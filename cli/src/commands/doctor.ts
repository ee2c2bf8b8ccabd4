import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { ConnectionError, PrecedentError } from '../../../client/src/index.ts'
import { type Command, command } from '../command.ts'
import { type Connection, connectAnyhow } from '../connection.ts'
import { explain } from '../failure.ts'
import { writeJson, writeLine } from '../output.ts'
import { programPath } from '../server-program.ts'

/** What a check has found; the server's program writes the same. */
interface Finding {
  check: string
  status: 'ok' | 'warning' | 'failure'
  message: string
  mend?: string
}

const MARKS = { ok: 'ok  ', warning: 'warn', failure: 'FAIL' }
const MOST_SKEW_MS = 5000

/** `precedent doctor`: checks this machine's set-up, or a server through its API. */
export const doctor: Command = command({
  name: 'doctor',
  summary: 'Check the set-up and say how to mend it: of this machine, or of a server with --server or --profile.',
  parameters: [],
  options: {},
  notes:
    'On this machine: configuration, database, clock, migrations, secret keys, disk, mail server, embedder, open\n' +
    'workspace creation. Of a server: address, clock, credentials. Exits with 1 if something is broken.',
  async run({ json, ...given }) {
    const isRemote = given.server !== undefined || given.profile !== undefined
    for await (const finding of isRemote ? remote(await connectAnyhow(given)) : local()) {
      if (finding.status === 'failure') process.exitCode = 1
      if (json) await writeJson(finding)
      else await show(finding)
    }
  },
})

async function show({ check, status, message, mend }: Finding): Promise<void> {
  const [first = '', ...rest] = message.split('\n')
  await writeLine(`${MARKS[status]}  ${check}: ${first}`)
  for (const line of rest) await writeLine(`      ${line}`)
  if (mend !== undefined) await writeLine(`      ${mend}`)
}

async function* local(): AsyncGenerator<Finding> {
  const child = spawn(process.execPath, [programPath('doctor')], { stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const line of createInterface({ input: child.stdout })) yield JSON.parse(line)
}

async function* remote({ api, profile }: Connection): AsyncGenerator<Finding> {
  const { url, apiKey, workspaceId } = profile
  const start = Date.now()
  const date = await fetch(new URL('healthz', `${url.replace(/\/$/, '')}/`)).then(
    (response) => response.headers.get('date'),
    () => undefined,
  )
  if (date === undefined) {
    const mend = 'Start it with `precedent serve`, or correct the address.'
    yield { check: 'server', status: 'failure', message: `Nothing answers at ${url}.`, mend }
    return
  }
  yield { check: 'server', status: 'ok', message: `It answers at ${url}.` }
  yield clock(Date.parse(date ?? ''), (start + Date.now()) / 2)
  if (apiKey) yield await credentials('API key', () => api.workspaces.getApiKeyConfig())
  if (workspaceId) yield await credentials('workspace', () => api.workspaces.getWorkspace())
  if (!apiKey && !workspaceId) {
    const mend = 'Store them with `precedent profile add <name>`.'
    yield { check: 'credentials', status: 'warning', message: `There are none: ${profile.source} has none.`, mend }
  }
}

function clock(theirs: number, ours: number): Finding {
  // The server's header has no fractions of a second.
  const skew = Math.abs(theirs + 500 - ours)
  if (!(skew > MOST_SKEW_MS)) return { check: 'clock', status: 'ok', message: 'The clocks agree.' }
  const message = `The clocks of the server and of this machine differ by ${Math.round(skew / 1000)} s.`
  return { check: 'clock', status: 'warning', message, mend: 'Set both by NTP: signatures depend on the time.' }
}

async function credentials(check: string, call: () => Promise<unknown>): Promise<Finding> {
  try {
    await call()
    return { check, status: 'ok', message: 'Its credentials are accepted.' }
  } catch (error) {
    if (!(error instanceof PrecedentError || error instanceof ConnectionError)) throw error
    const { status, message, next } = explain(error)
    const said = status === undefined ? message : `${status}: ${message}`
    return { check, status: 'failure', message: said, ...(next !== undefined && { mend: next }) }
  }
}
