import type { Side } from '../../memory/judgment/decision-polarity.ts'
import type { Alert } from './alert.ts'

/** What is not as usual, and what that rests on. */
export interface FoundAlert {
  alertType: Alert['alertType']
  metric: Alert['evidence']['metric']
  severity: Alert['severity']
  contentType: string | null
  /** The side that a reason is given for, of an alert about a reason. */
  side: Side | null
  baseline: number
  current: number
  windowDays: number
  /** Their keys. */
  judgments: string[]
  knowledgeKey: string | null
}

/** How far back is looked. */
export const READ_DAYS = 180
/** The last days, which are compared with those before. */
export const DRIFT_DAYS = 30
/** So many decisions both spans of time must hold. */
export const FEWEST_DECISIONS = 20
