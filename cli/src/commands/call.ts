import { dataOf } from '../call/data.ts'
import { exampleCommand } from '../call/example.ts'
import { type Field, flagOf } from '../call/field.ts'
import { findOperation, type Operation, operations } from '../call/operation.ts'
import { type Command, columns, GLOBAL_OPTIONS, type GlobalValues, type Options, parse, rowsOf } from '../command.ts'
import { connect, connectAnyhow } from '../connection.ts'
import { UsageError } from '../failure.ts'
import { note, write, writeJson, writePretty } from '../output.ts'
import { streamOf, writeStream } from '../stream.ts'

/** The options of every call. No operation has a field of such a name. */
export const CALL_OPTIONS = {
  data: {
    type: 'string',
    value: '<JSON>',
    about: 'All fields as a JSON object, `@<file>`, or `-` for standard input.',
  },
  'all-pages': { type: 'boolean', about: 'Fetch every page, not only one.' },
  'idempotency-key': { type: 'string', value: '<key>', about: 'Repeats the first response if the call was done.' },
} as const satisfies Options

/** `precedent call <operation>`: any operation, its fields as flags. */
export const call: Command = {
  name: 'call',
  summary: 'Call any operation, its fields as flags. Without an operation, list them.',
  parameters: ['[operation]'],
  options: CALL_OPTIONS,
  async run([name, ...rest]) {
    if (name === undefined) return listOperations(false)
    if (name === '--json') return listOperations(true)
    if (name.startsWith('-')) throw new UsageError(`The operation comes first: precedent call <operation> ${name} …`)
    const operation = findOperation(name)
    if (rest.includes('--help')) return write(helpOfOperation(operation))
    const { values, positionals } = parse(rest, optionsOf(operation))
    if (positionals.length > 0) throw new UsageError(`Unexpected argument ${positionals[0]}.`)
    const data = await dataOf(operation.fields, values)
    await run(operation, data, values as CallValues)
  },
}

interface CallValues extends GlobalValues {
  'all-pages'?: boolean
  'idempotency-key'?: string
}

type Invoke = ((data: object, options: object) => Promise<{ data?: unknown; message?: string }>) & {
  pages(data: object, options: object): AsyncIterable<{ data?: unknown }>
}

async function run(operation: Operation, data: object, values: CallValues): Promise<void> {
  const { api, profile } = operation.auth === 'apiKey' ? await connect(values) : await connectAnyhow(values)
  if (operation.isStream) {
    return writeStream(streamOf(profile, operation.path, data))
  }
  const areas = api as unknown as Record<string, Record<string, Invoke>>
  const invoke = areas[operation.area]?.[operation.name]
  if (!invoke) throw new UsageError(`The client has no operation ${operation.name}.`)
  const options = { idempotencyKey: values['idempotency-key'] }
  if (values['all-pages']) {
    if (!operation.hasPages) throw new UsageError(`${operation.name} has no pages.`)
    for await (const page of invoke.pages(data, options)) await show(page, values)
  } else await show(await invoke(data, options), values)
}

async function show(result: { data?: unknown; message?: string }, { json }: GlobalValues): Promise<void> {
  if (json) return writeJson(result)
  if (result.message !== undefined && process.stderr.isTTY) note(result.message)
  const { status, message, ...rest } = { status: '', ...result }
  await writePretty(Object.keys(rest).length === 1 && 'data' in rest ? rest.data : rest)
}

/** The flags of an operation's fields, and the options of every call. */
export function optionsOf({ fields }: Pick<Operation, 'fields'>): Options {
  return {
    ...GLOBAL_OPTIONS,
    ...CALL_OPTIONS,
    ...flagsOf(fields),
  }
}

const flagsOf = (fields: Field[]): Options => Object.fromEntries(fields.map((field) => [flagOf(field), flag(field)]))

function flag(field: Field): Options[string] {
  const { types } = field
  const about = aboutOf(field)
  if (types.every((type) => type === 'boolean')) return { type: 'boolean', about }
  const isList = types.includes('array')
  return { type: 'string', ...(isList && { multiple: true }), value: placeholder(field), about }
}

/** What a field is, with the values that it may have where these are many. */
function aboutOf({ required, about, values = [] }: Field): string {
  const listed = values.length > MOST_VALUES ? `One of ${values.join(', ')}.` : ''
  return [required ? 'Required.' : '', about ?? '', listed].filter(Boolean).join(' ')
}

/** So many values stand in the place of a flag's value. */
const MOST_VALUES = 10

/** What stands for the value of a flag: the values it may have, if they are few, or its types. */
function placeholder({ types, items, values }: Field): string {
  const isShort = values !== undefined && values.length <= MOST_VALUES
  const of = isShort ? values : (items ?? types).map((type) => SHORT[type] ?? type)
  return `<${[...new Set(of)].join('|')}>${types.includes('array') ? ' …' : ''}`
}

const SHORT: Record<string, string> = { string: 'text', integer: 'number', object: 'JSON', array: 'JSON' }

function helpOfOperation(operation: Operation): string {
  const { area, name, path, summary, fields } = operation
  return [
    `${summary} (${area}.${name}, POST ${path}).\n`,
    `Usage: precedent call ${name} [fields] [options]\n`,
    `Example:\n  ${exampleCommand(operation)}\n`,
    'Fields:',
    ...columns(rowsOf(flagsOf(fields))),
    '\nOptions:',
    ...columns(rowsOf({ ...CALL_OPTIONS, ...GLOBAL_OPTIONS })),
    '\nA list takes its flag once for each item, or one JSON list. @<file> stands for the content of a file.',
    '--no-<switch> is false.\n',
  ].join('\n')
}

async function listOperations(json: boolean): Promise<void> {
  if (json) return writeJson(operations.map(({ area, name, path, summary }) => ({ area, name, path, summary })))
  for (const area of new Set(operations.map((operation) => operation.area))) {
    const own = operations.filter((operation) => operation.area === area)
    await write(`${area}\n${columns(own.map(({ name, summary }) => [name, summary])).join('\n')}\n`)
  }
}
