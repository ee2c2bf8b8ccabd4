import { expect, test } from 'vitest'
import { DatabaseError, DatabaseUnavailable, type Db } from '../../../platform/db/db.ts'
import { createLog } from '../../../platform/log.ts'
import { preparePgvector } from './pgvector.ts'

/** Prepares the extension in a database that fails so, and returns what was logged. */
async function prepare(error: Error): Promise<string[]> {
  const lines: string[] = []
  const log = createLog({ logLevel: 'info' }, { write: (line) => void lines.push(JSON.parse(line).msg) })
  const db: Db = { query: () => Promise.reject(error) }
  await preparePgvector(db, log)
  return lines
}

test('an extension that may not be created is told, and vectors are compared without it', async () => {
  expect(await prepare(new DatabaseError('permission denied', '42501', undefined))).toEqual([
    'the extension vector was not created; vectors are compared in this process alone',
  ])
})

test('a database that is away says nothing of the extension, so it is asked again', async () => {
  await expect(prepare(new DatabaseUnavailable('down'))).rejects.toThrow('down')
})
