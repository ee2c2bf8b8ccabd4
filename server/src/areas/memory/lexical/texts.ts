import { type PackedStems, Vocabulary, type VocabularyParts } from '../words/vocabulary.ts'
import { type FieldParts, FieldTexts } from './field-texts.ts'
import { numbering } from './postings.ts'
import type { EncodedTexts } from './segment.ts'

/** The texts of judgments as they are searched by words. */
export interface Texts {
  vocabulary: Vocabulary
  review: FieldTexts
  content: FieldTexts
}

/** Texts without their words. Stems have numbers of their own: their places in `stems`. */
export interface ChunkTexts {
  stems: PackedStems
  review: EncodedTexts
  content: EncodedTexts
}

/** What `Texts` hold, in arrays that another thread can take over. */
export interface TextsParts {
  vocabulary: VocabularyParts
  review: FieldParts
  content: FieldParts
}

/** Texts without any judgment; their stems get numbers of the vocabulary. */
export const emptyTexts = (vocabulary = new Vocabulary()): Texts => ({
  vocabulary,
  review: new FieldTexts(vocabulary),
  content: new FieldTexts(vocabulary),
})

/** Stems that are added in one step: some 20 milliseconds. A chunk of usual texts has about as many. */
const STEMS_PER_STEP = 100_000

/**
 * Adds texts, a part with each step. Nothing else must change them meanwhile. They are stale until they are weighed.
 */
export function* addTexts({ vocabulary, review, content }: Texts, chunk: ChunkTexts): Generator<void> {
  const count = chunk.stems.ends.length
  const numbers = new Uint32Array(count)
  for (let first = 0; first < count; first += STEMS_PER_STEP) {
    vocabulary.idsOf(chunk.stems, numbers, first, Math.min(first + STEMS_PER_STEP, count))
    yield
  }
  const byNumber = numbering(numbers)
  review.addEncoded(chunk.review, byNumber)
  yield
  content.addEncoded(chunk.content, byNumber)
}

/** Gives texts that were added their weights, some with each step. */
export function* weighTexts({ review, content }: Texts): Generator<void> {
  while (review.reweighStep() || content.reweighStep()) yield
}

/** What weighed texts hold but for 3-grams, which are made again. The texts must not be used any more. */
export const partsOf = ({ vocabulary, review, content }: Texts): TextsParts => ({
  vocabulary: vocabulary.parts(),
  review: review.parts(),
  content: content.parts(),
})

/** The texts that `partsOf` took apart. */
export function textsFrom(parts: TextsParts): Texts {
  const vocabulary = Vocabulary.from(parts.vocabulary)
  return {
    vocabulary,
    review: FieldTexts.from(vocabulary, parts.review),
    content: FieldTexts.from(vocabulary, parts.content),
  }
}

/** Memory that the texts take, in bytes. */
export const bytesOfTexts = ({ vocabulary, review, content }: Texts): number =>
  vocabulary.bytes + review.bytes + content.bytes
