import type { Embedder } from '../../platform/embedder/embedder.ts'
import { type Finding, failure, ok, reasonOf } from './finding.ts'

const SAMPLE = 'The logo is off centre, and the second paragraph repeats what the headline says.'
/** A batch, as judgments are embedded in the background. */
const SAMPLES = Array.from({ length: 64 }, (_, i) => `${SAMPLE} Comment ${i}.`)

/** Embeds some texts and closes the model, whatever comes of it: a thread of it would keep the program running. */
export async function checkEmbedder(open: () => Promise<Embedder | undefined>): Promise<Finding> {
  let embedder: Embedder | undefined
  try {
    embedder = await open()
    const [vector] = (await embedder?.embed([SAMPLE], { purpose: 'search' })) ?? []
    const started = performance.now()
    await embedder?.embed(SAMPLES, { purpose: 'background' })
    const speed = Math.round((1000 * SAMPLES.length) / (performance.now() - started))
    return ok(
      'embedder',
      `The model returns vectors of ${vector?.length} dimensions, of ${speed} short texts a second.`,
    )
  } catch (error) {
    return failure('embedder', reasonOf(error), 'Check the settings EMBEDDER_…; docs/memory.md explains them.')
  } finally {
    await embedder?.close()
  }
}
