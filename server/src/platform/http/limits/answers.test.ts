import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { Answers, admitReader } from './answers.ts'

// What answers a key for the first time weighs 4.
const limits = { weight: 12, weightPerKey: 8, bytes: 100, bytesPerKey: 60, patienceMs: 50 }

test('a key has at most its share of the answers that are made at a time', async () => {
  const answers = new Answers(limits)
  const [first] = [await answers.admit('a', 'read'), await answers.admit('a', 'read')]
  const third = answers.admit('a', 'read')
  expect(answers.state.waiting).toBe(1)
  await (await answers.admit('b', 'read')).end()
  first.made(0)
  first.end()
  await (await third).end()
})

test('what is made and not taken counts until its end', async () => {
  const answers = new Answers(limits)
  const admission = await answers.admit('a', 'read')
  admission.made(60)
  expect(answers.state.bytes).toBe(60)
  await expect(answers.admit('a', 'read')).rejects.toMatchObject({ status: 'RESOURCE_EXHAUSTED' })
  admission.end()
  admission.end()
  expect(answers.state.bytes).toBe(0)
  await (await answers.admit('a', 'read')).end()
})

test('a full process refuses keys that hold nothing with UNAVAILABLE', async () => {
  const answers = new Answers(limits)
  for (const key of ['a', 'b']) (await answers.admit(key, 'read')).made(50)
  await expect(answers.admit('c', 'read')).rejects.toMatchObject({ status: 'UNAVAILABLE' })
})

test('those that wait start in their order, past keys that have no room', async () => {
  const answers = new Answers(limits)
  const held = [await answers.admit('a', 'read'), await answers.admit('a', 'read'), await answers.admit('b', 'read')]
  const order: string[] = []
  const waiting = ['a', 'b', 'c'].map(async (key, i) => {
    const admission = await answers.admit(key, 'read')
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
  const first = await answers.admit('a', 'read')
  first.made(10 ** 6)
  first.end()
  const large = [await answers.admit('a', 'read'), await answers.admit('a', 'read')]
  const third = answers.admit('a', 'read')
  expect(answers.state.waiting).toBe(1)
  large[0]?.end()
  await (await third).end()
  await (await answers.admit('a', 'other')).end()
})

test('an answer whose reader left while it was made holds nothing', async () => {
  const answers = new Answers(limits)
  const admission = await answers.admit('a', 'read')
  admission.end()
  admission.made(60)
  expect(answers.state.bytes).toBe(0)
  await (await answers.admit('a', 'read')).end()
})

test('a reader that leaves while its request waits for a turn takes no place', async () => {
  const answers = new Answers(limits)
  const held = [await answers.admit('a', 'read'), await answers.admit('a', 'read')]
  const reader = new EventEmitter()
  const left = admitReader(answers, reader, { key: 'a', operation: 'read' })
  reader.emit('close')
  for (const admission of held) admission.end()
  await expect(left).rejects.toMatchObject({ status: 'UNAVAILABLE' })
  for (const admission of [await answers.admit('a', 'read'), await answers.admit('a', 'read')]) admission.end()
  expect(answers.state).toEqual({ bytes: 0, waiting: 0 })
})

test('the answer of a reader counts until its connection is closed', async () => {
  const answers = new Answers(limits)
  const reader = new EventEmitter()
  const admission = await admitReader(answers, reader, { key: 'a', operation: 'read' })
  admission.made(40)
  expect(answers.state.bytes).toBe(40)
  reader.emit('close')
  expect(answers.state.bytes).toBe(0)
})
