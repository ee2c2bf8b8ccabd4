import fc from 'fast-check'
import { expect, test } from 'vitest'
import { keyOf } from '../../../platform/id.ts'
import { packUuids } from './packed-uuids.ts'
import { RecordIds } from './record-ids.ts'

const id = fc.nat(30).map((n) => keyOf(`id ${n}`))
const step = fc.oneof(
  id.map((added) => ({ added: [added], isPacked: false })),
  fc.uniqueArray(id, { maxLength: 8 }).map((added) => ({ added, isPacked: true })),
  id.map((removed) => ({ removed })),
)

test('each row keeps its id, and each id has the row that was added last, until it is removed', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const ids = new RecordIds()
      const rows: string[] = []
      const held = new Map<string, number>()
      for (const each of steps) {
        if ('removed' in each) {
          expect(ids.remove(each.removed)).toBe(held.get(each.removed))
          held.delete(each.removed)
          continue
        }
        if (each.isPacked) ids.addMany(packUuids(each.added))
        else for (const one of each.added) expect(ids.add(one)).toBe(rows.length)
        for (const one of each.added) held.set(one, rows.push(one) - 1)
      }
      expect([ids.count, ids.live]).toEqual([rows.length, held.size])
      expect(rows.map((_, row) => ids.idOf(row))).toEqual(rows)
      for (let n = 0; n < 31; n++) expect(ids.rowOf(keyOf(`id ${n}`))).toBe(held.get(keyOf(`id ${n}`)))
    }),
  )
})

test('ids whose first bits are the same are told apart, also when the table grows over its end', () => {
  const made = Array.from({ length: 200 }, (_, n) => `ffffffff-0000-4000-8000-${n.toString(16).padStart(12, '0')}`)
  const ids = new RecordIds()
  ids.addMany(packUuids(made))
  expect(made.map((each) => ids.rowOf(each))).toEqual(made.map((_, row) => row))
  expect(ids.remove(made[7] ?? '')).toBe(7)
  expect([ids.rowOf(made[7] ?? ''), ids.rowOf(made[8] ?? ''), ids.add(made[7] ?? '')]).toEqual([undefined, 8, 200])
  expect(ids.live).toBe(200)
})

test('what is no UUID is refused', () => {
  expect(() => new RecordIds().add('r1')).toThrow('r1 is no UUID.')
})
