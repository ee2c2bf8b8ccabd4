import type { messages } from '@electric-sql/pglite'
import type { Parameter } from '../parameters.ts'

/** What the worker thread does: create the cluster in an empty folder, or serve one. */
export interface WorkerTask {
  task: 'create' | 'serve'
  /** The folder of the cluster, or 'memory'. */
  cluster: string
  /** The file of a prepared cluster that a new one begins with; default: an empty one. */
  prepared?: string | undefined
}

/** One statement with its parameters. */
export interface Statement {
  text: string
  values: Parameter[]
}

/** Orders to the worker thread, carried out in the order they arrive. All but `begin` are answered. */
export type Order =
  | ({ do: 'run'; id: number } & Statement)
  | { do: 'script' | 'listen'; id: number; text: string }
  | { do: 'copy'; id: number; to: string }
  | { do: 'begin' }
  | { do: 'commit' | 'rollback' | 'close'; id: number }

/** The rows of a statement in Postgres's text form; `type` is the oid of the column's type. */
export interface Result {
  columns: { name: string; type: number }[]
  rows: (string | null)[][]
}

/** Why Postgres refused a statement, as plain data. */
export interface Refusal {
  message: string
  code: string
  constraint: string | undefined
}

/** The answer to the order of an id. */
export type Answer = { id: number; result: Result } | { id: number; refusal: Refusal }

/**
 * What the worker thread sends: that it is ready, answers, the id of an order that has run while its answer waits for
 * the disk, names of notified channels, a warning, or that the database is lost.
 */
export type Report =
  | { ready: true }
  | { answers: Answer[] }
  | { ran: number }
  | { notified: string[] }
  | { warning: string }
  | { lost: string }

/** Postgres refused a statement; the session continues. */
export class Refused extends Error {
  readonly refusal: Refusal
  constructor(refusal: Refusal) {
    super(refusal.message)
    this.refusal = refusal
  }
}

/** How a statement of a transaction that has failed is refused. */
export const OF_FAILED_TRANSACTION: Refusal = {
  message: 'An earlier statement has failed the transaction.',
  code: '25P02',
  constraint: undefined,
}

type Columns = Result['columns']

/** Reads the answer to messages up to a sync as one: all rows, with their columns where they were described. */
export function readAnswer(answer: Message[]): Result {
  const result: Result = { columns: [], rows: [] }
  let refused: Refused | undefined
  for (const message of answer) {
    if (isA(message, 'dataRow')) result.rows.push(message.fields)
    else if (isA(message, 'rowDescription')) result.columns = message.fields.map(toColumn)
    else if (isA(message, 'error')) refused ??= toRefused(message)
  }
  if (refused) throw refused
  return result
}

/**
 * Reads the answers to prepared statements up to a sync, whose columns are known. A refused one is the last of them.
 */
export function readOutcomes(answer: Message[], columns: Columns[]): (Result | Refused)[] {
  const outcomes: (Result | Refused)[] = []
  let rows: Result['rows'] = []
  for (const message of answer) {
    if (isA(message, 'dataRow')) rows.push(message.fields)
    else if (isA(message, 'error')) outcomes.push(toRefused(message))
    else if (isA(message, 'commandComplete')) {
      outcomes.push({ columns: columns[outcomes.length] ?? [], rows })
      rows = []
    }
  }
  return outcomes
}

const toRefused = ({ message, code, constraint }: messages.DatabaseError) =>
  new Refused({ message, code: code ?? '', constraint })

const toColumn = ({ name, dataTypeID }: messages.RowDescriptionMessage['fields'][number]): Columns[number] => ({
  name,
  type: dataTypeID,
})

/** A message of Postgres. */
export interface Message {
  name: string
}

/** Those that are read, by their names. */
interface Messages {
  dataRow: messages.DataRowMessage
  commandComplete: messages.CommandCompleteMessage
  rowDescription: messages.RowDescriptionMessage
  notification: messages.NotificationResponseMessage
  error: messages.DatabaseError
  readyForQuery: messages.ReadyForQueryMessage
}

/** Whether a message of PostgreSQL has this name; narrows its type. */
export function isA<Name extends keyof Messages>(message: Message, name: Name): message is Messages[Name] {
  return message.name === name
}
