import { expect, test } from 'vitest'
import { BUCKETS, BucketWeights } from './hashed-words.ts'
import type { Head } from './head.ts'
import { packHead, unpackHead } from './pack-head.ts'
import { priorStack } from './stack.ts'

const stack = priorStack(['wordModel'])
const head: Head = {
  models: {
    weights: new BucketWeights(Float32Array.from({ length: BUCKETS }, (_, i) => i / 7)),
    words: new Float32Array(BUCKETS).fill(0.25),
    vectors: { model: 'm', weights: Float32Array.of(1, -2, 3) },
  },
  stacks: { words: stack, 'words+vectors': stack, 'words+author': stack, 'words+vectors+author': stack },
  gates: {
    vectors: {
      ...{ model: 'm', least: -1.5, shorter: [{ words: 8, least: -2 }] },
      spread: { words: { mean: 0.2, deviation: 0.1 }, vectors: { mean: 0.4, deviation: 0.1 } },
    },
    words: null,
  },
  trust: 0.5,
  drift: { forecasts: 60, promised: 0.8, kept: 0.6 },
  recent: { approvals: 1.5, rejections: 2, at: 7 },
  fittedTo: { approvals: 3, rejections: 4 },
  measured: { forecasts: 9, accuracy: 0.7, auc: 0.6, ece: 0.1, brier: 0.2, majority: 0.6 },
}

test('a head is packed and unpacked without a loss', async () => {
  expect(await unpackHead(await packHead(head))).toEqual(head)
  const withoutVectors = { ...head, gates: { words: null, vectors: null }, models: { ...head.models, vectors: null } }
  expect(await unpackHead(await packHead(withoutVectors))).toEqual(withoutVectors)
})

test('other bytes are refused', async () => {
  await expect(unpackHead(Buffer.from('nothing of that kind'))).rejects.toThrow()
})
