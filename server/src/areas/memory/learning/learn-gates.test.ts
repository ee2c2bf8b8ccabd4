import { expect, test } from 'vitest'
import { builtinEmbedder } from '../../../platform/embedder/builtin-embedder.ts'
import { type Gates, isOnTopic, wordCount } from '../head/gate.ts'
import { PROBES, similarityBaseline } from '../vectors/similarity-baseline.ts'
import { type KnownModel, KnownPast } from './known-past.ts'
import { learnGates } from './learn-gates.ts'
import type { PastJudgment } from './read-history.ts'

const SUBJECTS = 'bridge tunnel harbour viaduct causeway lock quay pier aqueduct dam'.split(' ')
const PARTS = 'bearings rivets girders cables anchorages pylons decks joints abutments piers'.split(' ')

/** A report of some 60 words on a structure. */
const report = (subject: string, part: string) =>
  [
    `The ${part} of the ${subject} were inspected after the winter floods.`,
    `Corrosion of the steel has reached a depth that the engineers call critical.`,
    `We propose to close one lane, to replace the ${part}, and to paint the ${subject} again.`,
    `The concrete of the foundations shows cracks, so a survey by divers must come first.`,
    `Loads of lorries above thirty tons are to be refused until the ${subject} is repaired.`,
  ].join(' ')

const REPORTS = SUBJECTS.flatMap((subject) => PARTS.map((part) => report(subject, part)))
const ON_TOPIC = [
  'replace the corroded girders',
  'cracks in the foundations of the pier',
  'inspect the cables of the viaduct',
  'paint the steel of the dam',
  'divers survey the quay',
  'close a lane of the tunnel to replace the joints',
  'refuse heavy lorries on the bridge',
  'rivets of the aqueduct after the floods',
]
/** What few judgments are on. */
const RECIPES = ['beans', 'lentils', 'chickpeas', 'barley', 'rice', 'millet'].map(
  (grain) =>
    `Soak the ${grain} overnight, then cook them slowly with bay leaves and garlic. Fry an onion in olive oil, stir it in, ` +
    `and season the ${grain} with salt, vinegar and parsley. Serve the pot with fresh bread.`,
)
const OFF_TOPIC = ['bake bread with sourdough', 'a song for two cellos', 'prune apple trees in spring']

/** After judgments on contents: tells whether a text passes the gate, by words and vectors or by words alone. */
async function knownBy(given: Partial<KnownModel>, by: keyof Gates, contents = REPORTS) {
  const embedder = await builtinEmbedder()
  const embed = (texts: string[]) => embedder.embed(texts, { purpose: 'background' })
  const probes = await embed(PROBES)
  const dense: KnownModel = {
    ...{ model: embedder.model, dimensions: probes[0]?.length ?? 0, baseline: similarityBaseline(probes, probes) },
    ...{ onlyFills: true, embed, ...given },
  }
  const vectors = await embed(contents)
  const past = new KnownPast(contents.length, dense)
  const judgments: PastJudgment[] = contents.map((content, i) => ({
    ...{ key: `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`, content, createdAt: i, reasoning: '' },
    ...{ decision: i % 2 ? 'approve' : 'reject', judgeType: 'human', contentType: null, reviewerId: null },
    ...{ organization: null, document: null, thread: null, author: null },
    vectors: { review: null, content: vectors[i] ?? null },
  }))
  for (const judgment of judgments) past.learn(judgment)
  const gate = (await ended(learnGates(past, judgments, dense)))[by]
  return async (text: string) => {
    const [vector = null] = by === 'vectors' ? await embed([text]) : []
    const near = await past.nearness({ text, vector }, [])
    return gate !== null && near !== undefined && isOnTopic(gate, near, wordCount(text))
  }
}

async function ended<Result>(steps: AsyncGenerator<void, Result>): Promise<Result> {
  for (;;) {
    const step = await steps.next()
    if (step.done) return step.value
  }
}

const passing = async (passes: (text: string) => Promise<boolean>, texts: string[]) =>
  (await Promise.all(texts.map(passes))).filter(Boolean).length

// A quarter of short items stay out, by words alone some more; of whole ones 8 %, by words alone 15.
test.each([
  { by: 'vectors', short: 6, whole: 92 },
  { by: 'words', short: 5, whole: 85 },
] as const)('a short item on the topic of long contents is on topic by $by', async ({ by, short, whole }) => {
  const passes = await knownBy({}, by)
  expect(await passing(passes, ON_TOPIC)).toBeGreaterThanOrEqual(short)
  expect(await passing(passes, OFF_TOPIC)).toBe(0)
  expect(await passing(passes, REPORTS)).toBeGreaterThanOrEqual(whole)
})

test.each(['vectors', 'words'] as const)('what few judgments are on beside many is on topic by %s', async (by) => {
  const passes = await knownBy({}, by, [...REPORTS, ...REPORTS, ...REPORTS, ...RECIPES])
  const [known = ''] = RECIPES
  expect(await passes(known.replaceAll('beans', 'quinoa'))).toBe(true)
  const other =
    'The orchestra plays a suite for two cellos on Sunday night, and a choir from the valley sings afterwards.'
  expect(await passes(other)).toBe(false)
})

test('where embedding costs a request, whole contents alone make the gate by vectors', async () => {
  const passes = await knownBy({ embed: undefined }, 'vectors')
  expect(await passing(passes, ON_TOPIC)).toBe(0)
  expect(await passing(passes, REPORTS)).toBeGreaterThan(90)
})
