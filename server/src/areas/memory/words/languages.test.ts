import { expect, test } from 'vitest'
import { commonestStems, commonProbability, type Language, languageOf, likenessIn } from './languages.ts'
import { stemsOf } from './tokenize.ts'

/** The share of some texts that hold a stem. */
function sharesOf(texts: string[]): (stem: string) => number {
  const stems = texts.map((text) => new Set(stemsOf(text)))
  return (stem) => stems.filter((each) => each.has(stem)).length / texts.length
}

const TEXTS: [Language, string[]][] = [
  [
    'en',
    [
      'The claim has no source, and the budget is not explained.',
      'I would ask the author for a date, because this is too vague.',
      'Die casting is a process that the team knows well.',
    ],
  ],
  [
    'de',
    [
      'Die Behauptung hat keine Quelle, und das Budget wird nicht erklärt.',
      'Ich würde den Autor nach einem Datum fragen, weil es so zu ungenau ist.',
      'Der Text ist für die Leser zu lang und sollte gekürzt werden.',
    ],
  ],
  [
    'fr',
    [
      "L'affirmation n'a pas de source et le budget n'est pas expliqué.",
      'Je demanderais une date à l’auteur, car ce texte est trop vague.',
      'La page est claire pour les lecteurs, mais elle est un peu longue.',
    ],
  ],
  [
    'es',
    [
      'La afirmación no tiene fuente y el presupuesto no se explica.',
      'Le pediría una fecha al autor, porque es demasiado vago para los lectores.',
      'El texto de la página es claro, pero un poco largo.',
    ],
  ],
  [
    'ru',
    [
      'У этого утверждения нет источника, и бюджет не объяснён.',
      'Я бы спросил автора о сроках, потому что это слишком расплывчато.',
      'Текст понятен для читателей, но его можно сократить.',
    ],
  ],
  ['ar', ['العنوان طويل جدا ولا يقول شيئا عن هذا المنتج.', 'الجدول الزمني غير واقعي في هذا المشروع.']],
  ['fa', ['این تصویر برای صفحه اصلی خیلی تاریک است.', 'در این قرارداد مهلت پرداخت را نمی بینیم.']],
  [
    'ja',
    ['この主張には出典がありません。予算も説明されていません。', '日付を著者に聞いてください。曖昧すぎるからです。'],
  ],
  [
    'zh',
    ['这个说法没有来源,预算也没有解释。', '我会问作者一个日期,因为这样太模糊了。', '文字很清楚,但是有点长,可以缩短。'],
  ],
]

test.each(TEXTS)('reviews in %s are known by their commonest words', (language, texts) => {
  expect(languageOf(sharesOf(texts))).toBe(language)
})

test('a few quotes in another language do not make a language of English reviews', () => {
  const english = TEXTS[0]?.[1] ?? []
  const german = TEXTS[1]?.[1] ?? []
  expect(languageOf(sharesOf([...english, ...english, ...english, ...german]))).toBe('en')
})

test('English in few words stays English, though another language has one of them in every text', () => {
  const terse = [
    'Tell what a text is',
    'Add a menu at the top',
    'Fix login bug',
    'Is a logo missing?',
    'New pricing page',
  ]
  expect(languageOf(sharesOf(terse))).toBe('en')
  expect(languageOf(sharesOf(terse.slice(0, 1)))).toBe('en')
})

test('what holds words of no known language is taken for English, as is nothing', () => {
  expect(languageOf(sharesOf(['xyzzy plugh', 'qwrtz 4711']))).toBe('en')
  expect(languageOf(() => 0)).toBe('en')
})

test('each language has as many words, which are the commonest first', () => {
  for (const [language, stems] of commonestStems()) {
    expect([language, stems.size]).toEqual([language, 300])
    const probabilities = [...stems.values()]
    expect(probabilities).toEqual(probabilities.toSorted((a, b) => b - a))
    expect(probabilities[0]).toBeLessThan(1)
  }
})

test('the probability of a word is that of the language that has it most', () => {
  expect(commonProbability('und')).toBeGreaterThan(0.5)
  expect(commonProbability('de')).toBe(Math.max(...[...commonestStems().values()].map((stems) => stems.get('de') ?? 0)))
  expect(commonProbability('zzyzx')).toBe(0)
})

test('what texts share counts the more, the more endings their words keep', () => {
  expect(likenessIn('en')).toBe(1)
  expect(likenessIn('it')).toBeGreaterThan(1)
  expect(likenessIn('ru')).toBeGreaterThan(likenessIn('it'))
})
