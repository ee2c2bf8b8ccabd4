import { expect, test } from 'vitest'
import { ungrouped } from '../../../test/answer.ts'
import { newWorkspace, startService } from '../../../test/running-service.ts'

test('users/get with searchKey lists the users whose name, address or id contains it in any case', async () => {
  const ws = await newWorkspace(await startService())
  const organizationId = 'acme'
  const users = [
    { userId: 'u1', name: 'Ada Lovelace', email: 'ada@example.com' },
    { userId: 'u2', name: 'Bob 100%', email: 'bob@LOVE.example' },
    { userId: 'clove', name: 'Eve' },
    { userId: 'u4', name: 'Grace' },
  ]
  await ws.ok('/v2/users/add', { organizationId, users })
  const found = async (searchKey: string, more: object = {}) => {
    const { data } = await ws.ok('/v2/users/get', { organizationId, searchKey, ...more })
    return ungrouped(data).map(({ userId }) => userId)
  }
  expect(await found('LOVE')).toEqual(['u1', 'u2', 'clove'])
  expect(await found('love', { userIds: ['u2'] })).toEqual(['u2'])
  expect(await found('%')).toEqual(['u2'])
  expect(await found('nobody')).toEqual([])
  const empty = await ws.call('/v2/users/get', { organizationId, searchKey: '' })
  expect(empty.body.error?.message).toContain('searchKey')
})

test('users/get with searchKey finds an accent in its letter and after it, whichever way the search writes it', async () => {
  const ws = await newWorkspace(await startService())
  const users = ['Zoé', 'Noé'.normalize('NFD')].map((name, i) => ({ userId: `u${i}`, name }))
  await ws.ok('/v2/users/add', { organizationId: 'acme', users })
  for (const form of ['NFC', 'NFD']) {
    const { data } = await ws.ok('/v2/users/get', { organizationId: 'acme', searchKey: 'OÉ'.normalize(form) })
    expect(ungrouped(data).map(({ userId }) => userId)).toEqual(['u0', 'u1'])
  }
})

test('users/get pages through what searchKey finds', async () => {
  const ws = await newWorkspace(await startService())
  const users = Array.from({ length: 7 }, (_, n) => ({ userId: `u${n}`, name: n % 2 ? 'odd' : 'even' }))
  await ws.ok('/v2/users/add', { organizationId: 'acme', users })
  const page = (pageToken?: string) =>
    ws.ok('/v2/users/get', { organizationId: 'acme', searchKey: 'even', pageSize: 3, ...(pageToken && { pageToken }) })
  const first = await page()
  const second = await page(first.nextPageToken ?? '')
  expect([first, second].map(({ data }) => ungrouped(data).map(({ userId }) => userId))).toEqual([
    ['u0', 'u2', 'u4'],
    ['u6'],
  ])
  expect(second.nextPageToken).toBeNull()
})
