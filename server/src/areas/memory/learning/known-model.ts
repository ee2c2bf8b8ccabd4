import type { ApiKeyTenant } from '../../../platform/context.ts'
import type { Db } from '../../../platform/db/db.ts'
import type { Embedder } from '../../../platform/embedder/embedder.ts'
import { readVectorState } from '../vectors/vector-progress.ts'
import type { KnownModel } from './known-past.ts'

/** The configured model, if it has embedded all judgments of the API key. */
export async function knownModel(
  db: Db,
  tenant: ApiKeyTenant,
  { model, isBuiltin }: Pick<Embedder, 'model' | 'isBuiltin'>,
): Promise<KnownModel | undefined> {
  const { isComplete, dimensions, baseline } = await readVectorState(db, tenant, model)
  return isComplete && dimensions > 0 ? { model, dimensions, baseline, onlyFills: isBuiltin ?? false } : undefined
}
