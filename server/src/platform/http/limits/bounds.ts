import type { Writable } from 'node:stream'
import type { Config } from '../../config.ts'
import type { Database } from '../../db/db.ts'
import { answersLarge, type NamedOperation, type Stream } from '../../operation.ts'
import { KeyTurns } from '../../turns/key-turns.ts'
import { ownTurn } from '../../turns/yield.ts'
import { BODY_LIMITS, Bodies } from '../body/bodies.ts'
import type { JsonAnswer } from '../json-answer.ts'
import { ANSWER_LIMITS, Answers, admitReader, sizeOf } from './answers.ts'
import { CallConcurrency, CallRate } from './call-limits.ts'

/** What callers may take of the process. */
export interface Bounds {
  rate: CallRate
  concurrency: CallConcurrency
  answers: Answers
  arriving: Bodies
  parsed: Bodies
  writes: KeyTurns
  longReads: KeyTurns
}

type DatabaseBounds = Pick<Database, 'kind' | 'state'>

const PATIENCE_MS = 10_000

/** A body of so many bytes takes milliseconds to read. */
const LONG_BYTES = 4 * 1024
const LONG_READS = 8
/** The embedded database has one connection. Its transactions are quicker where the next ones wait already. */
const EMBEDDED_WRITES = 16

/**
 * Three quarters of the connections for transactions: a write keeps its own while it waits for a lock, and those of one
 * key that wait for each other would take them all from everybody.
 */
const writesOf = (database: DatabaseBounds): number =>
  database.kind === 'embedded' ? EMBEDDED_WRITES : Math.max(1, Math.floor(database.state().transactions.most * 0.75))

/** The bounds of a process. */
export const createBounds = (config: Config, database: DatabaseBounds): Bounds => ({
  rate: new CallRate(config.rateLimitKey),
  concurrency: new CallConcurrency(config.concurrencyKey),
  answers: new Answers(ANSWER_LIMITS),
  arriving: new Bodies(BODY_LIMITS.arriving),
  parsed: new Bodies(BODY_LIMITS.parsed),
  writes: new KeyTurns({ perKey: writesOf(database), patienceMs: PATIENCE_MS }),
  longReads: new KeyTurns({ perKey: LONG_READS, patienceMs: PATIENCE_MS }),
})

interface AboutCall {
  key: string
  reader: { readonly destroyed: boolean }
  isWrite: boolean
  bodyBytes: number
}

/** Whose share of the process a call takes, and how large its body is. */
export interface Share {
  key: string
  reader: Writable
  bodyBytes: number
}

/** Executes a call of an operation in the share of its caller. */
export async function inShare<Done extends { answer: JsonAnswer | Stream }>(
  bounds: Bounds,
  { name, declaration }: NamedOperation,
  share: Share,
  execute: () => Promise<Done>,
): Promise<Done> {
  const { key, reader } = share
  const isLarge = answersLarge(declaration)
  const admission = isLarge ? await admitReader(bounds.answers, reader, { key, operation: name }) : undefined
  const done = await inTurn(bounds, { ...share, isWrite: declaration.access === 'write' }, execute)
  admission?.made(sizeOf(done.answer))
  return done
}

/**
 * Reads the body of a call that names its operation in it, and then executes it. Long ones of a caller are worked on
 * eight at a time, and no more of them are read at a time than of those that come by a path.
 */
export async function inTurnOfBody<Call, Answer>(
  bounds: Pick<Bounds, 'parsed' | 'longReads'>,
  { key, reader, bodyBytes }: Share,
  read: () => Promise<Call>,
  execute: (call: Call) => Promise<Answer>,
): Promise<Answer> {
  const isLong = bodyBytes >= LONG_BYTES
  const work = async () => {
    if (isLong) await ownTurn()
    const release = await bounds.parsed.hold(key, bodyBytes)
    return execute(await read().finally(release))
  }
  // Under a name of their own: what the body asks for may need a turn of the same caller.
  return isLong ? bounds.longReads.inTurn(`body of ${key}`, reader, work) : work()
}

/** Executes a call as soon as its API key has room for it, and for the body that is to be read. */
export async function inTurn<Answer>(
  bounds: Pick<Bounds, 'parsed' | 'writes' | 'longReads'>,
  { key, reader, isWrite, bodyBytes }: AboutCall,
  execute: () => Promise<Answer>,
): Promise<Answer> {
  const isLong = bodyBytes >= LONG_BYTES
  const work = async () => {
    // Else those that are refused as they are read would follow each other without a pause.
    if (isLong) await ownTurn()
    const release = await bounds.parsed.hold(key, bodyBytes)
    return execute().finally(release)
  }
  if (isWrite) return bounds.writes.inTurn(key, reader, work)
  return isLong ? bounds.longReads.inTurn(key, reader, work) : work()
}
