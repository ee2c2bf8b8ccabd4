import { expect, test } from 'vitest'
import { SessionTurns } from './session-turns.ts'

/** An answer that is given by hand. */
function pending() {
  let give: (value: string) => void = () => {}
  let refuse: (error: Error) => void = () => {}
  const answer = new Promise<string>((resolve, reject) => {
    give = resolve
    refuse = reject
  })
  return { answer, give, refuse }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

/** Lets owners ask for turns, whose single orders are answered by hand. */
function orders() {
  let now = 0
  const turns = new SessionTurns(() => now)
  const sent: string[] = []
  const answers = new Map<string, ReturnType<typeof pending>>()
  const ask = async (owner: string, name: string) => {
    const passOn = await turns.take(owner)
    const order = pending()
    answers.set(name, order)
    sent.push(name)
    return passOn(() => order.answer)
  }
  const answer = async (name: string, ms = 1) => {
    now += ms
    answers.get(name)?.give(name)
    await settled()
  }
  /** Lets an order run for as long, after which orders are not expected to be short. */
  const runLong = async () => {
    void ask('a', 'long')
    await settled()
    await answer('long', 1_000)
    sent.pop()
  }
  return { turns, ask, answer, answers, sent, runLong }
}

test('of short orders, sixteen are sent before they run', async () => {
  const { ask, answer, sent } = orders()
  for (let n = 1; n <= 20; n++) void ask('a', `a${n}`)
  await settled()
  expect(sent).toHaveLength(16)
  await answer('a1')
  expect(sent).toHaveLength(17)
})

test('of long orders, one runs and one is sent ahead, until several short ones have run', async () => {
  const { ask, answer, sent, runLong } = orders()
  await runLong()
  for (let n = 1; n <= 40; n++) void ask('a', `a${n}`)
  await settled()
  expect(sent).toEqual(['a1', 'a2'])
  await answer('a1')
  expect(sent).toEqual(['a1', 'a2', 'a3'])
  for (let n = 2; n <= 8; n++) await answer(`a${n}`)
  expect(sent).toHaveLength(24)
})

test('orders that have run make room for others, though their answers wait for the disk', async () => {
  const { turns, runLong } = orders()
  await runLong()
  const answers = [1, 2, 3].map(() => pending())
  const sent: number[] = []
  const asked = answers.map(async ({ answer }, index) => {
    const passOn = await turns.take('a')
    sent.push(index)
    return passOn((ran) => {
      setImmediate(ran)
      return answer
    })
  })
  await settled()
  await settled()
  expect(sent).toEqual([0, 1, 2])
  await settled()
  expect(turns.isBusy).toBe(false)
  answers[0]?.refuse(new Error('lost'))
  for (const { give } of answers) give('on the disk')
  await expect(asked[0]).rejects.toThrow('lost')
  expect(await asked[1]).toBe('on the disk')
  expect(turns.waiting).toBe(0)
})

test('who asks once comes before the orders of another that wait', async () => {
  const { turns, ask, answer, sent, runLong } = orders()
  await runLong()
  for (const name of ['a1', 'a2', 'a3', 'a4']) void ask('a', name)
  await settled()
  void ask('b', 'b1')
  await settled()
  expect(turns.waiting).toBe(3)
  await answer('a1')
  expect(sent).toEqual(['a1', 'a2', 'b1'])
})

test('an order that is refused passes the session on, and its error reaches the caller', async () => {
  const { turns, ask, answer, answers, sent, runLong } = orders()
  await runLong()
  const refused = ask('a', 'a1')
  void ask('a', 'a2')
  void ask('a', 'a3')
  await settled()
  answers.get('a1')?.refuse(new Error('refused'))
  await expect(refused).rejects.toThrow('refused')
  await settled()
  expect(sent).toEqual(['a1', 'a2', 'a3'])
  await answer('a2')
  await answer('a3')
  expect(turns.isBusy).toBe(false)
})
