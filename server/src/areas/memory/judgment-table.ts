import type { Admission } from './candidates.ts'
import { countCommon, keepAmong, keepBetween, keepEqual, withRoom } from './column.ts'
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
    return this.#kept({ flags: this.#live, count: this.live }, scope, filters)
  }

  /** The judgments in scope that took a side, and how many took which; valid as long as what `admit` answers. */
  voters(scope: MemoryScope): Admission & { approvals: number; rejections: number } {
    const { flags, count } = this.#kept({ flags: this.#voting, count: this.#votes }, scope, {})
    const approvals = flags === this.#voting ? this.#approvals : countCommon(flags, this.#sides, this.count)
    return { flags, count, approvals, rejections: count - approvals }
  }

  /** Those of the given ones that scope and filters admit: themselves where nothing is asked. */
  #kept(given: Admission, scope: MemoryScope, filters: JudgmentFilters): Admission {
    const { decision, judgeType, contentType, reviewerId, documents, excludedDocuments, from, to } = filters
    this.#flags = withRoom(this.#flags, given.flags.length)
    const flags = this.#flags
    let kept = given
    const keep = (pass: (given: Uint8Array) => number) => {
      kept = { flags, count: pass(kept.flags) }
    }
    const wanted = Object.entries({
      organization: scope.organization,
      document: scope.document,
      decision: decision === undefined ? undefined : canonicalDecision(decision),
      judgeType,
      contentType,
      reviewer: reviewerId,
    }) as [NumberedColumn, string | undefined][]
    for (const [column, value] of wanted) {
      if (value === undefined) continue
      keep((of) => keepEqual(flags, of, this.#columns[column], this.#numbers.get(value) ?? -1, this.count))
    }
    for (const [list, excluded] of [[documents, false] as const, [excludedDocuments, true] as const]) {
      if (!list) continue
      const values = list.flatMap((value) => this.#numbers.get(value) ?? [])
      keep((of) => keepAmong(flags, of, this.#columns.document, { values, excluded }, this.count))
    }
    if (from !== undefined || to !== undefined) {
      const bounds = { from: from ?? Number.NEGATIVE_INFINITY, to: to ?? Number.POSITIVE_INFINITY }
      keep((of) => keepBetween(flags, of, this.#createdAt, bounds, this.count))
    }
    return kept
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
