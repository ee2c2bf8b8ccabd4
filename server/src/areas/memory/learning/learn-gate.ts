import { groupBy } from '../../../platform/bulk.ts'
import { restAfter } from '../../../platform/yield.ts'
import { CUT_LENGTHS, firstWords, type Gate, gateOf, type Nearness } from '../head/gate.ts'
import type { KnownModel, KnownPast } from './known-past.ts'
import type { PastJudgment } from './read-history.ts'

/** How many contents the gate is made from, whole and cut to each length. Of more, every n-th. */
const MOST_WHOLE = 1_000
const MOST_CUT = 300

/** A known content, with the judgments on it. */
interface Known {
  text: string
  vector: Float32Array
  same: PastJudgment[]
}

/**
 * Makes the gate from how near each known content is to the judgments of the others, and how near its first words are. All
 * are known by then: a content that was the first of its topic is not, after that, far from what is known. It rests as long
 * as it works.
 */
export async function* learnGate(
  past: KnownPast,
  judgments: PastJudgment[],
  { model, embed }: KnownModel,
): AsyncGenerator<void, Gate | null> {
  const contents = [...groupBy(judgments, ({ content }) => content)].flatMap(([text, same]) => {
    const vector = same[0]?.vectors.content
    return vector ? [{ text, vector, same }] : []
  })
  const whole = yield* nearnessOf(past, everyNth(contents, MOST_WHOLE))
  const cut: Nearness[][] = []
  for (const length of embed ? CUT_LENGTHS : []) {
    const longer = contents.flatMap(({ text, same }) => {
      const shorter = firstWords(text, length)
      return shorter.length < text.length ? [{ text: shorter, same }] : []
    })
    cut.push(yield* nearnessOf(past, await embedded(everyNth(longer, MOST_CUT), embed)))
  }
  return gateOf(model, whole, cut)
}

async function* nearnessOf(past: KnownPast, contents: Known[]): AsyncGenerator<void, Nearness[]> {
  const near: Nearness[] = []
  for (const { text, vector, same } of contents) {
    const since = performance.now()
    const nearness = await past.nearness({ text, vector }, same)
    if (nearness) near.push(nearness)
    await restAfter(since)
    yield
  }
  return near
}

async function embedded(contents: Omit<Known, 'vector'>[], embed: KnownModel['embed']): Promise<Known[]> {
  const vectors = (await embed?.(contents.map(({ text }) => text))) ?? []
  return contents.flatMap((content, i) => {
    const vector = vectors[i]
    return vector?.some((value) => value !== 0) ? [{ ...content, vector }] : []
  })
}

function everyNth<Each>(all: Each[], most: number): Each[] {
  const every = Math.ceil(all.length / most)
  return all.filter((_, i) => i % every === 0)
}
