import type { Admission } from './candidates.ts'
import { countCommon, countSet, keepAmong, keepBetween, keepEqual, withRoom } from './column.ts'
import { canonicalDecision, decisionSide } from './decision-side.ts'
import type { IndexedJudgment, JudgmentFilters, MemoryScope, Neighbour } from './indexed-judgment.ts'

const APPROVE = 1
const REJECT = 2

type NumberedColumn = 'organization' | 'document' | 'decision' | 'judgeType' | 'contentType' | 'reviewer'

/** What scope and filters ask of a judgment, in columns: strings are numbered, row `n` belongs to text `n`. */
export class JudgmentTable {
  readonly recordIds: string[] = []
  readonly #rows = new Map<string, number>()
  readonly #numbers = new Map<string, number>()
  readonly #strings: string[] = ['']
  readonly #columns: Record<NumberedColumn, Uint32Array> = {
    organization: new Uint32Array(0),
    document: new Uint32Array(0),
    decision: new Uint32Array(0),
    judgeType: new Uint32Array(0),
    contentType: new Uint32Array(0),
    reviewer: new Uint32Array(0),
  }
  #createdAt = new Float64Array(0)
  #sides = new Uint8Array(0)
  #live = new Uint8Array(0)
  /** Those that still count and took a side. */
  #voting = new Uint8Array(0)
  #votes = 0
  #approvals = 0
  #flags = new Uint8Array(0)

  /** Judgments that still count. */
  get live(): number {
    return this.#rows.size
  }

  get count(): number {
    return this.recordIds.length
  }

  get bytes(): number {
    return this.#live.length * 35 + this.count * 160 + this.#strings.length * 100
  }

  rowOf(recordId: string): number | undefined {
    return this.#rows.get(recordId)
  }

  /** The rows that still count, in the order they were added. */
  rows(): IterableIterator<number> {
    return this.#rows.values()
  }

  add(judgment: Omit<IndexedJudgment, 'reasoning' | 'content'>): void {
    const row = this.recordIds.push(judgment.recordId) - 1
    this.#rows.set(judgment.recordId, row)
    this.#put('organization', row, judgment.organization)
    this.#put('document', row, judgment.document)
    this.#put('decision', row, canonicalDecision(judgment.decision))
    this.#put('judgeType', row, judgment.judgeType)
    this.#put('contentType', row, judgment.contentType)
    this.#put('reviewer', row, judgment.reviewerId)
    this.#createdAt = withRoom(this.#createdAt, row + 1)
    this.#createdAt[row] = judgment.createdAt
    this.#sides = withRoom(this.#sides, row + 1)
    const side = decisionSide(judgment.decision)
    this.#sides[row] = side === 'approve' ? APPROVE : side === 'reject' ? REJECT : 0
    this.#live = withRoom(this.#live, row + 1)
    this.#live[row] = 1
    this.#voting = withRoom(this.#voting, row + 1)
    this.#voting[row] = side ? 1 : 0
    if (side) this.#votes++
    if (side === 'approve') this.#approvals++
  }

  /** The row keeps its place until the index is compacted. */
  remove(recordId: string): number | undefined {
    const row = this.#rows.get(recordId)
    if (row === undefined) return undefined
    this.#rows.delete(recordId)
    this.#live[row] = 0
    if (this.#voting[row]) this.#votes--
    if (this.#sides[row] === APPROVE) this.#approvals--
    this.#voting[row] = 0
    return row
  }

  /** The row as it was added; its decision in canonical form. */
  judgment(row: number): Omit<IndexedJudgment, 'reasoning' | 'content'> {
    return {
      recordId: this.recordIds[row] as string,
      organization: this.#get('organization', row),
      document: this.#get('document', row),
      decision: this.#get('decision', row) ?? '',
      judgeType: this.#get('judgeType', row) ?? '',
      contentType: this.#get('contentType', row),
      reviewerId: this.#get('reviewer', row),
      createdAt: this.#createdAt[row] as number,
    }
  }

  /** A row that took a side, as evidence. */
  vote(row: number, similarity: number, closeness: number): Neighbour {
    const side = this.#sides[row] === APPROVE ? 'approve' : 'reject'
    const { recordId, reviewerId, createdAt } = this.judgment(row)
    return { recordId, side, similarity, closeness, reviewerId, createdAt }
  }

  /** Valid until the next call of this or `voters`: the flags are one array, used again. */
  admit(scope: MemoryScope, filters: JudgmentFilters = {}): Admission {
    const flags = this.#kept(this.#live, scope, filters)
    return { flags, count: flags === this.#live ? this.live : countSet(flags, this.count) }
  }

  /** The judgments in scope that took a side, and how many took which; valid as long as what `admit` answers. */
  voters(scope: MemoryScope): Admission & { approvals: number; rejections: number } {
    const flags = this.#kept(this.#voting, scope, {})
    const isAll = flags === this.#voting
    const count = isAll ? this.#votes : countSet(flags, this.count)
    const approvals = isAll ? this.#approvals : countCommon(flags, this.#sides, this.count)
    return { flags, count, approvals, rejections: count - approvals }
  }

  /** The given flags without those that scope and filters do not admit: themselves where nothing is asked. */
  #kept(given: Uint8Array, scope: MemoryScope, filters: JudgmentFilters): Uint8Array {
    const { decision, judgeType, contentType, reviewerId, documents, excludedDocuments, from, to } = filters
    const wanted = Object.entries({
      organization: scope.organization,
      document: scope.document,
      decision: decision === undefined ? undefined : canonicalDecision(decision),
      judgeType,
      contentType,
      reviewer: reviewerId,
    }) as [NumberedColumn, string | undefined][]
    const conditions = wanted.filter((entry): entry is [NumberedColumn, string] => entry[1] !== undefined)
    if (!conditions.length && [documents, excludedDocuments, from, to].every((each) => each === undefined)) return given
    this.#flags = withRoom(this.#flags, given.length)
    const flags = this.#flags
    flags.set(given)
    for (const [column, value] of conditions)
      keepEqual(flags, this.#columns[column], this.#numbers.get(value) ?? -1, this.count)
    const numbers = (list: string[]) => list.flatMap((value) => this.#numbers.get(value) ?? [])
    if (documents) keepAmong(flags, this.#columns.document, numbers(documents), false, this.count)
    if (excludedDocuments) keepAmong(flags, this.#columns.document, numbers(excludedDocuments), true, this.count)
    if (from !== undefined || to !== undefined) {
      keepBetween(flags, this.#createdAt, from ?? Number.NEGATIVE_INFINITY, to ?? Number.POSITIVE_INFINITY, this.count)
    }
    return flags
  }

  #put(name: NumberedColumn, row: number, value: string | null): void {
    const column = withRoom(this.#columns[name], row + 1)
    this.#columns[name] = column
    column[row] = value === null ? 0 : this.#numberOf(value)
  }

  #get(name: NumberedColumn, row: number): string | null {
    const number = this.#columns[name][row] as number
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
