import fc from 'fast-check'
import { expect, test } from 'vitest'
import { registry } from '../../src/operations.ts'
import { listOperations } from '../../src/platform/operation.ts'
import { valid } from '../arbitrary.ts'

const operations = listOperations(registry).map(({ declaration }) => declaration)

/** The fields that a rule of the operation has required in any of many calls that its schema admits. */
function requiredByRules({ input, check }: (typeof operations)[number]): string[] {
  if (!check) return []
  const calls = fc.sample(valid(input), { numRuns: 200, seed: 1 }) as never[]
  const issues = calls.flatMap((call) => check(call)).filter(({ message }) => /^is required\b/.test(message))
  return [...new Set(issues.map(({ path }) => path.replace(/\[\d+\]/g, '')))]
}

/** Each description of a request, after the name of its field. */
function descriptions(schema: object): string[] {
  return Object.entries(schema).flatMap(([name, value]) => {
    if (typeof value !== 'object' || value === null) return []
    const own = 'description' in value ? [`\`${name}\`: ${value.description}`] : []
    return [...own, ...descriptions(value)]
  })
}

test('a field that only some calls require is told to be required, at itself or at the field that requires it', () => {
  const untold = operations.flatMap((operation) => {
    const told = descriptions(operation.input).filter((text) => /requir|^`userIds`: Either/.test(text))
    return requiredByRules(operation)
      .filter((path) => !told.some((text) => text.includes(`\`${path.split('.').at(-1)}\``)))
      .map((path) => `${operation.path} ${path}`)
  })
  expect(untold).toEqual([])
})
