#!/usr/bin/env node
import { nearest } from './call/operation.ts'
import { type Command, columns, helpOf } from './command.ts'
import { commands } from './commands.ts'
import { explain, UsageError } from './failure.ts'
import { note, write } from './output.ts'

/** Runs the command that the first one or two words name. Exits with 1 on failure, with 2 if it was called wrongly. */
async function main(args: string[]): Promise<void> {
  const [first, second] = args
  if (first === undefined || ['help', '--help', '-h'].includes(first)) return write(overview())
  if (first === '--version') return write(`${VERSION}\n`)
  const found = commands.find(({ name }) => name === first || name === `${first} ${second}`)
  if (!found) throw unknown(first, second)
  const rest = args.slice(found.name.split(' ').length)
  // `call` has a help of its own for each operation.
  if (rest.includes('--help') && (found.name !== 'call' || rest[0] === '--help')) return write(helpOf(found))
  await found.run(rest)
}

declare const VERSION: string

function overview(): string {
  return [
    'Precedent: runs, calls and watches a Precedent server.\n',
    'Usage: precedent <command> [options]\n',
    'Commands:',
    ...columns(commands.filter(({ hidden }) => !hidden).map(({ name, summary }) => [name, summary])),
    '\n`precedent <command> --help` shows the options of a command.\n',
  ].join('\n')
}

function unknown(first: string, second: string | undefined): UsageError {
  const family = commands.filter(({ name }) => name.startsWith(`${first} `))
  if (family.length > 0) {
    const given = second === undefined ? 'Say which' : `There is no command ${first} ${second}`
    return new UsageError(`${given}: ${family.map(named).join(', ')}.`)
  }
  const near = nearest(first, commands.map(named))
  return new UsageError(`There is no command ${first}.${near.length === 0 ? '' : ` Did you mean ${near.join(', ')}?`}`)
}

const named = ({ name }: Command) => name

// A reader that stops early, such as `head`, ends the program quietly.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

main(process.argv.slice(2)).catch((error: unknown) => {
  const { lines, exitCode } = explain(error)
  for (const line of lines.flatMap((each) => each.split('\n'))) note(line)
  process.exitCode = exitCode
})
