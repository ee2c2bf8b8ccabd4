import { canonicalDecision, decisionPolarity, decisionsOf } from '../judgment/decision-polarity.ts'
import type { IndexedJudgment, JudgmentFilters, MemoryScope, Neighbour } from '../judgment/indexed-judgment.ts'
import { withRoom } from '../words/with-room.ts'
import { DictionaryColumn } from './dictionary-column.ts'
import { JudgmentKeys } from './judgment-keys.ts'
import { type Condition, isAmong, isBetween, isEqual, isNotAmong, type RowFilter } from './row-filter.ts'
import { countCommon } from './typed-column.ts'

const APPROVE = 1
const REJECT = 2

/** A listed row costs about this many times as much as a row of a full scan (measured). */
const LISTED_ROW_COST = 12

/** Rows that are added later need room too: else the first of them would copy the table. */
const SPARE = 1.1

/** The columns of strings. */
export const COLUMN_NAMES = ['organization', 'document', 'decision', 'judgeType', 'contentType', 'reviewer'] as const
type ColumnName = (typeof COLUMN_NAMES)[number]

/** Rows by columns. Strings are places in a list of values. */
export interface TableRows {
  /** As `packUuids` packs them. */
  keys: Uint32Array
  createdAt: Float64Array
  values: (string | null)[]
  columns: Record<ColumnName, Uint32Array>
}

