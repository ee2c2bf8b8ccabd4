import { expect, test } from 'vitest'
import { cycles, doors, doorsOfAreas, layers } from './architecture/imports.ts'
import { crowded, effects, namedExports, names, operationNames, sizes, transactions } from './architecture/shape.ts'
import { readSources } from './architecture/source.ts'
import { organizationKeys, tenantStatements } from './architecture/statements.ts'
import { testNames } from './architecture/test-names.ts'

const sources = readSources()

test('the sources are found', () => {
  expect(sources.map(({ path }) => path)).toContain('server/src/platform/operation.ts')
})

test.each([
  ['platform and areas import in one direction', layers],
  ['rooms of an area import in one direction, and its door is at its root', doorsOfAreas],
  ['no folder is crowded', crowded],
  ['no file imports itself through others', cycles],
  ['one door leads to each outside thing', doors],
  ['runners open the transactions', transactions],
  ['nothing happens beside the transaction', effects],
  ['an operation has a file of its name', operationNames],
  ['no file has a name that says nothing', names],
  ['a test is named after what lies beside it', testNames],
  ['exports are named', namedExports],
  ['files and functions are short', sizes],
  ['every statement of an area names the tenant', tenantStatements],
  ['the key of an organization is made for its tenant', organizationKeys],
])('%s', (_, rule) => {
  expect(rule(sources)).toEqual([])
})
