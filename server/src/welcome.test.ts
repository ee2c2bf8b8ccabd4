import { expect, test } from 'vitest'
import { readConfig } from './platform/config.ts'
import { welcome } from './welcome.ts'

const demo = { workspaceId: 'w', workspaceAuthToken: 'wt', apiKey: 'k', authToken: 't' }
const database = { kind: 'embedded' } as const
const greeting = (hasExample: boolean) =>
  welcome('http://127.0.0.1:8080', { demo, hasExample, signIn: undefined, config: readConfig({}), database })

test('the greeting tells of the example only where it could be made', () => {
  expect(greeting(true)).toMatch(/It holds an example.*\n.*\/v2\/memory\/suggest/)
  expect(greeting(false)).not.toMatch(/example:|memory\/suggest/)
  expect(greeting(false)).toMatch(/API key +k\n +auth token +t\n\nAdd a user/)
})
