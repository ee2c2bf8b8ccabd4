import { expect, test } from 'vitest'
import { EmbedderError } from '../../platform/embedder/embedder.ts'
import { checkEmbedder } from './check-embedder.ts'

test.each([
  ['that refuses the texts', () => Promise.reject(new EmbedderError('refused-input', 'too long')), 'failure'],
  ['that works', (texts: string[]) => Promise.resolve(texts.map(() => Float32Array.of(1))), 'ok'],
])('a model %s is closed', async (_, embed, status) => {
  let open = 0
  const finding = await checkEmbedder(async () => {
    open++
    return { model: 'm', embed, close: async () => void open-- }
  })
  expect([finding.status, open]).toEqual([status, 0])
})
