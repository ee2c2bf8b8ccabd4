import { expect, test } from 'vitest'
import { newWorkspace, startService } from '../../../../test/running-service.ts'
import { keyOf } from '../../../platform/id.ts'
import { readMaySee } from './may-see.ts'
import type { Visibility } from './visibility.ts'

test('a private thread is for its author and for members of the organization, a restricted one for whom it lists', async () => {
  const service = await startService()
  const ws = await newWorkspace(service)
  await ws.ok('/v2/users/add', { organizationId: 'acme', users: [{ userId: 'member' }] })
  await ws.ok('/v2/users/add', { organizationId: 'globex', users: [{ userId: 'other' }] })
  const people = ['author', 'member', 'other']
  const tenant = { apiKey: ws.apiKey }
  const visibilities: Visibility[] = [
    { type: 'public' },
    { type: 'organizationPrivate', organizationId: 'acme' },
    { type: 'restricted', userIds: ['other'] },
  ]
  const maySee = await readMaySee(service.database, tenant, visibilities, people.map(keyOf))
  const seen = visibilities.map((each) => people.filter((userId) => maySee(each, { userId: 'author' }, userId)))
  expect(seen).toEqual([people, ['author', 'member'], ['author', 'other']])
})
