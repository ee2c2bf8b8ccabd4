import { expect, test } from 'vitest'
import { type Gate, gateOf } from '../head/gate.ts'
import type { Head } from '../head/head.ts'
import type { Neighbour } from '../judgment/indexed-judgment.ts'
import { passesGate } from './learned-evidence.ts'

const known = Array.from({ length: 100 }, (_, i) => ({ words: 0.5 + i / 400, vectors: undefined }))
const head = { gates: { words: gateOf(known, []) as Gate, vectors: null } } as Head

const votes = (...similarities: number[]) => ({
  approvals: 9,
  rejections: 9,
  votes: similarities.map((similarity) => ({ similarity }) as Neighbour),
})

test('an item that was judged before is on topic, however far all others are', () => {
  expect(passesGate(head, 'Wanderstiefel', votes(0.96, 0.05, 0.04, 0.03, 0.02))).toBe(false)
  expect(passesGate(head, 'Wanderstiefel', votes(1, 0.05, 0.04, 0.03, 0.02))).toBe(true)
  expect(passesGate(head, 'Wanderstiefel', votes(0.9999999, 0.05, 0.04, 0.03, 0.02))).toBe(true)
})
