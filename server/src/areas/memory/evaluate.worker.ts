import type { WorkerContext } from '../../platform/context.ts'
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
} from './evaluation/stored-evaluations.ts'

/** How long one turn of the source takes at most, and about how often progress is recorded. */
const TURN_MS = 1_000
const RECORD_EVERY_MS = 5_000

interface Running {
  claim: EvaluationClaim
  steps: AsyncGenerator<number, EvaluationReport>
  recordedAt: number
}

/**
 * Runs one evaluation at a time in this process, a second of it in each turn. One whose process dies, or fails, is run
 * again from its start, three times at most.
 */
export function judgmentEvaluations({ db, reads, services }: Pick<WorkerContext, 'db' | 'reads' | 'services'>): Source {
  const { clock, log } = services
  let running: Running | undefined

  async function* run(claim: EvaluationClaim): AsyncGenerator<number, EvaluationReport> {
    const plan = await planEvaluation(reads, claim, { from: claim.from ?? undefined, now: clock.now() })
    await recordPlan(db, claim, plan)
    return yield* evaluate(reads, claim, plan, services)
  }

  async function turn(at: Running): Promise<Running | undefined> {
    for (const deadline = performance.now() + TURN_MS; performance.now() < deadline; ) {
      const step = await at.steps.next()
      if (step.done) {
        await completeEvaluation(db, at.claim, step.value)
        return undefined
      }
      if (clock.now() - at.recordedAt < RECORD_EVERY_MS) continue
      at.recordedAt = clock.now()
      if (!(await recordProgress(db, at.claim, step.value, clock.now()))) return undefined
    }
    return at
  }

  return {
    name: 'judgment evaluations',
    async work() {
      if (!running) {
        const claim = await claimEvaluation(db, clock.now())
        if (!claim) return 0
        running = { claim, steps: run(claim), recordedAt: clock.now() }
      }
      const { claim } = running
      try {
        running = await turn(running)
      } catch (error) {
        running = undefined
        log.error({ err: error, attempt: claim.attempt }, 'an evaluation of judgments failed')
        await postponeEvaluation(db, claim, clock.now())
      }
      return 1
    },
    due: () => evaluationIsDue(clock.now()),
  }
}
