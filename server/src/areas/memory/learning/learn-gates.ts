import { groupBy } from '../../../platform/bulk.ts'
import { restAfter } from '../../../platform/turns/yield.ts'
import { CUT_LENGTHS, firstWords, type Gates, gateOf, type Nearness } from '../head/gate.ts'
import { tellingVector } from '../vectors/telling-vector.ts'
import type { KnownModel, KnownPast } from './known-past.ts'
import type { PastJudgment } from './read-history.ts'

/** How many contents the gate is made from. Of more, every n-th. So many of these are cut to each length. */
const MOST_WHOLE = 1_000
const MOST_CUT = 300

/** A known content, or its first words. */
interface Known {
  text: string
  vector: Float32Array | null
  /** The judgments on it. */
  same: PastJudgment[]
}

/**
 * Makes the gates from how near each known content is to the judgments of the others, and how near its first words are.
 * All are known by then: a content that was the first of its topic is not, after that, far from what is known. It rests
 * as long as it works.
 */
export async function* learnGates(
  past: KnownPast,
  judgments: PastJudgment[],
  dense: KnownModel | undefined,
): AsyncGenerator<void, Gates> {
  const contents = [...groupBy(judgments, ({ content }) => content)]
  const chosen = everyNth(contents, MOST_WHOLE).map(([text, same]) => ({
    text,
    same,
    vector: same[0]?.vectors.content ?? null,
  }))
  const whole = yield* nearnessOf(past, chosen)
  const cut: Nearness[][] = []
  for (const length of CUT_LENGTHS) {
    const longer = chosen.flatMap(({ text, same }) => {
      const shorter = firstWords(text, length)
      return shorter.length < text.length ? [{ text: shorter, same }] : []
    })
    cut.push(yield* nearnessOf(past, await embedded(everyNth(longer, MOST_CUT), dense?.embed)))
  }
  const byVectors =
    dense &&
    gateOf(
      whole.filter(hasVectors),
      cut.map((each) => each.filter(hasVectors)),
    )
  return {
    words: gateOf(
      whole.map(byWords),
      cut.map((each) => each.map(byWords)),
    ),
    vectors: byVectors ? { ...byVectors, model: dense.model } : null,
  }
}

const hasVectors = ({ vectors }: Nearness) => vectors !== undefined
const byWords = ({ words }: Nearness): Nearness => ({ words, vectors: undefined })

async function* nearnessOf(past: KnownPast, contents: Known[]): AsyncGenerator<void, Nearness[]> {
  const near: Nearness[] = []
  for (const { same, ...content } of contents) {
    const since = performance.now()
    const nearness = await past.nearness(content, same)
    if (nearness) near.push(nearness)
    await restAfter(since)
    yield
  }
  return near
}

async function embedded(contents: Omit<Known, 'vector'>[], embed: KnownModel['embed']): Promise<Known[]> {
  const vectors = await embed?.(contents.map(({ text }) => text))
  return contents.map((content, i) => ({ ...content, vector: tellingVector(vectors?.[i]) }))
}

function everyNth<Each>(all: Each[], most: number): Each[] {
  const every = Math.ceil(all.length / most)
  return all.filter((_, i) => i % every === 0)
}
