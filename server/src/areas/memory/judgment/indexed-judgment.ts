/** What the lexical index knows of one judgment. `organization` and `document` are opaque keys (null: none). */
export interface IndexedJudgment {
  recordId: string
  organization: string | null
  document: string | null
  decision: string
  judgeType: string
  contentType: string | null
  reviewerId: string | null
  createdAt: number
  /** With the decision, the `review` text. */
  reasoning: string
  /** What was reviewed: the `content` text. */
  content: string
}

export type TextField = 'review' | 'content'

/** Nothing named: the whole API key. A document belongs to its organization, so both are given for one. */
export interface MemoryScope {
  organization?: string
  document?: string
}

/** All that are given must hold. `approve` and `approved`, `reject` and `rejected` are one decision. */
export interface JudgmentFilters {
  decision?: string
  judgeType?: string
  contentType?: string
  reviewerId?: string
  /** Only judgments of these documents, whatever their organization. */
  documents?: string[]
  /** None of these documents; judgments of no document stay. */
  excludedDocuments?: string[]
  /** Inclusive bounds of `createdAt`, epoch ms. */
  from?: number
  to?: number
}

export interface LexicalQuery {
  field: TextField
  query: string
  scope: MemoryScope
  filters?: JudgmentFilters
  limit: number
}

export interface LexicalHit {
  recordId: string
  /** Absolute, 0 to 1, comparable between queries; hits are ordered by relevance, which weighs more than this. */
  similarity: number
}

export interface RankedHit extends LexicalHit {
  /** What it is worth to the reader among the others of the same answer. */
  relevance: number
}

export interface LexicalResult {
  hits: LexicalHit[]
  /** How many judgments scope and filters admit, found or not. */
  totalInScope: number
}

/** A judgment that took a side and is near what is to be decided. */
export interface Neighbour {
  recordId: string
  side: 'approve' | 'reject'
  similarity: number
  /** What its vote weighs by: the similarity, by words without regard to chance. */
  closeness: number
  reviewerId: string | null
  createdAt: number
}

/** The evidence a suggestion is computed from: the nearest votes and what they are measured against. */
export interface Neighbours {
  votes: Neighbour[]
  /** Judgments in scope that took a side, near or not. */
  approvals: number
  rejections: number
}
