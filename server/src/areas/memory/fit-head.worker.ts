import type { Services, WorkerContext } from '../../platform/context.ts'
import { DAY_MS } from '../../platform/date-range.ts'
import type { Source } from '../../platform/work/worker.ts'
import { claimFit, endFit, extendFit, type FitClaim, settledChange } from './head/stored-heads.ts'
import { knownModel } from './learning/known-model.ts'
import { FEWEST_JUDGMENTS, type Learning, learnHead, MOST_JUDGMENTS } from './learning/learn-head.ts'
import { readLatest } from './learning/read-history.ts'

const LEASE_MS = 300_000
/** How long one turn of the source takes at most. */
const TURN_MS = 1_000
/** Fitted again when the judgments have changed by a tenth, by 20 at least; after a week, after any change. */
const GROWTH = 0.1
const FEWEST_NEW = 20
const WEEK_MS = 7 * DAY_MS
/** How long an API key rests after a fit, and in how many times the fit's own time. */
const REST_MS = 30_000
const REST_TIMES = 10
/** How soon it is looked again whether the judgments are embedded. */
const EMBEDDING_MS = 15_000
const EVERY_MS = 10_000

interface Context extends Pick<WorkerContext, 'reads' | 'db'> {
  services: Pick<Services, 'clock' | 'secrets' | 'embedder' | 'config' | 'log'>
}

interface Running {
  claim: FitClaim
  seenChange: number
  sided: number
  steps: AsyncGenerator<void, Learning | undefined>
  startedAt: number
  extendedAt: number
}

/**
 * Learns from the judgments of API keys that have 200 or more: one at a time in this process, a second of it in each
 * turn. What is learned is fitted again as judgments come. A deletion voids a fit that runs. One whose process dies is
 * begun again.
 */
export function judgmentHeads(context: Context): Source {
  const {
    db,
    services: { clock, secrets, log },
  } = context
  let running: Running | undefined
  let nextAt = 0

  return {
    name: 'judgment heads',
    async work() {
      if (!running) {
        const now = clock.now()
        if (now < nextAt) return 0
        const claim = await claimFit(db, secrets, { now, until: now + LEASE_MS, fewest: FEWEST_JUDGMENTS })
        if (!claim) {
          nextAt = now + EVERY_MS
          return 0
        }
        running = await start(context, claim)
        return 1
      }
      try {
        running = await turn(context, running)
      } catch (error) {
        running = undefined
        log.error({ err: error }, 'nothing was learned from judgments')
      }
      return 1
    },
  }
}

/** Undefined if the judgments are still being embedded. */
async function start({ reads, db, services }: Context, claim: FitClaim): Promise<Running | undefined> {
  const { clock, secrets, embedder, config } = services
  const seenChange = await settledChange(db, claim)
  const dense = embedder && (await knownModel(reads, claim, embedder))
  const now = clock.now()
  if (embedder && !dense) {
    await endFit(db, claim, undefined, { seenChange: 0, nextChange: 0, staleAt: 0, dueAt: now + EMBEDDING_MS }, secrets)
    return undefined
  }
  const judgments = await readLatest(reads, claim, { model: dense?.model ?? null, most: MOST_JUDGMENTS })
  const steps = learnHead(judgments, { dense, authors: config.memoryAuthors === 'on' })
  return { claim, seenChange, sided: judgments.length, steps, startedAt: now, extendedAt: now }
}

/** Goes on with a fit for a second; undefined at its end, or if a change has voided it. */
async function turn(context: Context, at: Running): Promise<Running | undefined> {
  for (const deadline = performance.now() + TURN_MS; performance.now() < deadline; ) {
    const step = await at.steps.next()
    if (step.done) {
      await end(context, at, step.value)
      return undefined
    }
  }
  const now = context.services.clock.now()
  if (now - at.extendedAt < LEASE_MS / 5) return at
  at.extendedAt = now
  return (await extendFit(context.db, at.claim, now + LEASE_MS)) ? at : undefined
}

async function end(
  { db, services: { clock, secrets } }: Context,
  { claim, seenChange, sided, startedAt }: Running,
  learned: Learning | undefined,
): Promise<void> {
  const now = clock.now()
  const more = learned ? Math.max(FEWEST_NEW, Math.ceil(GROWTH * sided)) : Math.max(1, FEWEST_JUDGMENTS - sided)
  const next = {
    seenChange,
    nextChange: seenChange + more,
    staleAt: now + WEEK_MS,
    dueAt: now + (learned ? Math.max(REST_MS, REST_TIMES * (now - startedAt)) : 0),
  }
  await endFit(db, claim, learned?.head, next, secrets)
}
