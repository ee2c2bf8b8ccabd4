import { createHook } from 'node:async_hooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashPassword, verifyPassword } from './password.ts'

/** The jobs of scrypt that have begun and not ended, and how many there were at most. */
const jobs = new Set<number>()
let most = 0
const watch = createHook({
  init(id, type) {
    if (type === 'SCRYPTREQUEST') most = Math.max(most, jobs.add(id).size)
  },
  after: (id) => void jobs.delete(id),
})
beforeAll(() => void watch.enable())
afterAll(() => void watch.disable())

describe('passwords', () => {
  test('are hashed and compared two at a time, so that files find a thread', async () => {
    const hashes = await Promise.all(['one', 'two', 'three', 'four'].map(hashPassword))
    const matches = await Promise.all(hashes.map((hash) => verifyPassword('three', hash)))
    expect(matches).toEqual([false, false, true, false])
    expect(most).toBe(2)
  })

  test('never match where none is stored', async () => {
    expect(await verifyPassword('', null)).toBe(false)
  })
})
