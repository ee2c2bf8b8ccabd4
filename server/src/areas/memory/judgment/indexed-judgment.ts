import type { Side } from './decision-polarity.ts'

/** What the lexical index stores of one judgment. `organization` and `document` are opaque keys (null: none). */
export interface IndexedJudgment {
  /** Of its row, by which the index knows it; not the `recordId` of callers. */
  key: string
  organization: string | null
  document: string | null
  decision: string
  judgeType: string
  contentType: string | null
  reviewerId: string | null
  createdAt: number
  /** The `review` text, together with the decision. */
  reasoning: string
  /** The `content` text: what was reviewed. */
  content: string
}

/** The texts of a judgment: decision and reasoning, and what was decided on. */
export type TextField = 'review' | 'content'

/** The names of scopes, the narrowest first. */
export const SCOPES = ['document', 'organization', 'apiKey'] as const

/** Empty: the whole API key. A document belongs to an organization, so a document scope names both. */
export interface MemoryScope {
  organization?: string
  document?: string
}

/** All given filters must hold. `approve` and `approved`, `reject` and `rejected` are one decision. */
export interface JudgmentFilters {
  decision?: string
  side?: Side
  judgeType?: string
  contentType?: string
  reviewerId?: string
  /** Only judgments of these documents, in any organization. */
  documents?: string[]
  /** No judgments of these documents; those without a document stay. */
  excludedDocuments?: string[]
  /** Inclusive bounds of `createdAt`, epoch ms. */
  from?: number
  to?: number
}

/** A search by words. */
export interface LexicalQuery {
  field: TextField
  query: string
  scope: MemoryScope
  filters?: JudgmentFilters
  limit: number
  /** Judgments that share no word with the query are not found, even if fewer than the limit do. */
  sharesWords?: boolean
}

/** A judgment that was found, by its key. */
export interface LexicalHit {
  key: string
  /** Absolute, 0 to 1, comparable between queries. Hits are ordered by relevance, which weighs more. */
  similarity: number
}

export interface RankedHit extends LexicalHit {
  /** Relative to the other hits of the same search. */
  relevance: number
}

/** What a search by words found. */
export interface LexicalResult {
  /** First those that share words with the query, then those that share only parts of words. */
  hits: LexicalHit[]
  /** How many of the hits share words. */
  sharingWords: number
  /** How many judgments pass scope and filters, found or not. */
  totalInScope: number
}

/** A judgment with a side that is similar to the item to decide on. */
export interface Neighbour {
  key: string
  side: Side
  similarity: number
  /** The weight of its vote: the similarity; by words, without the correction for chance. */
  closeness: number
  reviewerId: string | null
  createdAt: number
}

/** The most votes that are evidence for a suggestion. */
export const MOST_VOTES = 50

/** The evidence for a suggestion: the nearest votes, and the counts of the scope. */
export interface Neighbours {
  votes: Neighbour[]
  /** All judgments in scope with a side, near or not. */
  approvals: number
  rejections: number
}
