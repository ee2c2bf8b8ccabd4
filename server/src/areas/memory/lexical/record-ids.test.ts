import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packedStrings } from '../words/stem-bytes.ts'
import { RecordIds } from './record-ids.ts'

const id = fc.nat(30).map((n) => `id ${n} é`)
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
        if (each.isPacked) ids.addMany(packedStrings(each.added))
        else for (const one of each.added) expect(ids.add(one)).toBe(rows.length)
        for (const one of each.added) held.set(one, rows.push(one) - 1)
      }
      expect([ids.count, ids.live]).toEqual([rows.length, held.size])
      expect(rows.map((_, row) => ids.idOf(row))).toEqual(rows)
      for (let n = 0; n < 31; n++) expect(ids.rowOf(`id ${n} é`)).toBe(held.get(`id ${n} é`))
    }),
  )
})
