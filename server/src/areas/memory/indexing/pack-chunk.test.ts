import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { keyOf } from '../../../platform/id.ts'
import { FUNCTION_WORDS } from '../words/function-words.ts'
import { PRIOR_FREQUENCY_TABLE } from '../words/prior-frequency-table.ts'
import { ChunkBuilder } from './chunk.ts'
import { CHUNK_FORM, pack, unpack } from './pack-chunk.ts'

test('other tables of frequencies have another form of chunks, which store their levels', () => {
  const tables = JSON.stringify([PRIOR_FREQUENCY_TABLE, FUNCTION_WORDS])
  const table = createHash('sha256').update(tables).digest('hex').slice(0, 16)
  expect({ form: CHUNK_FORM.form, table }).toEqual({ form: 9, table: '3d2c024fcedf3040' })
})

test('a chunk without a level for each stem is refused', async () => {
  const builder = new ChunkBuilder()
  const row = { organization: null, document: null, judgeType: 'human', contentType: null, reviewerId: null }
  await builder.add([
    { ...row, key: keyOf('k'), decision: 'approve', createdAt: 1, reasoning: 'The tone fits.', content: '' },
  ])
  const chunk = builder.build()
  expect(unpack(pack(chunk))).toEqual(chunk)
  const levels = chunk.stems.levels.slice(1)
  expect(() => unpack(pack({ ...chunk, stems: { ...chunk.stems, levels } }))).toThrow('not one level for each stem')
})
