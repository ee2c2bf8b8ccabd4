import { beforeAll, beforeEach, expect, test } from 'vitest'
import { newWorkspace, startService, type TestWorkspace } from '../../../test/running-service.ts'

const GROUPS = '/v2/organizations/usergroups'
const organizationId = 'acme'
let ws: TestWorkspace
beforeEach(async () => {
  ws = await newWorkspace(await service)
  await ws.ok('/v2/users/add', { organizationId, users: [{ userId: 'a' }, { userId: 'b' }] })
  const organizationUserGroups = [{ groupId: 'x', groupName: 'X' }, { groupId: 'y' }, { groupId: 'z' }]
  await ws.ok(`${GROUPS}/add`, { organizationId, organizationUserGroups })
})
let service: ReturnType<typeof startService>
beforeAll(() => {
  service = startService()
})

const get = async (data: object = {}) => (await ws.ok(`${GROUPS}/get`, { organizationId, ...data })).data

test('usergroups/get lists the groups with their names and how many users they have', async () => {
  await ws.ok(`${GROUPS}/users/add`, { organizationId, organizationUserGroupId: 'x', userIds: ['a', 'b'] })
  const groups = await get({ organizationUserGroupIds: ['x', 'y', 'nowhere'] })
  const byId = new Map(groups.map((group) => [group.groupId, group]))
  const id = expect.stringMatching(/^[0-9a-f]{32}$/)
  expect(byId.get('x')).toEqual({ id, groupId: 'x', groupName: 'X', usersCount: 2 })
  expect(byId.get('y')).toEqual({ id, groupId: 'y', usersCount: 0 })
  expect(byId.size).toBe(2)
})

test('usergroups/get pages through all groups, each once', async () => {
  const seen: string[] = []
  let pageToken: string | null | undefined
  do {
    const page = await ws.ok(`${GROUPS}/get`, { organizationId, pageSize: 2, ...(pageToken ? { pageToken } : {}) })
    seen.push(...page.data.map(({ groupId }) => groupId))
    pageToken = page.nextPageToken
  } while (pageToken)
  expect(seen.sort()).toEqual(['x', 'y', 'z'])
})

test('usergroups/get of an unknown organization is NOT_FOUND', async () => {
  const { status } = await ws.call(`${GROUPS}/get`, { organizationId: 'nowhere' })
  expect(status).toBe(404)
})

test('usergroups/update renames a group, null takes the name away, an omitted name stays', async () => {
  const update = (groupName?: string | null) =>
    ws.ok(`${GROUPS}/update`, { organizationId, organizationUserGroups: [{ groupId: 'x', groupName }] })
  const name = async () => (await get({ organizationUserGroupIds: ['x'] }))[0]?.groupName
  const { data } = await update('New')
  expect(data).toEqual({ x: { success: true, message: 'Organization user group updated.' } })
  expect(await name()).toBe('New')
  await update()
  expect(await name()).toBe('New')
  await update(null)
  expect(await name()).toBeUndefined()
  const missing = await ws.ok(`${GROUPS}/update`, { organizationId, organizationUserGroups: [{ groupId: 'nowhere' }] })
  expect(missing.data.nowhere).toEqual({ success: false, message: 'Organization user group does not exist.' })
})

test('usergroups/delete deletes groups; their users stay in the organization', async () => {
  await ws.ok(`${GROUPS}/users/add`, { organizationId, organizationUserGroupId: 'x', userIds: ['a'] })
  const { data } = await ws.ok(`${GROUPS}/delete`, { organizationId, organizationUserGroupIds: ['x', 'nowhere'] })
  expect(data).toEqual({
    x: { success: true, message: 'Organization user group deleted.' },
    nowhere: { success: false, message: 'Organization user group does not exist.' },
  })
  expect((await get()).map(({ groupId }) => groupId).sort()).toEqual(['y', 'z'])
  expect((await ws.ok('/v2/users/get', { organizationId })).data).toHaveLength(2)
})
