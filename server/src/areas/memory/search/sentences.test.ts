import { expect, test } from 'vitest'
import { sentencesOf } from './sentences.ts'

test('the end of what is read divides no character', () => {
  for (const odd of ['', 'Y']) {
    const text = `Z${'z'.repeat(1900)}. ${odd}Nearly the end ${'😀'.repeat(60)}.`
    const sentences = sentencesOf(text)
    expect(sentences.map(({ isWhole }) => isWhole)).toEqual([false, false])
    expect(sentences.every((sentence) => sentence.text.isWellFormed())).toBe(true)
  }
})
