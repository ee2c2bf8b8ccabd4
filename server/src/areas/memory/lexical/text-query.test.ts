import { expect, test } from 'vitest'
import { keyOf } from '../../../platform/id.ts'
import { createLexicalIndex } from './lexical-index.ts'

test('a stem of a query weighs the more the fewer texts hold it, and most if none does', () => {
  const index = createLexicalIndex()
  const place = { organization: null, document: null, reviewerId: null, contentType: null }
  for (const [id, content] of Object.entries({ a: 'xenon radon', b: 'xenon' })) {
    const judged = { decision: 'approve', judgeType: 'human', createdAt: 0, reasoning: '' }
    index.upsert({ ...place, ...judged, key: keyOf(id), content })
  }
  const weights = index.weights({ field: 'content', query: 'xenon radon krypton xenon' })
  expect([...weights].sort(([, a], [, b]) => a - b).map(([stem]) => stem)).toEqual(['xenon', 'radon', 'krypton'])
})
