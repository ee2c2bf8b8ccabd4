import { expect, test } from 'vitest'
import { parse } from '../command.ts'
import { optionsOf } from '../commands/call.ts'
import { dataOf } from './data.ts'
import { exampleArguments, exampleCommand } from './example.ts'
import { operations } from './operation.ts'

test.each(operations.map((operation) => [operation.name, operation] as const))(
  'the example of %s is read back as the data of its call',
  async (_, operation) => {
    const [, ...flags] = exampleArguments(operation)
    const { values, positionals } = parse(flags, optionsOf(operation))
    expect(positionals).toEqual([])
    expect(await dataOf(operation.fields, values)).toEqual(operation.example)
  },
)

test('an argument with spaces or quotes is quoted for a shell', () => {
  const operation = operations.find(({ name }) => name === 'suggestDecision')
  if (!operation) throw new Error('There is no such operation.')
  const example = { query: "Owen's poster", organizationId: 'example' }
  expect(exampleCommand({ ...operation, example })).toBe(
    String.raw`precedent call suggestDecision --query 'Owen'\''s poster' --organization-id example`,
  )
})
