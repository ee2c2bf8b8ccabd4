import type { Forecast } from './calibration.ts'
import { logOdds, probabilityOf } from './odds.ts'

/** What a forecast is made from. Each input is log-odds of an approval, less those of the base rate: 0 says nothing. */
export const INPUTS = ['nearestWords', 'wordModel', 'nearestVectors', 'vectorModel', 'author', 'age'] as const
export type Input = (typeof INPUTS)[number]
export type Inputs = Record<Input, number>

/** A decision, with what forecasts of it are made from: what was known before it. */
export interface Example {
  inputs: Inputs
  /** The share of approvals so far. */
  baseRate: number
  approve: boolean
}

/** How loudly each input counts. The log-odds are `base + trust · (bias + scale · (shift + Σ weight · input))`. */
export interface Stack {
  weights: Inputs
  shift: number
  /** Platt's calibration on forecasts that the weights had not seen. */
  scale: number
  bias: number
}

/** What the weights are drawn to: the models share one vote, and the author's record has half a vote. */
function priorOf(used: readonly Input[]): Inputs {
  const models = used.filter((input) => input !== 'author' && input !== 'age').length
  return inputsOf((input) => {
    if (!used.includes(input) || input === 'age') return 0
    return input === 'author' ? 0.5 : 1 / models
  })
}

/** Computes each input. */
export const inputsOf = (value: (input: Input) => number): Inputs =>
  Object.fromEntries(INPUTS.map((input) => [input, value(input)])) as Inputs

/** The stack before any decision is known. */
export const priorStack = (used: readonly Input[]): Stack => ({ weights: priorOf(used), shift: 0, scale: 1, bias: 0 })

/** How strongly weights are drawn to what they were before, as a number of decisions by a coin. */
const PRIOR_STRENGTH = 5
const ROUNDS = 60

/** Fits the weights of the used inputs by coordinate descent; none becomes negative. It yields after each round. */
export function* fitStack(examples: readonly Example[], used: readonly Input[]): Generator<void, Stack> {
  const prior = priorOf(used)
  const weights = { ...prior }
  let shift = 0
  const logits = examples.map(({ inputs, baseRate }) => logOdds(baseRate) + sumOf(weights, inputs))
  const outcomes = examples.map(({ approve }) => Number(approve))
  const step = (value: (example: Example) => number, pull: number) => {
    let [gradient, curvature] = [pull * PRIOR_STRENGTH, PRIOR_STRENGTH]
    for (const [i, example] of examples.entries()) {
      const x = value(example)
      if (x === 0) continue
      const p = probabilityOf(logits[i] as number)
      gradient += x * (p - (outcomes[i] as number))
      curvature += x * x * Math.max(p * (1 - p), 1e-3)
    }
    return -gradient / curvature
  }
  const apply = (value: (example: Example) => number, by: number) => {
    for (const [i, example] of examples.entries()) logits[i] = (logits[i] as number) + by * value(example)
  }
  for (let round = 0; round < ROUNDS; round++) {
    let most = 0
    for (const input of used) {
      const value = ({ inputs }: Example) => inputs[input]
      const by = Math.max(-weights[input], step(value, weights[input] - prior[input]))
      apply(value, by)
      weights[input] += by
      most = Math.max(most, Math.abs(by))
    }
    const by = step(() => 1, shift)
    apply(() => 1, by)
    shift += by
    yield
    if (Math.max(most, Math.abs(by)) < 1e-4) break
  }
  return { weights, shift, scale: 1, bias: 0 }
}

/** The log-odds of an approval less those of the base rate. */
export const deviationOf = ({ weights, shift, scale, bias }: Stack, inputs: Inputs): number =>
  bias + scale * (shift + sumOf(weights, inputs))

/** The probability of an approval. */
export const forecastOf = (stack: Stack, { inputs, baseRate }: Pick<Example, 'inputs' | 'baseRate'>): number =>
  probabilityOf(logOdds(baseRate) + deviationOf(stack, inputs))

function sumOf(weights: Inputs, inputs: Inputs): number {
  let sum = 0
  for (const input of INPUTS) sum += weights[input] * inputs[input]
  return sum
}

/** The parts into which forecasts are cut to measure a stack; each is forecast by those before. */
const PARTS = 8

/**
 * What a stack would have forecast: each eighth of the examples by a stack fitted to those before, the first by the
 * prior. The examples come in the order of time.
 */
export function* forecastInTurn(examples: readonly Example[], used: readonly Input[]): Generator<void, Forecast[]> {
  const size = Math.ceil(examples.length / PARTS)
  const forecasts: Forecast[] = []
  for (let from = 0; from < examples.length; from += size) {
    const stack = from === 0 ? priorStack(used) : yield* fitStack(examples.slice(0, from), used)
    for (const example of examples.slice(from, from + size)) {
      forecasts.push({ probability: forecastOf(stack, example), approve: example.approve })
    }
  }
  return forecasts
}

/** Calibrates a stack by Platt's method on forecasts of examples that it had not seen; drawn to no change. */
export function calibrated(stack: Stack, examples: readonly Example[], forecasts: readonly Forecast[]): Stack {
  // The first part was forecast by the prior.
  const from = Math.ceil(examples.length / PARTS)
  const bases = examples.slice(from).map(({ baseRate }) => logOdds(baseRate))
  const seen = forecasts.slice(from)
  const deviations = seen.map(({ probability }, i) => logOdds(probability) - (bases[i] as number))
  let [scale, bias] = [1, 0]
  for (let round = 0; round < ROUNDS; round++) {
    for (const isScale of [true, false]) {
      let gradient = CALIBRATION_STRENGTH * (isScale ? scale - 1 : bias)
      let curvature = CALIBRATION_STRENGTH
      for (const [i, { approve }] of seen.entries()) {
        const deviation = deviations[i] as number
        const x = isScale ? deviation : 1
        const p = probabilityOf((bases[i] as number) + scale * deviation + bias)
        gradient += x * (p - Number(approve))
        curvature += x * x * Math.max(p * (1 - p), 1e-3)
      }
      if (isScale) scale = Math.max(0, scale - gradient / curvature)
      else bias -= gradient / curvature
    }
  }
  return { ...stack, scale, bias }
}

const CALIBRATION_STRENGTH = 20
