import { expect, test } from 'vitest'
import { nearMiss } from './near-miss.ts'

test.each([
  ['organisationId', ['organizationId', 'documentId'], 'organizationId'],
  ['organization_id', ['organizationId'], 'organizationId'],
  ['organization_user_group_ids', ['organizationUserGroupIds'], 'organizationUserGroupIds'],
  ['ORGANIZATIONID', ['organizationId'], 'organizationId'],
  ['docuemntId', ['documentId'], 'documentId'],
  ['userid', ['userIds', 'userId'], 'userId'],
  ['form', ['from'], 'from'],
  ['name', ['date'], undefined],
  ['from', ['from'], undefined],
  ['color', ['organizationId'], undefined],
  ['x'.repeat(100), ['x'.repeat(99)], undefined],
])('%s among %j is taken for %s', (name, candidates, expected) => {
  expect(nearMiss(name, candidates)).toBe(expected)
})
