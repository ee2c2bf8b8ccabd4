import { parseArgs } from 'node:util'
import { UsageError } from './failure.ts'
import { nearest } from './nearest.ts'

/** An option of a command: a switch, or one that takes a value. */
export interface Option {
  type: 'string' | 'boolean'
  multiple?: true
  /** What stands for the value in the help, such as `<address>`. */
  value?: string
  about: string
}
export type Options = Record<string, Option>

/** The values of options: those that were given. */
export type Values<Of extends Options> = {
  [Name in keyof Of]?: Of[Name]['type'] extends 'boolean'
    ? boolean
    : Of[Name] extends { multiple: true }
      ? string[]
      : string
}

/** The options that each command takes. */
export const GLOBAL_OPTIONS = {
  json: { type: 'boolean', about: 'Write JSON for programs: one document, or one a line.' },
  profile: { type: 'string', value: '<name>', about: 'Use the server and credentials of this profile.' },
  server: { type: 'string', value: '<address>', about: 'Call this server, with the credentials of the environment.' },
  help: { type: 'boolean', about: 'Show this help.' },
} as const satisfies Options

const { json, help } = GLOBAL_OPTIONS
/** The options of commands that call no server. */
const LOCAL_OPTIONS = { json, help } as const satisfies Options
export type GlobalValues = Values<typeof GLOBAL_OPTIONS>

/** What a command is called, what it does, and how it runs. */
export interface Command {
  /** One or two words, such as `activities tail`. */
  name: string
  summary: string
  /** The positional arguments as the help shows them. `<…>` is required, `[…]` is not. */
  parameters: string[]
  options: Options
  /** Lines that the help shows below the options. */
  notes?: string
  /** It acts on this machine, so it takes no server. */
  isLocal?: true
  /** It is for programs, and no list of commands shows it. */
  hidden?: true
  /** Runs with the arguments after the name. */
  run(args: string[]): Promise<void>
}

interface Definition<Of extends Options> extends Omit<Command, 'run' | 'options'> {
  options: Of
  run(values: Values<Of> & GlobalValues, positionals: string[]): Promise<void>
}

/** The command that the first one or two words name. */
export const commandOf = (commands: Command[], [first, second]: string[]): Command | undefined =>
  commands.find(({ name }) => name === first || name === `${first} ${second}`)

/** A command whose arguments are parsed by its declaration. Unknown options and missing arguments are errors. */
export function command<Of extends Options>(definition: Definition<Of>): Command {
  return {
    ...definition,
    async run(args) {
      const { values, positionals } = parse(args, { ...generalOptions(definition.isLocal), ...definition.options })
      checkCount(definition, positionals)
      await definition.run(values as Values<Of> & GlobalValues, positionals)
    },
  }
}

/** The options that a command takes beside its own. */
export const generalOptions = (isLocal: boolean | undefined): Options => (isLocal ? LOCAL_OPTIONS : GLOBAL_OPTIONS)

/** Parses arguments. `--no-<switch>` is false. Throws a UsageError that names what is wrong. */
export function parse<Of extends Options>(args: string[], options: Of): { values: Values<Of>; positionals: string[] } {
  try {
    const { values, positionals } = parseArgs({
      args,
      options: Object.fromEntries(
        Object.entries(options).map(([name, { type, multiple }]) => [name, { type, multiple: multiple ?? false }]),
      ),
      allowPositionals: true,
      allowNegative: true,
    })
    return { values: values as Values<Of>, positionals }
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(faultOf(error, Object.keys(options)))
    throw error
  }
}

/** What is wrong with the arguments. An option that nobody knows may be a misspelt one. */
function faultOf({ message }: TypeError, known: string[]): string {
  const said = message.replace(/\. To specify a positional.*$/s, '.')
  const [, name] = /^Unknown option '--([^']+)'/.exec(message) ?? []
  const near = name === undefined ? [] : nearest(name, known)
  return near.length === 0
    ? said
    : `${said.replace(/\.$/, '')}. Did you mean ${near.map((each) => `--${each}`).join(', ')}?`
}

function checkCount({ name, parameters }: Omit<Command, 'run'>, positionals: string[]): void {
  const missing = parameters.find((parameter, index) => parameter.startsWith('<') && positionals[index] === undefined)
  if (missing !== undefined) throw new UsageError(`${missing} is missing: precedent ${name} ${parameters.join(' ')}`)
  const excess = positionals[parameters.length]
  if (excess !== undefined) throw new UsageError(`Unexpected argument ${excess}.`)
}

/** The help of a command. */
export function helpOf({ name, summary, parameters, options, notes, isLocal }: Command): string {
  return [
    `${summary}\n`,
    `Usage: precedent ${[name, ...parameters, '[options]'].join(' ')}\n`,
    'Options:',
    ...columns(rowsOf({ ...options, ...generalOptions(isLocal) })),
    ...(notes === undefined ? [] : ['', notes]),
    '',
  ].join('\n')
}

/** Options as the help lists them: each with its value, and what it does. */
export const rowsOf = (options: Options): [string, string][] =>
  Object.entries(options).map(([name, { value, about }]) => [`--${name}${value ? ` ${value}` : ''}`, about])

/** Two columns, indented; a first cell that is long gets a line of its own. */
export function columns(rows: [string, string][]): string[] {
  const width = Math.min(34, Math.max(...rows.map(([first]) => first.length), 0))
  return rows.map(([first, second]) =>
    first.length > width
      ? `  ${first}\n  ${' '.repeat(width)}  ${second}`.trimEnd()
      : `  ${first.padEnd(width)}  ${second}`.trimEnd(),
  )
}
