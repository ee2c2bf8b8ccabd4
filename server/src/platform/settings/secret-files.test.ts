import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryDirectory } from '../../../test/process.ts'
import { readConfig } from '../config.ts'

let directory: Awaited<ReturnType<typeof temporaryDirectory>>
beforeAll(async () => {
  directory = await temporaryDirectory()
})
afterAll(() => directory.remove())

async function fileOf(text: string): Promise<string> {
  const path = join(directory.path, `secret-${Math.random()}`)
  await writeFile(path, text)
  return path
}

test('a secret may stand in a file; white space around it is dropped', async () => {
  const file = await fileOf('  a-token-of-the-operator\n')
  const config = readConfig({ OPERATOR_TOKEN_FILE: file })
  expect(config.operatorToken).toBe('a-token-of-the-operator')
  expect(config.warnings).toEqual([])
})

test('the key of the chat service may stand in a file too', async () => {
  const file = await fileOf('a-token-of-some-service\n')
  const chat = { CHAT_URL: 'https://chat.example.com/v1', CHAT_MODEL: 'm', CHAT_API_KEY_FILE: file }
  expect(readConfig(chat)).toMatchObject({ chatApiKey: 'a-token-of-some-service', warnings: [] })
})

test('what stands in the file obeys the rules of the setting, and the value is not shown', async () => {
  const file = await fileOf('short')
  expect(() => readConfig({ OPERATOR_TOKEN_FILE: file })).toThrow(/OPERATOR_TOKEN must have at least 16/)
  expect(() => readConfig({ OPERATOR_TOKEN_FILE: file })).not.toThrow(/short/)
})

test('a file that is missing or empty, and a secret given twice, are faults that name the setting', async () => {
  expect(() => readConfig({ SMTP_URL_FILE: '/nowhere/at/all' })).toThrow(
    'SMTP_URL_FILE names a file that does not exist',
  )
  expect(() => readConfig({ SMTP_URL_FILE: directory.path })).toThrow('SMTP_URL_FILE names a directory, not a file')
  const empty = await fileOf('\n')
  expect(() => readConfig({ SECRET_KEYS_FILE: empty })).toThrow('SECRET_KEYS_FILE names an empty file')
  const twice = { OPERATOR_TOKEN: 'a-token-of-the-operator', OPERATOR_TOKEN_FILE: empty }
  expect(() => readConfig(twice)).toThrow('OPERATOR_TOKEN_FILE must not be set together with OPERATOR_TOKEN')
})

test('a secret whose file cannot be read counts as given: nobody is told to make another', async () => {
  const empty = await fileOf('\n')
  for (const file of ['/nowhere/at/all', empty]) {
    const database = { DATABASE_URL: 'postgres://db.test/reviews', SECRET_KEYS_FILE: file }
    expect(() => readConfig(database)).toThrow(/valid:\n {2}SECRET_KEYS_FILE names [a-z ]+$/)
    const token = { WORKSPACE_CREATE: 'token', OPERATOR_TOKEN_FILE: file }
    expect(() => readConfig(token)).toThrow(/valid:\n {2}OPERATOR_TOKEN_FILE names [a-z ]+$/)
    const worker = { ROLE: 'worker', DATABASE_URL_FILE: file }
    expect(() => readConfig(worker)).toThrow(/valid:\n {2}DATABASE_URL_FILE names [a-z ]+$/)
  }
})

test('a misspelt name of a file is warned of', () => {
  const [warning] = readConfig({ OPERATOR_TOKEN_FIEL: '/run/secrets/operator' }).warnings
  expect(warning).toContain('Is OPERATOR_TOKEN_FILE meant?')
})