/** The columns that scope and filters are applied to. Strings are stored as numbers; row `n` belongs to text `n`. */
export class JudgmentTable {
  readonly #keys = new JudgmentKeys()
  readonly #numbers = new Map<string, number>()
  readonly #strings: string[] = ['']
  readonly #columns: Record<ColumnName, DictionaryColumn> = {
    organization: new DictionaryColumn(),
    document: new DictionaryColumn(),
    decision: new DictionaryColumn(),
    judgeType: new DictionaryColumn(),
    contentType: new DictionaryColumn(),
    reviewer: new DictionaryColumn(),
  }
  #createdAt = new Float64Array(0)
  #sides = new Uint8Array(0)
  #live = new Uint8Array(0)
  /** Rows that are not removed and took a side. */
  #voting = new Uint8Array(0)
  #votes = 0
  #approvals = 0
  #flags = new Uint8Array(0)
  /** The rows whose flags are set; undefined if any may be. */
  #flagged: Uint32Array | undefined

  /** The number of rows that are not removed. */
  get live(): number {
    return this.#keys.live
  }

  get count(): number {
    return this.#keys.count
  }

  get bytes(): number {
    return this.#live.length * 59 + this.#keys.bytes + this.#strings.length * 100
  }

  /** Makes room at once for as many rows, and some more. */
  expect(rows: number): void {
    this.#keys.expect(Math.ceil(rows * SPARE))
    this.#reserve(Math.ceil(rows * SPARE))
  }

  rowOf(key: string): number | undefined {
    return this.#keys.rowOf(key)
  }

  /** The key that a row was added with. */
  keyAt(row: number): string {
    return this.#keys.keyAt(row)
  }

  /** The rows that are not removed, in the order of their addition, with those that are added meanwhile. */
  *rows(): Generator<number> {
    for (let row = 0; row < this.count; row++) if (this.#live[row]) yield row
  }

  add(judgment: Omit<IndexedJudgment, 'reasoning' | 'content'>): void {
    const row = this.#keys.add(judgment.key)
    this.#put('organization', row, judgment.organization)
    this.#put('document', row, judgment.document)
    this.#put('decision', row, canonicalDecision(judgment.decision))
    this.#put('judgeType', row, judgment.judgeType)
    this.#put('contentType', row, judgment.contentType)
    this.#put('reviewer', row, judgment.reviewerId)
    this.#reserve(row + 1)
    this.#createdAt[row] = judgment.createdAt
    this.#addSide(row, sideOf(judgment.decision))
  }

  /** Adds rows whose keys are not in the table. */
  addMany({ keys, createdAt, values, columns }: TableRows): void {
    const first = this.count
    const count = createdAt.length
    const numbers = Uint32Array.from(values, (value) => (value === null ? 0 : this.#numberOf(value)))
    const decisions = Uint32Array.from(values, (value) => (value ? this.#numberOf(canonicalDecision(value)) : 0))
    const sides = Uint8Array.from(values, (value) => sideOf(value ?? ''))
    for (const name of COLUMN_NAMES) {
      this.#columns[name].addMany(first, name === 'decision' ? decisions : numbers, columns[name])
    }
    this.#keys.addMany(keys)
    this.#reserve(first + count)
    this.#createdAt.set(createdAt, first)
    for (let i = 0; i < count; i++) this.#addSide(first + i, sides[columns.decision[i] as number] as number)
  }

  #reserve(rows: number): void {
    this.#createdAt = withRoom(this.#createdAt, rows)
    this.#sides = withRoom(this.#sides, rows)
    this.#live = withRoom(this.#live, rows)
    this.#voting = withRoom(this.#voting, rows)
  }

  #addSide(row: number, side: number): void {
    this.#sides[row] = side
    this.#live[row] = 1
    this.#voting[row] = side ? 1 : 0
    if (side) this.#votes++
    if (side === APPROVE) this.#approvals++
  }

  /** The row keeps its place until the index is compacted. */
  remove(key: string): number | undefined {
    const row = this.#keys.remove(key)
    if (row === undefined) return undefined
    this.#live[row] = 0
    if (this.#voting[row]) this.#votes--
    if (this.#sides[row] === APPROVE) this.#approvals--
    this.#voting[row] = 0
    return row
  }

  /** The row as it was added, with its canonical decision. */
  judgment(row: number): Omit<IndexedJudgment, 'reasoning' | 'content'> {
    return {
      key: this.keyAt(row),
      organization: this.#get('organization', row),
      document: this.#get('document', row),
      decision: this.#get('decision', row) ?? '',
      judgeType: this.#get('judgeType', row) ?? '',
      contentType: this.#get('contentType', row),
      reviewerId: this.#get('reviewer', row),
      createdAt: this.#createdAt[row] as number,
    }
  }

  /** A row with a side, as a vote. */
  vote(row: number, similarity: number, closeness: number): Neighbour {
    return {
      key: this.keyAt(row),
      side: this.sideOf(row),
      similarity,
      closeness,
      reviewerId: this.#get('reviewer', row),
      createdAt: this.#createdAt[row] as number,
    }
  }

  /** The side of a row that has one. */
  sideOf(row: number): Neighbour['side'] {
    return this.#sides[row] === APPROVE ? 'approve' : 'reject'
  }

  /** The rows that scope and filters admit. Valid until the next call of this or `voters`, which reuse the flags. */
  admit(scope: MemoryScope, filters: JudgmentFilters = {}): RowFilter {
    return this.#filtered({ flags: this.#live, count: this.live, isStanding: true }, scope, filters)
  }

  /** The rows in scope with a side, and how many took which. Valid until the next call of this or `admit`. */
  voters(scope: MemoryScope): RowFilter & { approvals: number; rejections: number } {
    const filter = this.#filtered({ flags: this.#voting, count: this.#votes, isStanding: true }, scope, {})
    const approvals = this.#approvalsOf(filter)
    return { ...filter, approvals, rejections: filter.count - approvals }
  }

  #approvalsOf({ flags, rows }: RowFilter): number {
    if (rows) return rows.reduce((sum, row) => sum + (this.#sides[row] === APPROVE ? 1 : 0), 0)
    return flags === this.#voting ? this.#approvals : countCommon(flags, this.#sides, this.count)
  }

  /** The given rows that pass scope and filters; the given object itself if there are none. */
  #filtered(given: RowFilter, scope: MemoryScope, filters: JudgmentFilters): RowFilter {
    const conditions = this.#conditions(scope, filters)
    if (!conditions.length) return given
    const flags = this.#clearedFlags(given.flags.length)
    const [fewest] = conditions.flatMap(({ listed }) => listed ?? []).sort((a, b) => a.count - b.count)
    if (fewest && fewest.count * LISTED_ROW_COST < this.count) {
      const rows = fewest
        .rows()
        .filter((row) => given.flags[row] === 1 && conditions.every((condition) => condition.admits(row)))
      for (const row of rows) flags[row] = 1
      this.#flagged = rows
      return { flags, count: rows.length, rows }
    }
    this.#flagged = undefined
    let kept = given
    for (const { keep } of conditions) kept = { flags, count: keep(flags, kept.flags, this.count) }
    return kept
  }

  #clearedFlags(length: number): Uint8Array {
    if (!this.#flagged) this.#flags.fill(0)
    else for (const row of this.#flagged) this.#flags[row] = 0
    this.#flags = withRoom(this.#flags, length)
    return this.#flags
  }

  #conditions(scope: MemoryScope, filters: JudgmentFilters): Condition[] {
    const { decision, side, judgeType, contentType, reviewerId, documents, excludedDocuments, from, to } = filters
    const equal = (name: ColumnName, value: string | undefined) =>
      value === undefined ? [] : [isEqual(this.#columns[name], this.#numbers.get(value) ?? UNKNOWN)]
    const numbersOf = (values: string[]) => new Set(values.flatMap((value) => this.#numbers.get(value) ?? []))
    const bounds = { from: from ?? Number.NEGATIVE_INFINITY, to: to ?? Number.POSITIVE_INFINITY }
    return [
      ...equal('organization', scope.organization),
      ...equal('document', scope.document),
      ...equal('decision', decision === undefined ? undefined : canonicalDecision(decision)),
      ...(side ? [isAmong(this.#columns.decision, numbersOf(decisionsOf(side)))] : []),
      ...equal('judgeType', judgeType),
      ...equal('contentType', contentType),
      ...equal('reviewer', reviewerId),
      ...(documents ? [isAmong(this.#columns.document, numbersOf(documents))] : []),
      ...(excludedDocuments ? [isNotAmong(this.#columns.document, numbersOf(excludedDocuments))] : []),
      ...(from === undefined && to === undefined ? [] : [isBetween(this.#createdAt, bounds)]),
    ]
  }

  #put(name: ColumnName, row: number, value: string | null): void {
    this.#columns[name].add(row, value === null ? 0 : this.#numberOf(value))
  }

  #get(name: ColumnName, row: number): string | null {
    const number = this.#columns[name].values[row] as number
    return number ? (this.#strings[number] as string) : null
  }

  #numberOf(value: string): number {
    const known = this.#numbers.get(value)
    if (known !== undefined) return known
    const number = this.#strings.push(value) - 1
    this.#numbers.set(value, number)
    return number
  }
}

function sideOf(decision: string): number {
  const side = decisionPolarity(decision)
  if (side === null) return 0
  return side === 'approve' ? APPROVE : REJECT
}

/** A number that no string has. */
const UNKNOWN = -1
