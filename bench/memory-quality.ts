import { parseArgs } from 'node:util'
import { asRetrieval, retrievalTable } from './memory-quality/retrieval.ts'
import { judgmentSets, retrievalSets } from './memory-quality/sets.ts'
import { foretell } from './memory-quality/suggestions.ts'

/**
 * Measures how well the decision memory finds and predicts, on the sets in each folder `--data`, beside baseline
 * methods.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { data: { type: 'string', multiple: true } } })
  if (!values.data) throw new Error('Which sets? --data <folder> [--data <folder>…]')
  const collections = values.data.flatMap(retrievalSets)
  const judged = values.data.flatMap(judgmentSets)
  const rankings = [...collections, ...judged.flatMap(asRetrieval)]
  if (rankings.length > 0) process.stdout.write(`\nRetrieval: nDCG@10 (Recall@10)\n${retrievalTable(rankings)}\n`)
  for (const set of judged) await foretell(set)
}
