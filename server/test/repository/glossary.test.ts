import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { newWorkspace, startService } from '../running-service.ts'

const glossary = await readFile(new URL('../../../docs/glossary.md', import.meta.url), 'utf8')

/** The JSON examples, each with the path in backquotes before it. */
function examples(): { path: string; body: string }[] {
  const found = [...glossary.matchAll(/`(\/v2\/[^`]+)`:\n\n```json\n([\s\S]*?)```/g)]
  return found.map(([, path = '', body = '']) => ({ path, body }))
}

test('the requests of the glossary make the thread that it shows', async () => {
  const ws = await newWorkspace(await startService())
  const all = examples()
  const thread = all.pop()
  expect(all.map(({ path }) => path)).toContain('/v2/commentannotations/add')
  for (const { path, body } of all) await ws.ok(path, JSON.parse(body))
  const { data } = await ws.ok('/v2/commentannotations/get', { organizationId: 'acme' })
  expect(comparable(Object.values(data)[0])).toEqual(comparable(JSON.parse(thread?.body ?? '')))
})

/** The thread without what differs between two runs: times, the API key, and the hashes and the order of users. */
function comparable(thread: unknown): unknown {
  const byUser = (subscribed: object) => new Map(Object.values(subscribed).map((each) => [each.user.userId, each]))
  return JSON.parse(JSON.stringify(thread), (name, value) => {
    if (['createdAt', 'lastUpdated', 'apiKey'].includes(name)) return 'differs'
    if (name === 'subscribedUsers') return byUser(value)
    return name.endsWith('UserIds') ? value.sort() : value
  })
}
