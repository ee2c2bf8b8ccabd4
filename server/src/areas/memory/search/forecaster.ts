import type { ApiKeyTenant, Services } from '../../../platform/context.ts'
import type { Db } from '../../../platform/db/db.ts'
import type { AuthorRecord, Head } from '../head/head.ts'
import type { Neighbours } from '../judgment/indexed-judgment.ts'
import type { LexicalIndex } from '../lexical/lexical-index.ts'
import type { DenseQuery } from '../vectors/dense-search.ts'
import { readAuthorRecord } from './author-record.ts'
import type { Learned } from './basis.ts'
import { learnedFrom, passesGate } from './learned-evidence.ts'

interface Asked {
  query: string
  /** Id of the user who wrote the item. */
  author?: string | undefined
  /** The version of the head of the API key, which was just read. */
  headVersion: string | undefined
}

type Means = Pick<Services, 'headCache' | 'clock' | 'config'>

/** Forecasts the decision on an item by what was learned from the API key. Where nothing was, it says nothing. */
export class Forecaster {
  readonly #head: Head | undefined
  readonly #record: AuthorRecord | undefined
  readonly #query: string
  readonly #clock: Means['clock']
  #isOnTopic: boolean | undefined

  private constructor(head: Head | undefined, record: AuthorRecord | undefined, query: string, clock: Means['clock']) {
    this.#head = head
    this.#record = record
    this.#query = query
    this.#clock = clock
  }

  static async of(
    db: Db,
    tenant: ApiKeyTenant,
    { headCache, clock, config }: Means,
    { query, author, headVersion }: Asked,
  ): Promise<Forecaster> {
    const head = await headCache.find(db, tenant, headVersion)
    const record = head && config.memoryAuthors === 'on' ? await readAuthorRecord(db, tenant, author) : undefined
    return new Forecaster(head, record, query, clock)
  }

  /** Lets the gate decide whether the item is on the topics of the API key, by the nearest of all votes. */
  checkTopic(byWords: Neighbours, byVectors?: { model: string; cosines: ReadonlyMap<string, number> }): void {
    if (this.#head) this.#isOnTopic = passesGate(this.#head, this.#query, byWords, byVectors)
  }

  /** The forecast from the evidence of one scope. */
  learned(
    { table }: LexicalIndex,
    using: Pick<DenseQuery, 'model' | 'vector'> | undefined,
    byWords: Neighbours,
    cosines?: ReadonlyMap<string, number>,
  ): Learned | undefined {
    if (!this.#head) return undefined
    const item = {
      head: this.#head,
      author: this.#record,
      isOnTopic: this.#isOnTopic,
      now: this.#clock.now(),
      texts: { text: this.#query, vector: using?.vector ?? null },
      model: using?.model,
    }
    return learnedFrom(item, byWords, cosines, table)
  }
}
