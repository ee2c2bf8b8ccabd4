import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { admitBody, Bodies } from './bodies.ts'

const KIBIBYTE = 1024
const limits = { bytes: 300 * KIBIBYTE, bytesPerKey: 200 * KIBIBYTE, patienceMs: 50, slowMs: 100 }
const LARGE = 100 * KIBIBYTE

const response = (destroyed = false) => Object.assign(new EventEmitter(), { destroyed })

test('a key holds at most its share of the bytes of large bodies, another key what is left', async () => {
  const bodies = new Bodies(limits)
  const first = await bodies.hold('a', LARGE)
  await bodies.hold('a', LARGE)
  await expect(bodies.hold('a', LARGE)).rejects.toMatchObject({ status: 'RESOURCE_EXHAUSTED' })
  await bodies.hold('b', LARGE)
  await expect(bodies.hold('c', LARGE)).rejects.toMatchObject({ status: 'UNAVAILABLE' })
  first()
  first()
  expect(bodies.state).toEqual({ bytes: 2 * LARGE, waiting: 0 })
})

test('a body that waits gets its turn when another ends', async () => {
  const bodies = new Bodies(limits)
  const releases = [await bodies.hold('a', LARGE), await bodies.hold('a', LARGE)]
  const third = bodies.hold('a', LARGE)
  expect(bodies.state.waiting).toBe(1)
  releases[0]?.()
  await third
  expect(bodies.state).toEqual({ bytes: 2 * LARGE, waiting: 0 })
})

test('a small body takes no turn', async () => {
  const bodies = new Bodies(limits)
  for (let n = 0; n < 100; n++) await bodies.hold('a', 60 * KIBIBYTE)
  expect(bodies.state.bytes).toBe(0)
})

test('a body that is larger than the limit is read alone', async () => {
  const bodies = new Bodies(limits)
  const release = await bodies.hold('a', 10 * limits.bytes)
  await expect(bodies.hold('b', LARGE)).rejects.toMatchObject({ status: 'UNAVAILABLE' })
  release()
  await bodies.hold('b', LARGE)
})

test('a body counts until its response closes, also where that happens while it waits', async () => {
  const bodies = new Bodies({ ...limits, patienceMs: 5_000 })
  const [stays, leaves] = [response(), response()]
  const arriving = { headers: { 'content-length': String(200 * KIBIBYTE) }, raw: { destroy: () => {}, complete: true } }
  const about = { key: 'a', maxBytes: 10 ** 6 }
  await admitBody(bodies, arriving, stays, about)
  const waiting = admitBody(bodies, arriving, leaves, about)
  leaves.emit('close')
  stays.emit('close')
  await expect(waiting).rejects.toMatchObject({ status: 'UNAVAILABLE' })
  expect(bodies.state).toEqual({ bytes: 0, waiting: 0 })
})

test('a body whose response has closed already does not count', async () => {
  const bodies = new Bodies(limits)
  const arriving = { headers: { 'content-length': String(LARGE) }, raw: { destroy: () => {}, complete: false } }
  const admitted = admitBody(bodies, arriving, response(true), { key: 'a', maxBytes: 10 ** 6 })
  await expect(admitted).rejects.toMatchObject({ status: 'UNAVAILABLE' })
  expect(bodies.state).toEqual({ bytes: 0, waiting: 0 })
})

test('a body that arrives slowly, of the key that holds the most, is given up for one that waits', async () => {
  const bodies = new Bodies({ ...limits, patienceMs: 5_000 })
  const ended: string[] = []
  const body = (name: string, complete = false) => ({ complete, destroy: () => ended.push(name) })
  await bodies.hold('a', LARGE, body('arrived', true))
  await bodies.hold('a', LARGE, body('oldest'))
  await bodies.hold('b', LARGE, body('of another'))
  await bodies.hold('c', LARGE, body('waits'))
  expect(ended).toEqual(['oldest'])
  expect(bodies.state).toEqual({ bytes: 3 * LARGE, waiting: 0 })
})
