#!/usr/bin/env node
import { type Command, columns, commandOf, helpOf } from './command.ts'
import { commands } from './commands.ts'
import { explain, linesOf, UsageError } from './failure.ts'
import { nearest } from './nearest.ts'
import { note, write } from './output.ts'

/** Runs the command that the first one or two words name. Exits with 1 on failure, with 2 if it was called wrongly. */
async function main(args: string[]): Promise<void> {
  const [first, second] = args
  if (first === undefined || ['help', '--help', '-h'].includes(first)) return write(overview(commands))
  if (first === '--version') return write(`${VERSION}\n`)
  const found = commandOf(commands, args)
  if (!found) {
    const family = commands.filter(({ name }) => name.startsWith(`${first} `))
    if (family.length > 0 && second === '--help') return write(overview(family))
    throw unknown(first, second, family)
  }
  const rest = args.slice(found.name.split(' ').length)
  // `call` has a help of its own for each operation.
  if (rest.includes('--help') && (found.name !== 'call' || rest[0] === '--help')) return write(helpOf(found))
  await found.run(rest)
}

declare const VERSION: string

function overview(shown: Command[]): string {
  return [
    'Precedent: runs, calls and watches a Precedent server.\n',
    'Usage: precedent <command> [options]\n',
    'Commands:',
    ...columns(shown.filter(({ hidden }) => !hidden).map(({ name, summary }) => [name, summary])),
    '\n`precedent <command> --help` shows the options of a command.\n',
  ].join('\n')
}

function unknown(first: string, second: string | undefined, family: Command[]): UsageError {
  if (family.length > 0) {
    const given = second === undefined ? 'Say which' : `There is no command ${first} ${second}`
    return new UsageError(`${given}: ${family.map(named).join(', ')}.`)
  }
  const near = nearest(first, commands.map(named))
  return new UsageError(`There is no command ${first}.${near.length === 0 ? '' : ` Did you mean ${near.join(', ')}?`}`)
}

/** The command that shows how the failed one is called. */
function helpFor(args: string[]): string {
  const [first] = args
  const isFamily = commands.some(({ name }) => name.startsWith(`${first} `))
  const name = commandOf(commands, args)?.name ?? (isFamily ? first : undefined)
  if (name === undefined) return 'precedent help'
  return `precedent ${name === 'call' ? 'call <operation>' : name} --help`
}

const named = ({ name }: Command) => name

// A reader that stops early, such as `head`, ends the program quietly.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

const args = process.argv.slice(2)

main(args).catch((error: unknown) => {
  const explained = explain(error, helpFor(args))
  if (args.includes('--json')) note(JSON.stringify({ error: explained }))
  else for (const line of linesOf(explained)) note(line)
  process.exitCode = error instanceof UsageError ? 2 : 1
})
