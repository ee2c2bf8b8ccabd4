import { expect, test } from 'vitest'
import { createSecrets } from '../../../platform/secret.ts'
import { createMachineToken, isMachineToken } from './machine-token.ts'

const secrets = createSecrets([{ id: 'k1', key: Buffer.alloc(32, 1) }])
const others = createSecrets([{ id: 'k1', key: Buffer.alloc(32, 2) }])

test('a token of the master keys makes an operator for a minute', () => {
  const token = createMachineToken(secrets, 1000)
  expect(isMachineToken(token, secrets, 1000)).toBe(true)
  expect(isMachineToken(token, secrets, 61_000)).toBe(false)
  expect(isMachineToken(token, others, 1000)).toBe(false)
  expect(isMachineToken('another', secrets, 1000)).toBe(false)
})

test('a token whose end was changed, or lies far ahead, is none', () => {
  const [, , ...proof] = createMachineToken(secrets, 1000).split('.')
  expect(isMachineToken(['machine', '99000', ...proof].join('.'), secrets, 1000)).toBe(false)
  expect(isMachineToken(createMachineToken(secrets, 1_000_000), secrets, 1000)).toBe(false)
})
