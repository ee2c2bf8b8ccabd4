import type { Command } from '../command.ts'
import { serverProgram } from '../server-program.ts'

/** Commands that act on the machine itself: each starts a program of the server. */
export const machineCommands: Command[] = [
  serverProgram({
    name: 'serve',
    summary: 'Start the server. ROLE says whether it serves requests, works, or both.',
    parameters: [],
    program: 'main',
    nodeFlags: ['--max-semi-space-size=64', '--no-allocation-site-pretenuring'],
  }),
  serverProgram({
    name: 'migrate',
    summary: 'Bring the database to the version of this program, then end.',
    parameters: [],
    program: 'migrate',
  }),
  serverProgram({
    name: 'credentials',
    summary: 'List the credentials of this installation, or reset lost ones with `reset <id>`.',
    parameters: ["[owner's email | reset]", '[id]'],
    program: 'credentials',
  }),
  serverProgram({
    name: 'operator',
    summary: 'Make a link that signs somebody in to the console, once: `operator link [email] [--role <role>]`.',
    parameters: ['[link]', '[email]'],
    program: 'operator',
  }),
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
