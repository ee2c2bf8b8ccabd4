import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createLexicalIndex } from '../lexical/lexical-index.ts'
import { fitsByWords } from './fit.ts'

const ARABIC = [
  'العقد لا يحدد مدة الإشعار بالإلغاء',
  'العنوان طويل جدا ولا يقول شيئا',
  'الجدول الزمني غير واقعي ولا يوجد هامش',
  'المورد تأخر في التسليم مرتين',
  'خطأ في رقم الصفحة',
]

test.each([
  ['العقد بدون مدة الإلغاء', true],
  ['لماذا السماء زرقاء في النهار', false],
])('among Arabic judgments, %s fits: %s', (query, fits) => {
  const index = createLexicalIndex()
  const judged = { organization: null, document: null, judgeType: 'human', contentType: null, reviewerId: null }
  for (const reasoning of ARABIC) {
    index.upsert({ ...judged, key: randomUUID(), decision: 'reject', createdAt: 0, reasoning, content: '' })
  }
  const { hits } = index.search({ field: 'review', query, scope: {}, limit: 5 })
  expect(hits.length).toBeGreaterThan(0)
  expect(fitsByWords(query, hits, ARABIC.length)).toBe(fits)
})
