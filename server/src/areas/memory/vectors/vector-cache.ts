import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, sql } from '../../../platform/db/db.ts'
import type { TextField } from '../judgment/indexed-judgment.ts'
import { fromSent } from './sent-vector.ts'
import { bytesPerVector, VectorColumn } from './vector-column.ts'
import type { VectorState } from './vector-progress.ts'

/** The vectors in the memory of a process. Beyond the budget, the least recently used columns are dropped. */
export interface VectorCache {
  /** Memory that the vectors take now. */
  readonly bytes: number
  /**
   * Returns the vectors of one text of all judgments, with every change committed before the state was read. `loading`:
   * much is left to read, and the next call continues. `too-large`: they alone exceed the budget.
   */
  find(
    db: Db,
    tenant: ApiKeyTenant,
    field: TextField,
    state: VectorState,
  ): Promise<VectorColumn | 'loading' | 'too-large'>
}

/** Whose vectors are read: those of one text of all judgments of an API key. */
interface Owner {
  apiKey: string
  model: string
  field: TextField
}

interface Held {
  column: VectorColumn
  /** The number of the last vector that was read. */
  seen: number
  isTooLarge: boolean
  /** The page that is being read, shared by all callers. */
  reading: Promise<void> | undefined
}

/** Vectors per read. */
const PAGE = 500

interface Limits {
  budgetBytes: number
  /** How long a call waits for vectors to be read. */
  patienceMs: number
}

/** Creates the vectors of a process. */
export function createVectorCache({ budgetBytes, patienceMs }: Limits): VectorCache {
  // By use, the least recent first.
  const columns = new Map<string, Held>()

  function use(id: string, dimensions: number): Held {
    const known = columns.get(id)
    const held = known?.column.dimensions === dimensions ? known : unread(dimensions)
    columns.delete(id)
    columns.set(id, held)
    return held
  }

  function shrink(): void {
    let bytes = bytesOf(columns)
    for (const [id, { column, reading }] of columns) {
      if (bytes <= budgetBytes || columns.size === 1) return
      if (reading !== undefined) continue
      columns.delete(id)
      bytes -= column.bytes
    }
  }

  /** Reads the next page, unless there are too many vectors. */
  async function readNext(db: Db, owner: Owner, { dimensions, last }: VectorState, held: Held): Promise<void> {
    if (held.seen === 0) {
      held.isTooLarge = (await countVectors(db, owner)) * bytesPerVector(dimensions) > budgetBytes
      if (held.isTooLarge) return
    }
    const page = await readPage(db, owner, held.seen)
    for (const { key, number, sent } of page) {
      if (sent === null) held.column.remove(key)
      else held.column.put(key, number, fromSent(sent))
    }
    held.seen = page.length < PAGE ? last : (page.at(-1)?.number ?? last)
    if (held.column.bytes <= budgetBytes) return
    held.isTooLarge = true
    held.column = new VectorColumn(dimensions)
  }

  return {
    get bytes() {
      return bytesOf(columns)
    },
    async find(db, { apiKey }, field, state) {
      const held = use(`${apiKey}/${field}/${state.model}`, state.dimensions)
      const deadline = performance.now() + patienceMs
      while (held.seen < state.last && !held.isTooLarge) {
        if (performance.now() >= deadline) return 'loading'
        held.reading ??= readNext(db, { apiKey, model: state.model, field }, state, held).finally(() => {
          held.reading = undefined
        })
        await held.reading
        shrink()
      }
      return held.isTooLarge ? 'too-large' : held.column
    },
  }
}

const unread = (dimensions: number): Held => ({
  column: new VectorColumn(dimensions),
  seen: 0,
  isTooLarge: false,
  reading: undefined,
})

const bytesOf = (columns: Map<string, Held>) => [...columns.values()].reduce((sum, { column }) => sum + column.bytes, 0)

async function countVectors(db: Db, { apiKey, model, field }: Owner): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*) as count
    from judgment_vector
    where api_key = ${apiKey} and model = ${model} and field = ${field}`)
  return row?.count ?? 0
}

/** In the server's binary form, which parses in a fifth of the time of text. */
const readPage = (db: Db, { apiKey, model, field }: Owner, seen: number) =>
  db.query<{ key: string; number: number; sent: Uint8Array | null }>(sql`
    select key, number, array_send(embedding) as sent
    from judgment_vector
    where api_key = ${apiKey} and model = ${model} and field = ${field} and number > ${seen}::bigint
    order by number
    limit ${PAGE}`)
