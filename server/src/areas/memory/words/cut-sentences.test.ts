import { expect, test } from 'vitest'
import { cutSentences } from './cut-sentences.ts'

const cut = (text: string) => Array.from(cutSentences(text), ({ segment }) => segment.trim())

test.each([
  ['Bitte neu einreichen, z. B. als SVG-Datei. Das Logo ist unscharf.', 2],
  ['Siehe Nr. 4 Abs. 2 der Richtlinie vom 3. März 2024. Der Kontrast fehlt.', 2],
  ['Geprüft von Dr. Meier bzw. Frau Groß. Die Belege fehlen.', 2],
  ['Нет лицензии, т. е. Публикация невозможна. См. Правила.', 2],
  ['Voir p. ex. Le guide. Le logo est flou.', 2],
  ['Ask Mr. Smith. The plan is vague.', 2],
  ['ロゴが不鮮明です。代替テキストがありません。', 2],
  ['الشعار غير واضح. هل يوجد ترخيص؟ لا.', 3],
  ["No. They don't. It is art. The plan is vague.", 4],
  ['It was reached in 2024. The team is small.', 2],
])('%s has so many sentences: %i', (text, count) => {
  expect(cut(text)).toHaveLength(count)
})

test('the segments make up the text, and each knows where it stands', () => {
  const text = ' Am 3. März. \n\nZ. B. '
  const sentences = [...cutSentences(text)]
  expect(sentences.map(({ segment }) => segment).join('')).toBe(text)
  for (const { segment, index } of sentences) expect(text.slice(index).startsWith(segment)).toBe(true)
  expect([...cutSentences('')]).toEqual([])
})
