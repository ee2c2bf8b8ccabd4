import type { ApiKeyTenant, Services } from '../../../platform/context.ts'
import type { Db } from '../../../platform/db/db.ts'
import { EmbedderError } from '../../../platform/embedder/embedder.ts'
import { readModelKey } from '../../workspaces/setting/model-key.ts'
import { knownModel } from '../learning/known-model.ts'
import { countHistory, readHistory, startOfLast } from '../learning/read-history.ts'
import { preparePriors } from '../words/prior-frequencies.ts'
import { type EvaluationReport, reportOf } from './evaluation-report.ts'
import { replay } from './replay.ts'

type Means = Pick<Services, 'embedder' | 'secrets' | 'config'>

/** What an evaluation asks about. */
export interface EvaluationPlan {
  /** The judgments since then. */
  from: number
  /** How many those are, of how many. */
  test: number
  total: number
}

/** The part of the judgments that is asked about by default: the latest. */
const ASKED_SHARE = 0.3

/** Plans an evaluation of the judgments since `from`, or of the last 30 %. */
export async function planEvaluation(
  db: Db,
  tenant: ApiKeyTenant,
  { from: given, now }: { from: number | undefined; now: number },
): Promise<EvaluationPlan> {
  const from = given ?? (await startOfLast(db, tenant, ASKED_SHARE)) ?? now
  return { from, ...(await countHistory(db, tenant, from)) }
}

/**
 * Evaluates search and suggestions on the past of an API key. It compares as the service does: by the stored vectors of
 * the configured model where all judgments are embedded. Yields how many it has read.
 */
export async function* evaluate(
  db: Db,
  tenant: ApiKeyTenant,
  { from, test }: EvaluationPlan,
  { embedder, secrets, config }: Means,
): AsyncGenerator<number, EvaluationReport> {
  const dense = embedder && (await knownModel(db, tenant, embedder))
  const embed = async (texts: string[]) => {
    const apiKey = await readModelKey(db, tenant, secrets)
    return embedder?.embed(texts, { purpose: 'background', apiKey, as: 'query' }).catch(withoutVectors) ?? []
  }
  await preparePriors()
  const history = readHistory(db, tenant, dense?.model ?? null)
  const authors = config.memoryAuthors === 'on'
  return reportOf(from, yield* replay(history, { from, test, dense, embed, authors }))
}

function withoutVectors(error: unknown): Float32Array[] {
  if (error instanceof EmbedderError) return []
  throw error
}
