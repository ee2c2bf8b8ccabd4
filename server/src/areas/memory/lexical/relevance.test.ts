import { describe, expect, test } from 'vitest'
import { exactSearch } from '../../../../test/exact-search.ts'
import { keyOf } from '../../../platform/id.ts'
import { createLexicalIndex } from './lexical-index.ts'

// A small collection: the queries of a reviewer, and the judgment that a person would look at first.
const JUDGMENTS: Record<string, string> = {
  refund30: 'Customers may return goods within thirty days and get their money back.',
  refundNever: 'All sales are final; we do not refund digital downloads.',
  logoStretch: 'The company logo is stretched and sits too close to the headline.',
  logoOld: 'This banner still shows the old brand mark from before the merger.',
  claimBest: 'Our toothpaste is clinically proven to be the best in the world.',
  claimStudy: 'Nine of ten dentists recommend it, according to our 2023 study.',
  toneHarsh: 'Dear user, you failed to pay. Pay now or lose your account.',
  toneWarm: 'We noticed your payment did not go through. Here is how to fix it.',
  privacyShare: 'We share personal data with partners for advertising purposes.',
  privacyCookies: 'The cookie banner has no button to decline tracking.',
  altText: 'Images on the landing page have no alternative text for screen readers.',
  contrast: 'Light grey text on white fails the contrast required for accessibility.',
  pricingHidden: 'The subscription price appears only after the card number is entered.',
  pricingVat: 'Prices are shown without value added tax to consumers.',
  releaseFriday: 'The migration is planned for Friday evening without a rollback plan.',
  releaseFlag: 'The feature is released behind a flag to five percent of accounts.',
  japanesePrice: '価格が高すぎるため、割引を検討してください。',
  germanPrivacy: 'Die Datenschutzerklärung nennt keine Rechtsgrundlage für das Tracking.',
}

const QUESTIONS: [string, string[]][] = [
  ['Can a customer return a product and be refunded?', ['refund30', 'refundNever']],
  ['stretched logos near headlines', ['logoStretch']],
  ['old branding on a banner', ['logoOld']],
  ['clinically proven health claims', ['claimBest']],
  ['recommended by dentists', ['claimStudy']],
  ['users who lose their account when they do not pay', ['toneHarsh']],
  ['how to fix a failed payment', ['toneWarm', 'toneHarsh']],
  ['sharing personal data with advertising partners', ['privacyShare']],
  ['cookie consent without declining', ['privacyCookies']],
  ['missing alternative texts of images', ['altText']],
  ['text with low contrast, accessible colours', ['contrast']],
  ['price of subscriptions shown late', ['pricingHidden']],
  ['are prices with tax?', ['pricingVat']],
  ['migrations on a friday', ['releaseFriday']],
  ['feature flags for a few accounts', ['releaseFlag']],
  ['割引価格', ['japanesePrice']],
  ['Rechtsgrundlagen des Trackings', ['germanPrivacy']],
  ['accessibilty of contrasts', ['contrast']],
]

const index = createLexicalIndex()
for (const [name, content] of Object.entries(JUDGMENTS)) {
  const rest = { organization: null, document: null, contentType: null, reviewerId: null, createdAt: 0 }
  index.upsert({ ...rest, key: keyOf(name), decision: 'approve', judgeType: 'human', reasoning: '', content })
}

describe('ranking', () => {
  test.each(QUESTIONS)('%s', (query, [best = '']) => {
    const { hits } = index.search({ field: 'content', query, scope: {}, limit: 5 })
    expect(hits[0]?.key).toBe(keyOf(best))
  })

  test('a question about nothing that was decided stays far below one that was', () => {
    const similarity = (query: string) =>
      index.search({ field: 'content', query, scope: {}, limit: 1 }).hits[0]?.similarity ?? 0
    const relevant = Math.min(...QUESTIONS.map(([query]) => similarity(query)))
    for (const query of [
      'boundary layer of a hypersonic wing',
      'recipe for sourdough bread',
      'galaxy clusters in the early universe',
    ]) {
      expect(similarity(query)).toBeLessThan(relevant)
    }
  })
})

describe('a collection in another language than English', () => {
  const CONTENTS = [
    'Die Behauptung auf der Startseite hat keine Quelle und sollte mit einer Studie belegt werden.',
    'Der Text ist für die Leser zu lang, und die Überschrift nennt den Vorteil nicht.',
    'Das Bild auf der Startseite hat keinen Alternativtext, der von Vorlesegeräten gelesen werden kann.',
    'Der Preis wird erst angezeigt, wenn die Kartennummer eingegeben ist.',
    'Die Datenschutzerklärung nennt keine Rechtsgrundlage für das Tracking auf den Seiten.',
    'Das Logo ist verzerrt und steht zu dicht an der Überschrift.',
    'Die Schaltfläche nennt nicht, was nach dem Klick geschieht.',
    'Der Kontrast zwischen der Schrift und dem Hintergrund ist für die Barrierefreiheit zu gering.',
  ]
  const judgments = CONTENTS.map((content, i) => ({
    ...{ organization: null, document: null, contentType: null, reviewerId: null, createdAt: i },
    ...{ key: keyOf(`de${i}`), decision: 'reject', judgeType: 'human', reasoning: '', content },
  }))
  const german = createLexicalIndex()
  for (const judgment of judgments) german.upsert(judgment)
  const nearest = (query: string) =>
    Math.max(0, ...german.neighbours(query, {}).votes.map(({ similarity }) => similarity))

  test('is compared by what is rare in that language', () => {
    const related = nearest('Für die Barrierefreiheit ist der Kontrast der Schriften zu gering.')
    const unrelated = nearest('Der Bürgermeister und die Gemeinde sind nicht der Ansicht, dass das Wetter zu kalt ist.')
    expect(unrelated).toBeLessThan(0.12)
    expect(related).toBeGreaterThan(3 * unrelated)
  })

  test.each([['Kontrast der Schrift'], ['ist die Rechtsgrundlage genannt?'], ['Alternativtexte der Bilder']])(
    'is searched as reading every judgment would, for %s',
    (query) => {
      const asked = { field: 'content', query, scope: {}, limit: 8 } as const
      const expected = exactSearch(judgments, asked).hits
      expect(german.search(asked).hits).toEqual(
        expected.map(({ key, similarity }) => ({ key, similarity: expect.closeTo(similarity, 4) })),
      )
    },
  )
})
