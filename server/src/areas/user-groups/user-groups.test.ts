import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { ungrouped } from '../../../test/answer.ts'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../test/running-service.ts'

const GROUPS = '/v2/organizations/usergroups'
const organizationUserGroupId = 'designers'

let service: Service
let ws: TestWorkspace
let organizationId: string

beforeAll(async () => {
  service = await startService()
  ws = await newWorkspace(service)
})

beforeEach(async () => {
  organizationId = randomUUID()
  const users = ['a', 'b', 'c'].map((userId) => ({ userId }))
  await ws.ok('/v2/users/add', { organizationId, users })
  await ws.ok(`${GROUPS}/add`, { organizationId, organizationUserGroups: [{ groupId: organizationUserGroupId }] })
})

const ofGroup = (data: object) => ({ organizationId, organizationUserGroupId, ...data })
const members = async () => {
  const { data } = await ws.ok('/v2/users/get', { organizationId, organizationUserGroupIds: [organizationUserGroupId] })
  return ungrouped(data).map(({ userId }) => userId)
}
const fill = () => ws.ok(`${GROUPS}/users/add`, ofGroup({ userIds: ['a', 'b', 'c'] }))

test.each(['/v2', '/v1'] as const)('groups are added under %s; one that exists is success: false', async (version) => {
  const groups = [{ groupId: 'x', groupName: 'X' }, { groupId: organizationUserGroupId }]
  const result = await ws.ok(`${version}/organizations/usergroups/add`, {
    organizationId,
    organizationUserGroups: groups,
  })
  expect(result.data).toEqual({
    x: { success: true, id: expect.stringMatching(/^[0-9a-f]{32}$/), message: 'Organization user group added.' },
    [organizationUserGroupId]: { success: false, message: 'Organization user group already exists.' },
  })
})

test('a missing organization is NOT_FOUND unless it is to be created', async () => {
  const data = { organizationId: randomUUID(), organizationUserGroups: [{ groupId: 'x' }] }
  expect((await ws.call(`${GROUPS}/add`, data)).body.error.status).toBe('NOT_FOUND')
  expect((await ws.ok(`${GROUPS}/add`, { ...data, createOrganization: true })).data.x?.success).toBe(true)
})

test('only users of the organization can be in its groups', async () => {
  await ws.ok('/v2/users/add', { organizationId, documentId: 'd', createDocument: true, users: [{ userId: 'guest' }] })
  const { data } = await ws.ok(`${GROUPS}/users/add`, ofGroup({ userIds: ['a', 'guest', 'nobody'] }))
  const refused = { success: false, organizationUserGroupId, message: 'User does not exist in the organization.' }
  expect(data).toEqual({
    a: { success: true, organizationUserGroupId, message: 'User added to organization user group.' },
    guest: refused,
    nobody: refused,
  })
  expect(await members()).toEqual(['a'])
})

test('users are added to no unknown group', async () => {
  const unknown = { organizationId, organizationUserGroupId: 'unknown', userIds: ['a'] }
  expect((await ws.call(`${GROUPS}/users/add`, unknown)).body.error.status).toBe('NOT_FOUND')
})

test.each(['/v2', '/v1'] as const)('named users leave the group under %s', async (version) => {
  await fill()
  const named = ofGroup({ userIds: ['a', 'nobody'], deleteAll: false })
  const { data } = await ws.ok(`${version}/organizations/usergroups/users/delete`, named)
  expect(data).toEqual({
    a: { success: true, organizationUserGroupId, message: 'User deleted from organization user group.' },
    nobody: { success: false, organizationUserGroupId, message: 'User does not exist in the group.' },
  })
  expect(await members()).toEqual(['b', 'c'])
})

test.each(['/v2', '/v1'] as const)('deleteAll empties the group under %s', async (version) => {
  await fill()
  const { data } = await ws.ok(`${version}/organizations/usergroups/users/delete`, ofGroup({ deleteAll: true }))
  expect(Object.keys(data).sort()).toEqual(['a', 'b', 'c'])
  expect(await members()).toEqual([])
})

test.each([[{}], [{ deleteAll: false }], [{ deleteAll: true, userIds: ['a'] }]])(
  'userIds xor deleteAll: %j is INVALID_ARGUMENT',
  async (data) => {
    const { body } = await ws.call(`${GROUPS}/users/delete`, ofGroup(data))
    expect(body.error.status).toBe('INVALID_ARGUMENT')
  },
)

test('deleting from an unknown group is success: false per user', async () => {
  const data = { organizationId: randomUUID(), organizationUserGroupId: 'x', userIds: ['a'] }
  expect((await ws.ok(`${GROUPS}/users/delete`, data)).data.a?.success).toBe(false)
})

test('a membership that is taken by permissions/remove takes the place in the group', async () => {
  await fill()
  const resources = [{ type: 'organization', id: organizationId }]
  await ws.ok('/v2/auth/permissions/remove', { userId: 'b', permissions: { resources } })
  await ws.ok('/v2/users/add', { organizationId, users: [{ userId: 'b' }] })
  expect(await members()).toEqual(['a', 'c'])
})
