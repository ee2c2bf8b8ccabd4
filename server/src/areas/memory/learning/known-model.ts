import type { ApiKeyTenant } from '../../../platform/context.ts'
import type { Db } from '../../../platform/db/db.ts'
import type { Embedder } from '../../../platform/embedder/embedder.ts'
import { readVectorState } from '../vectors/vector-progress.ts'
import type { KnownModel } from './known-past.ts'

/** The configured model, if it has embedded all judgments of the API key. */
export async function knownModel(
  db: Db,
  tenant: ApiKeyTenant,
  embedder: Pick<Embedder, 'model' | 'isBuiltin' | 'embed'>,
): Promise<KnownModel | undefined> {
  const { model, isBuiltin = false } = embedder
  const { isComplete, dimensions, baseline } = await readVectorState(db, tenant, model)
  if (!isComplete || dimensions === 0) return undefined
  const embed = (texts: string[]) => embedder.embed(texts, { purpose: 'background', as: 'query' })
  return { model, dimensions, baseline, onlyFills: isBuiltin, embed: isBuiltin ? embed : undefined }
}
