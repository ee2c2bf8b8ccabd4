import { type Sql, type Transaction, together } from './db.ts'

/** Sends a statement at once. Throws, without sending it, if its parameters are refused; Postgres's refusal rejects. */
type Run = <Row extends object>(statement: Sql) => Promise<Row[]>

/**
 * The statements of one transaction. The owner ends it with `end` or `endBy` before it sends the commit or rollback.
 */
export class TransactionStatements implements Transaction {
  readonly #run: Run
  readonly #sent: Promise<void>[] = []
  #ended = false

  constructor(run: Run) {
    this.#run = run
  }

  async query<Row extends object>(statement: Sql): Promise<Row[]> {
    return this.#start<Row>(statement)
  }

  send<Row extends object>(
    statement: Sql,
    read: (rows: Row[]) => void = () => {},
    fail: (error: unknown) => void = () => {},
  ): void {
    const answered = this.#start<Row>(statement).then(read, (error: unknown) => {
      fail(error)
      throw error
    })
    // The end reports it.
    answered.catch(() => {})
    this.#sent.push(answered)
  }

  /** Refuses all later statements. Resolves once those that were only sent have run; rejects with the first failure. */
  async end(): Promise<void> {
    this.#ended = true
    await together(this.#sent)
  }

  /**
   * Refuses all later statements. Resolves to the error, or to the failure of a sent statement that it follows from.
   */
  endBy(error: unknown): Promise<unknown> {
    this.#ended = true
    return together([Promise.reject(error), ...this.#sent]).catch((first: unknown) => first)
  }

  #start<Row extends object>(statement: Sql): Promise<Row[]> {
    if (this.#ended) throw new Error('The transaction of this statement has ended.')
    return this.#run<Row>(statement)
  }
}
