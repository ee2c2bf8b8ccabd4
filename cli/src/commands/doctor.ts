import { type Command, command } from '../command.ts'
import { connectAnyhow } from '../connection.ts'
import { Failure } from '../failure.ts'
import { note, writeJson, writeLine } from '../output.ts'
import { checkServer, type Finding } from '../server-checks.ts'
import { startProgram } from '../server-program.ts'
import { utf8Lines } from '../utf8-lines.ts'

const MARKS = { ok: 'ok  ', warning: 'warn', failure: 'FAIL' }

/** `precedent doctor`: checks this machine's set-up, or a server through its API. */
export const doctor: Command = command({
  name: 'doctor',
  summary: 'Check the set-up and say how to mend it: of this machine, or of a server with --server or --profile.',
  parameters: [],
  options: {},
  notes:
    'On this machine: configuration, database, clock, migrations, secret keys, failing webhook endpoints, disk, mail\n' +
    'server, embedder, open workspace creation. Of a server: address, readiness, clock, credentials.\n' +
    'Exits with 1 if something is broken.',
  async run({ json, ...given }) {
    const isRemote = given.server !== undefined || given.profile !== undefined
    for await (const finding of isRemote ? checkServer(await connectAnyhow(given)) : local()) {
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

/** The findings of the server's program. Rejects if it ends before its last check. */
async function* local(): AsyncGenerator<Finding> {
  const { chunks, ended } = startProgram('doctor')
  let isBroken = false
  for await (const line of utf8Lines(chunks)) {
    const finding: Finding = JSON.parse(line)
    isBroken ||= finding.status === 'failure'
    yield finding
  }
  const { code, errors } = await ended
  if (errors !== '') note(errors)
  if (code !== 0 && !isBroken) throw new Failure('The checks broke off: not everything was looked at.')
}
