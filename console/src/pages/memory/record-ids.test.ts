import { expect, test } from 'vitest'
import { recordIds } from './record-ids.ts'

test('a text has the same id in each import, and each repetition in a file has its own', async () => {
  const first = recordIds()
  // As `printf '{"decision":"approve"}' | sha256sum` says.
  const id = 'act_2ddd116c830744f5435c7391895c5849'
  expect(await first('{"decision":"approve"}\r')).toBe(id)
  const ids = [await first('{"decision":"approve"}'), await first('{"decision":"reject"}')]
  const second = recordIds()
  expect([await second('{"decision":"approve"}'), await second('{"decision":"approve"}')][1]).toBe(ids[0])
  expect(ids[0]).toMatch(/^act_[0-9a-f]{32}_2$/)
  expect(ids[1]).toMatch(/^act_[0-9a-f]{32}$/)
})
