import type { WorkerContext } from '../../platform/context.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Log } from '../../platform/log.ts'
import type { Source } from '../../platform/work/worker.ts'
import { evaluate, planEvaluation } from './evaluation/evaluate.ts'
import type { EvaluationReport } from './evaluation/evaluation-report.ts'
import {
  claimEvaluation,
  completeEvaluation,
  type EvaluationClaim,
  evaluationIsDue,
  postponeEvaluation,
  recordPlan,
  recordProgress,
  returnEvaluation,
} from './evaluation/stored-evaluations.ts'

/** How long one turn of the source takes at most, and about how often progress is recorded. */
const TURN_MS = 1_000
const RECORD_EVERY_MS = 5_000
/** Evaluations that run at a time in a process. What the judgments of one take in memory allows one large one. */
const PARALLEL = 2
/** The changes of its judgments that an API key has at most whose evaluation runs beside another. */
const MOST_CHANGES_BESIDE = 10_000

interface Running {
  claim: EvaluationClaim
  steps: AsyncGenerator<number, EvaluationReport>
  recordedAt: number
}

/**
 * Runs evaluations, a second in each turn: one of any size, and beside it those of API keys with few judgments, which
 * so wait for no large one. One whose process dies, or fails, is run again from its start, three times at most. A
 * process that stops gives its evaluations back.
 */
export function judgmentEvaluations(
  { db, reads, services }: Pick<WorkerContext, 'db' | 'reads' | 'services'>,
  turnMs = TURN_MS,
): Source {
  const { clock, log } = services
  /** The next one to have a turn comes first. */
  const running: Running[] = []

  async function* run(claim: EvaluationClaim): AsyncGenerator<number, EvaluationReport> {
    const plan = await planEvaluation(reads, claim, { from: claim.from ?? undefined, now: clock.now() })
    await recordPlan(db, claim, plan)
    return yield* evaluate(reads, claim, plan, services)
  }

  async function claimNext(): Promise<void> {
    if (running.length >= PARALLEL) return
    const mostChanges = running.length === 0 ? undefined : MOST_CHANGES_BESIDE
    const claim = await claimEvaluation(db, { now: clock.now(), mostChanges })
    if (claim) running.push({ claim, steps: run(claim), recordedAt: clock.now() })
  }

  /** Returns whether it is to go on. */
  async function turn(at: Running): Promise<boolean> {
    const deadline = performance.now() + turnMs
    do {
      const step = await at.steps.next()
      if (step.done) {
        await completeEvaluation(db, at.claim, step.value)
        return false
      }
      if (clock.now() - at.recordedAt < RECORD_EVERY_MS) continue
      at.recordedAt = clock.now()
      if (!(await recordProgress(db, at.claim, step.value, clock.now()))) return false
    } while (performance.now() < deadline)
    return true
  }

  return {
    name: 'judgment evaluations',
    async work() {
      await claimNext()
      const next = running.shift()
      if (!next) return 0
      try {
        if (await turn(next)) running.push(next)
      } catch (error) {
        log.error({ err: error, attempt: next.claim.attempt }, 'an evaluation of judgments failed')
        await postponeEvaluation(db, next.claim, clock.now())
      }
      return 1
    },
    due: () => evaluationIsDue(clock.now()),
    // Some run only where the process ends, for a turn leaves none without work.
    settle: async () => {
      for (const { claim } of running.splice(0)) await giveBack(db, log, claim)
      return 0
    },
  }
}

/** Gives an evaluation back. If the database fails, another process takes it over when its lease has ended. */
async function giveBack(db: Db, log: Log, claim: EvaluationClaim): Promise<void> {
  try {
    await returnEvaluation(db, claim)
  } catch (error) {
    log.warn({ err: error, attempt: claim.attempt }, 'an evaluation could not be given back')
  }
}
