import { expect, test } from 'vitest'
import { readConfig } from './platform/config.ts'
import { welcome } from './welcome.ts'

const demo = { workspaceId: 'w', workspaceAuthToken: 'wt', apiKey: 'k', authToken: 't' }
const database = { kind: 'embedded' } as const
const rest = { signIn: undefined, config: readConfig({}), database }
const greeting = (hasExample: boolean) => welcome('http://127.0.0.1:8080', { demo, hasExample, isEmpty: true, ...rest })

test('the greeting tells of the example only where it could be made', () => {
  expect(greeting(true)).toMatch(/It holds an example.*\n.*\/v2\/memory\/suggest/)
  expect(greeting(false)).not.toMatch(/example:|memory\/suggest/)
  expect(greeting(false)).toMatch(/API key +k\n +auth token +t\n\nAdd a user/)
})

test('without a demo workspace the greeting tells of credentials only where there are some', () => {
  const later = (isEmpty: boolean) =>
    welcome('http://127.0.0.1:8080', { demo: undefined, hasExample: false, isEmpty, ...rest })
  expect(later(false)).toMatch(/\/console\/\n\nThe credentials of .*\n.* credentials\n\nA new workspace:/)
  expect(later(true)).toMatch(/\/console\/\n\nA new workspace:/)
})
