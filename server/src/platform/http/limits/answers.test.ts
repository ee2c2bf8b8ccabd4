import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { Answers, admitReader } from './answers.ts'

// What answers a key for the first time weighs 4.
const limits = { weight: 12, weightPerKey: 8, bytes: 100, bytesPerKey: 60, patienceMs: 50, slowMs: 1_000 }
const stay = () => {}

test('a key has at most its share of the answers that are made at a time', async () => {
  const answers = new Answers(limits)
  const [first] = [await answers.admit('a', 'read', stay), await answers.admit('a', 'read', stay)]
  const third = answers.admit('a', 'read', stay)
  expect(answers.state.waiting).toBe(1)
  await (await answers.admit('b', 'read', stay)).end()
  first.made(0)
  first.end()
  await (await third).end()
})

test('what is made and not taken counts until its end', async () => {
  const answers = new Answers(limits)
  const admission = await answers.admit('a', 'read', stay)
  admission.made(60)
  expect(answers.state.bytes).toBe(60)
  await expect(answers.admit('a', 'read', stay)).rejects.toMatchObject({ status: 'RESOURCE_EXHAUSTED' })
  admission.end()
  admission.end()
  expect(answers.state.bytes).toBe(0)
  await (await answers.admit('a', 'read', stay)).end()
})

test('a full process refuses keys that hold nothing with UNAVAILABLE', async () => {
  const answers = new Answers(limits)
  for (const key of ['a', 'b']) (await answers.admit(key, 'read', stay)).made(50)
  await expect(answers.admit('c', 'read', stay)).rejects.toMatchObject({ status: 'UNAVAILABLE' })
})

test('those that wait start in their order, past keys that have no room', async () => {
  const answers = new Answers({ ...limits, patienceMs: 1_000 })
  const held = [
    await answers.admit('a', 'read', stay),
    await answers.admit('a', 'read', stay),
    await answers.admit('b', 'read', stay),
  ]
  const order: string[] = []
  const waiting = ['a', 'b', 'c'].map(async (key, i) => {
    const admission = await answers.admit(key, 'read', stay)
    order.push(`${key}${i}`)
    return admission
  })
  held[2]?.end()
  await Promise.resolve()
  await expect.poll(() => order).toEqual(['b1'])
  for (const admission of [held[0], held[1]]) admission?.end()
  await Promise.all(waiting)
  expect(order).toEqual(['b1', 'a0', 'c2'])
})

test('what answered much lately weighs more: fewer of it are made at a time', async () => {
  const answers = new Answers({ ...limits, weight: 40, weightPerKey: 20, bytes: 10 ** 9, bytesPerKey: 10 ** 9 })
  const first = await answers.admit('a', 'read', stay)
  first.made(10 ** 6)
  first.end()
  const large = [await answers.admit('a', 'read', stay), await answers.admit('a', 'read', stay)]
  const third = answers.admit('a', 'read', stay)
  expect(answers.state.waiting).toBe(1)
  large[0]?.end()
  await (await third).end()
  await (await answers.admit('a', 'other', stay)).end()
})

test('an answer whose reader left while it was made holds nothing', async () => {
  const answers = new Answers(limits)
  const admission = await answers.admit('a', 'read', stay)
  admission.end()
  admission.made(60)
  expect(answers.state.bytes).toBe(0)
  await (await answers.admit('a', 'read', stay)).end()
})

test('a reader that leaves while its request waits for a turn takes no place', async () => {
  const answers = new Answers(limits)
  const held = [await answers.admit('a', 'read', stay), await answers.admit('a', 'read', stay)]
  const reader = new PassThrough()
  const left = admitReader(answers, reader, { key: 'a', operation: 'read' })
  reader.emit('close')
  for (const admission of held) admission.end()
  await expect(left).rejects.toMatchObject({ status: 'UNAVAILABLE' })
  for (const admission of [await answers.admit('a', 'read', stay), await answers.admit('a', 'read', stay)])
    admission.end()
  expect(answers.state).toEqual({ bytes: 0, waiting: 0 })
})

test('a reader that has left already takes no place', async () => {
  const answers = new Answers(limits)
  const reader = new PassThrough()
  reader.destroy()
  for (let times = 0; times < 3; times++) {
    const left = admitReader(answers, reader, { key: 'a', operation: 'read' })
    await expect(left).rejects.toMatchObject({ message: 'The caller has closed the connection.' })
  }
  await (await answers.admit('a', 'read', stay)).end()
})

test('the answer of a reader counts until its connection is closed', async () => {
  const answers = new Answers(limits)
  const reader = new PassThrough()
  const admission = await admitReader(answers, reader, { key: 'a', operation: 'read' })
  admission.made(40)
  expect(answers.state.bytes).toBe(40)
  reader.emit('close')
  expect(answers.state.bytes).toBe(0)
})

describe('where the readers of several keys take nothing', () => {
  const slow = { ...limits, patienceMs: 5_000, slowMs: 100 }

  test('the oldest answer of the key that holds the most is given up for a key that waits, before others of it', async () => {
    const answers = new Answers(slow)
    const left: string[] = []
    const hold = async (key: string, name: string, bytes: number) =>
      (await answers.admit(key, 'read', () => left.push(name))).made(bytes)
    await hold('a', 'a1', 25)
    await hold('b', 'b1', 30)
    await hold('b', 'b2', 25)
    await hold('a', 'a2', 20)
    const order: string[] = []
    const waiting = ['b', 'c'].map(async (key) => {
      const admission = await answers.admit(key, 'read', stay)
      order.push(key)
      return admission
    })
    await Promise.all(waiting)
    expect(left).toEqual(['b1'])
    expect(order).toEqual(['c', 'b'])
    expect(answers.state).toEqual({ bytes: 70, waiting: 0 })
  })

  test('an answer that is young, and one of a key that holds no more, stay', async () => {
    const answers = new Answers({ ...slow, patienceMs: 600 })
    const left: string[] = []
    const hold = async (key: string, bytes: number) =>
      (await answers.admit(key, 'read', () => left.push(key))).made(bytes)
    for (const key of ['a', 'b']) await hold(key, 50)
    await expect(answers.admit('a', 'read', stay)).rejects.toMatchObject({ status: 'UNAVAILABLE' })
    const patient = new Answers({ ...slow, patienceMs: 600, slowMs: 10_000 })
    for (const key of ['a', 'b']) (await patient.admit(key, 'read', () => left.push(key))).made(50)
    await expect(patient.admit('c', 'read', stay)).rejects.toMatchObject({ status: 'UNAVAILABLE' })
    expect(left).toEqual([])
  })
})
