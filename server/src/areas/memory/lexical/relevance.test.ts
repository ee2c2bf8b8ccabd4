import { describe, expect, test } from 'vitest'
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
  index.upsert({ ...rest, recordId: keyOf(name), decision: 'approve', judgeType: 'human', reasoning: '', content })
}

describe('ranking', () => {
  test.each(QUESTIONS)('%s', (query, [best = '']) => {
    const { hits } = index.search({ field: 'content', query, scope: {}, limit: 5 })
    expect(hits[0]?.recordId).toBe(keyOf(best))
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
