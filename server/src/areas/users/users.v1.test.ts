import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { ungrouped } from '../../../test/answer.ts'
import { newWorkspace, startService } from '../../../test/running-service.ts'

test('accessRole can be set only through v2: v1 adds and updates users without it', async () => {
  const ws = await newWorkspace(await startService())
  const organizationId = randomUUID()
  const roles = async () =>
    ungrouped((await ws.ok('/v2/users/get', { organizationId })).data).map(({ userId, name, accessRole }) => [
      userId,
      name,
      accessRole,
    ])
  await ws.ok('/v2/users/add', { organizationId, users: [{ userId: 'ada', name: 'Ada', accessRole: 'viewer' }] })
  const users = [
    { userId: 'ada', name: 'Countess', accessRole: 'editor' },
    { userId: 'bob', accessRole: 'viewer' },
  ]
  await ws.ok('/v1/users/add', { organizationId, users })
  expect(await roles()).toEqual([
    ['ada', 'Countess', 'viewer'],
    ['bob', 'bob', 'editor'],
  ])
  const updated = await ws.ok('/v1/users/update', {
    organizationId,
    users: users.map((user) => ({ ...user, name: 'V1' })),
  })
  expect(updated.data.bob?.message).toBe('User updated.')
  expect(await roles()).toEqual([
    ['ada', 'V1', 'viewer'],
    ['bob', 'V1', 'editor'],
  ])
})
