import type { Alert } from './alert.ts'
import type { Finding } from './wording.ts'

/** A finding with what it rests on. */
export interface FoundAlert extends Finding {
  severity: Alert['severity']
  metric: Alert['evidence']['metric']
  judgments: string[]
  knowledgeKey: string | null
}

/** How far back is looked. */
export const READ_DAYS = 180
/** The last days, which are compared with those before. */
export const DRIFT_DAYS = 30
/** So many decisions both spans of time must hold. */
export const FEWEST_DECISIONS = 20
