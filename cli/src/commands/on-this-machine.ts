import { type Command, command } from '../command.ts'
import { UsageError } from '../failure.ts'
import { ON_THIS_MACHINE, programPath, runProgram, serverProgram } from '../server-program.ts'
import { credentials } from './credentials.ts'
import { operator } from './operator.ts'

/** Commands that act on the machine itself: each starts a program of the server. */
export const machineCommands: Command[] = [
  command({
    name: 'serve',
    summary: 'Start the server. ROLE says whether it serves requests, works, or both.',
    parameters: [],
    options: {},
    isLocal: true,
    notes: ON_THIS_MACHINE,
    async run({ json }) {
      if (json) throw new UsageError('A server has no result. Its log on standard error is lines of JSON.')
      const nodeFlags = ['--max-semi-space-size=64', '--no-allocation-site-pretenuring']
      process.exitCode = await runProgram(programPath('main'), ['--with-starter'], { nodeFlags })
    },
  }),
  serverProgram({
    name: 'migrate',
    summary: 'Bring the database to the version of this program, then end.',
    parameters: [],
    program: 'migrate',
  }),
  credentials,
  operator,
  serverProgram({
    name: 'rotate-secrets',
    summary: 'Encrypt the stored secrets again, with the first of SECRET_KEYS.',
    parameters: [],
    program: 'rotate-secrets',
  }),
  serverProgram({
    name: 'rotate-signing-key',
    summary: 'Sign user tokens with a new key. With `revoke` at once, and delete all others.',
    parameters: ['[revoke]'],
    program: 'rotate-signing-key',
  }),
]
