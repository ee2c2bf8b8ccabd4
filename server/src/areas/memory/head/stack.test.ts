import { expect, test } from 'vitest'
import {
  calibrated,
  type Example,
  fitStack,
  forecastInTurn,
  forecastOf,
  INPUTS,
  inputsOf,
  priorStack,
} from './stack.ts'

function result<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** Deterministic numbers between 0 and 1 that look random. */
const chance = (i: number) => (Math.imul(i + 1, 0x9e3779b1) >>> 0) / 2 ** 32

/** The decision follows `wordModel`, the other way round than `author`; `nearestWords` is noise. */
const examples: Example[] = Array.from({ length: 1000 }, (_, i) => {
  const wordModel = 4 * chance(i) - 2
  const odds = 1.5 * wordModel + 0.4
  return {
    inputs: inputsOf((input) =>
      input === 'wordModel'
        ? wordModel
        : input === 'author'
          ? -wordModel
          : input === 'nearestWords'
            ? chance(7 * i + 3) - 0.5
            : 0,
    ),
    baseRate: 0.5,
    approve: chance(13 * i + 5) < 1 / (1 + Math.exp(-odds)),
  }
})

test('inputs weigh what they are worth, and none weighs below zero', () => {
  const { weights, shift } = result(fitStack(examples, ['nearestWords', 'wordModel', 'author']))
  expect(weights.wordModel).toBeGreaterThan(1.1)
  expect(weights.wordModel).toBeLessThan(1.9)
  expect(weights.author).toBe(0)
  expect(weights.nearestWords).toBeLessThan(0.6)
  expect(shift).toBeGreaterThan(0.1)
})

test('with few examples weights stay near the prior', () => {
  const few = examples.slice(0, 4)
  const { weights } = result(fitStack(few, ['nearestWords', 'wordModel']))
  const prior = priorStack(['nearestWords', 'wordModel']).weights
  for (const input of INPUTS) expect(Math.abs(weights[input] - prior[input])).toBeLessThan(0.3)
})

test('each part is forecast by what was fitted to those before', () => {
  const told = result(forecastInTurn(examples, ['wordModel']))
  expect(told).toHaveLength(examples.length)
  const first = examples[0] as Example
  expect(told[0]?.probability).toBe(forecastOf(priorStack(['wordModel']), first))
  const changed = examples.map((each, i) => (i < 900 ? each : { ...each, approve: !each.approve }))
  expect(result(forecastInTurn(changed, ['wordModel'])).slice(0, 900)).toEqual(told.slice(0, 900).map((each) => each))
})

test('calibration shrinks what was too sure', () => {
  const stack = result(fitStack(examples, ['wordModel']))
  const tooSure = examples.map((example) => ({
    probability: 1 / (1 + Math.exp(-3 * 1.5 * example.inputs.wordModel)),
    approve: example.approve,
  }))
  const { scale } = calibrated(stack, examples, tooSure)
  expect(scale).toBeGreaterThan(0.2)
  expect(scale).toBeLessThan(0.6)
})
