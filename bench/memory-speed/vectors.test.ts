import { expect, test } from 'vitest'
import { recallOfTen } from './vectors.ts'

test('a search finds the nearest of a few vectors, as all of them are compared', async () => {
  expect(await recallOfTen(100)).toBe(1)
})
