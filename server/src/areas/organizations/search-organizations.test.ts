import { beforeAll, expect, test } from 'vitest'
import { newWorkspace, startService, type TestWorkspace } from '../../../test/running-service.ts'

const SEARCH = '/v2/organizations/search'

let workspace: TestWorkspace

beforeAll(async () => {
  workspace = await newWorkspace(await startService())
  const organizations = [
    { organizationId: 'o-1', organizationName: 'Acme Ltd' },
    { organizationId: 'o-2', organizationName: 'ACME Inc' },
    { organizationId: 'acme' },
    { organizationId: 'o-4', organizationName: 'The Acme' },
  ]
  await workspace.ok('/v2/organizations/add', { organizations })
})

const search = async (data: object) => (await workspace.ok(SEARCH, data)).data
const ids = async (data: object) => (await search(data)).map(({ organizationId }) => organizationId)

test('organizations are found by the beginning of their name, or their whole id', async () => {
  expect(await ids({ query: 'acme' })).toEqual(['acme', 'o-2', 'o-1'])
  expect(await search({ query: 'o-4' })).toEqual([
    { organizationId: 'o-4', organizationName: 'The Acme', disabled: false },
  ])
  expect(await ids({ query: 'acme', pageSize: 1 })).toEqual(['acme'])
})

test('contains finds a part of the name or the id', async () => {
  expect((await ids({ query: 'ACME', match: 'contains' })).toSorted()).toEqual(['acme', 'o-1', 'o-2', 'o-4'])
  expect(await ids({ query: 'nothing', match: 'contains' })).toEqual([])
})
