import fc from 'fast-check'
import { expect, test } from 'vitest'
import { keyOf } from '../../../platform/id.ts'
import { JudgmentTable } from '../lexical/judgment-table.ts'
import { RowMap } from './row-map.ts'

const PLACES = 6
const number = fc.nat({ max: PLACES - 1 })
const step = fc.record({
  does: fc.constantFrom('add', 'remove', 'put', 'free', 'replace the table'),
  key: number.map((i) => keyOf(`k${i}`)),
  place: number,
  decision: fc.constantFrom('approve', 'comment'),
})

test('a filter that stands admits the same places as one that is scanned, whatever has changed since it was asked', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const map = new RowMap()
      const places = new Map<string, number>()
      let table = new JudgmentTable()
      const add = (key: string, decision: string) => {
        const none = { organization: null, document: null, contentType: null, reviewerId: null }
        table.remove(key)
        table.add({ key, decision, judgeType: 'human', createdAt: 0, ...none })
      }
      const free = (place: number) => {
        map.remove(place)
        for (const [key, at] of places) if (at === place) places.delete(key)
      }
      for (const { does, key, place, decision } of steps) {
        if (does === 'add') add(key, decision)
        if (does === 'remove') table.remove(key)
        if (does === 'free') free(place)
        if (does === 'put' && !places.has(key)) {
          free(place)
          map.put(place, key)
          places.set(key, place)
        }
        if (does === 'replace the table') table = new JudgmentTable()
        map.align(table, places, PLACES * 20)
        for (const filter of [table.admit({}), table.voters({})]) {
          const { isStanding, ...scanned } = filter
          expect(isStanding).toBe(true)
          expect(map.admitted(filter, PLACES)).toEqual(map.admitted(scanned, PLACES))
        }
      }
    }),
  )
})
