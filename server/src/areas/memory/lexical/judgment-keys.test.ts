import fc from 'fast-check'
import { expect, test } from 'vitest'
import { keyOf } from '../../../platform/id.ts'
import { JudgmentKeys } from './judgment-keys.ts'
import { packUuids } from './packed-uuids.ts'

const id = fc.nat(30).map((n) => keyOf(`id ${n}`))
const step = fc.oneof(
  id.map((added) => ({ added: [added], isPacked: false })),
  fc.uniqueArray(id, { maxLength: 8 }).map((added) => ({ added, isPacked: true })),
  id.map((removed) => ({ removed })),
)

test('each row keeps its key, and each key has the row that was added last, until it is removed', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const keys = new JudgmentKeys()
      const rows: string[] = []
      const held = new Map<string, number>()
      for (const each of steps) {
        if ('removed' in each) {
          expect(keys.remove(each.removed)).toBe(held.get(each.removed))
          held.delete(each.removed)
          continue
        }
        if (each.isPacked) keys.addMany(packUuids(each.added))
        else for (const one of each.added) expect(keys.add(one)).toBe(rows.length)
        for (const one of each.added) held.set(one, rows.push(one) - 1)
      }
      expect([keys.count, keys.live]).toEqual([rows.length, held.size])
      expect(rows.map((_, row) => keys.keyAt(row))).toEqual(rows)
      for (let n = 0; n < 31; n++) expect(keys.rowOf(keyOf(`id ${n}`))).toBe(held.get(keyOf(`id ${n}`)))
    }),
  )
})

test('keys whose first bits are the same are told apart, also when the table grows over its end', () => {
  const made = Array.from({ length: 200 }, (_, n) => `ffffffff-0000-4000-8000-${n.toString(16).padStart(12, '0')}`)
  const keys = new JudgmentKeys()
  keys.addMany(packUuids(made))
  expect(made.map((each) => keys.rowOf(each))).toEqual(made.map((_, row) => row))
  expect(keys.remove(made[7] ?? '')).toBe(7)
  expect([keys.rowOf(made[7] ?? ''), keys.rowOf(made[8] ?? ''), keys.add(made[7] ?? '')]).toEqual([undefined, 8, 200])
  expect(keys.live).toBe(200)
})

test('what is no UUID is refused', () => {
  expect(() => new JudgmentKeys().add('r1')).toThrow('r1 is no UUID.')
})
