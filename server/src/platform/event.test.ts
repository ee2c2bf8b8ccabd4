import { expect, test } from 'vitest'
import { newWorkspace, startService } from '../../test/running-service.ts'
import { raw, sql, type Transaction } from './db/db.ts'
import { createEmit, type PublicPayload, publicEvent } from './event.ts'

test('events are stored in statements of some 4 MB each, and subscribers see them all at once', async () => {
  const service = await startService()
  const { apiKey, id: workspaceId } = await newWorkspace(service)
  const sizes: number[] = []
  const recording = (db: Transaction): Transaction => ({
    send: db.send.bind(db),
    query(statement) {
      sizes.push(JSON.stringify(statement.values).length)
      return db.query(statement)
    },
  })
  const seen: number[] = []
  const react = async (_: unknown, payloads: unknown[]) => {
    seen.push(payloads.length)
  }
  const body = { text: 'x'.repeat(1024 * 1024) }
  const payload = { organizationId: 'acme', documentId: null, advanced: body, basic: body, processed: body }
  await service.database.transaction((db) => {
    const given = { db: recording(db), tenant: { apiKey, workspaceId }, enqueue: async () => {} }
    const emit = createEmit([{ type: null, react }], { ...service.app.services, ...given })
    return emit(publicEvent<PublicPayload>('comment.add'), [payload, payload, payload])
  })
  expect(sizes).toHaveLength(2)
  expect(Math.max(...sizes)).toBeLessThan(8 * 1024 * 1024)
  expect(seen).toEqual([3])
  const rows = await service.database.query(sql`select id from event where api_key = ${apiKey}`)
  expect(rows).toHaveLength(3)
})

/** Emits `count` events of 3 MB in a transaction, with a reaction to them. */
async function emitting(count: number, { organizationId, reaction }: { organizationId: string; reaction: string }) {
  const service = await startService()
  const { apiKey, id: workspaceId } = await newWorkspace(service)
  let attempts = 0
  const emitted = service.database.transaction((db) => {
    attempts++
    const react = async () => {
      await db.query(raw(reaction))
    }
    const tenant = { apiKey, workspaceId }
    const emit = createEmit([{ type: null, react }], { ...service.app.services, db, tenant, enqueue: async () => {} })
    const body = { text: 'x'.repeat(1024 * 1024) }
    const payload = { organizationId, documentId: null, advanced: body, basic: body, processed: body }
    return emit(publicEvent<PublicPayload>('comment.add'), Array(count).fill(payload))
  })
  const code = await emitted.then(
    () => undefined,
    (error: { code: string }) => error.code,
  )
  return { code, attempts }
}

// Not 25P02, the error of statements after a failed one.
test('an event that cannot be stored fails by its own error, though reactions to it are under way', async () => {
  expect(await emitting(1, { organizationId: 'acme\0', reaction: 'select 1' })).toEqual({ code: '22021', attempts: 1 })
})

test('a reaction that fails does so by its own error, and is tried again where that can help, whatever is still stored', async () => {
  const reaction = "do 'begin raise deadlock_detected; end'"
  for (const count of [1, 3]) {
    expect(await emitting(count, { organizationId: 'acme', reaction })).toEqual({ code: '40P01', attempts: 5 })
  }
})
