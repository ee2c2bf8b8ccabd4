import { beforeAll, describe, expect, test } from 'vitest'
import { buildOnce } from '../../server/test/process.ts'
import { newWorkspace, startService } from '../../server/test/running-service.ts'
import { callerOf, precedent } from '../test/command-line.ts'
import { commands } from './commands.ts'

let env: Record<string, string>

beforeAll(async () => {
  await buildOnce()
  const service = await startService()
  env = callerOf(service, await newWorkspace(service))
}, 120_000)

describe('--json', () => {
  test('a refusal is one line of JSON on standard error, with the fields that are wrong; nothing is on standard output', async () => {
    const { code, output, errors } = await precedent(['call', 'addUsers', '--organization-id', '', '--json'], env)
    expect([code, output]).toEqual([1, ''])
    expect(JSON.parse(errors)).toEqual({
      error: {
        message: expect.any(String),
        status: 'INVALID_ARGUMENT',
        issues: expect.arrayContaining([{ path: 'organizationId', message: expect.any(String) }]),
        requestId: expect.stringMatching(/^req_/),
        next: expect.stringContaining('--help'),
      },
    })
  })

  const local = { DATA_DIR: '/proc/precedent', DATABASE_URL: 'postgres://127.0.0.1:59986/x' }
  test.each([
    ['a server that does not answer', ['keys', 'list'], { PRECEDENT_URL: 'http://127.0.0.1:59991' }, 1],
    ['missing credentials', ['memory', 'export'], { PRECEDENT_API_KEY: '' }, 1],
    ['a command that does not exist', ['keys', 'lst'], {}, 2],
    ['a missing argument', ['restore'], {}, 2],
    ['a program of the server that fails', ['migrate'], local, 1],
    ['a program of the server that is asked for records', ['credentials'], local, 1],
    ['a backup of a database that cannot be read', ['backup', '/tmp/never-made'], local, 1],
  ])('%s is one line of JSON with the exit code', async (_, args, more, expected) => {
    const { code, output, errors } = await precedent([...args, '--json'], { ...env, ...more })
    expect([code, output]).toEqual([expected, ''])
    expect(JSON.parse(errors)).toEqual({ error: expect.objectContaining({ message: expect.stringMatching(/./) }) })
  })
})

describe('help', () => {
  test.each(commands.filter(({ hidden }) => !hidden).map(({ name }) => name))('%s shows its own', async (name) => {
    const { code, output, errors } = await precedent([...name.split(' '), '--help'])
    expect([code, errors]).toEqual([0, ''])
    expect(output).toContain(`Usage: precedent ${name} `)
  })

  test('of a family lists its commands', async () => {
    const { code, output } = await precedent(['memory', '--help'])
    expect(code).toBe(0)
    expect(output).toMatch(/memory search .*\n.*memory suggest /)
    expect(output).not.toContain('webhooks')
  })

  test('a command that acts on this machine takes no server', async () => {
    const { code, errors } = await precedent(['restore', 'backup.gz', '--server', 'http://127.0.0.1:59991'])
    expect([code, errors]).toEqual([2, expect.stringContaining("Unknown option '--server'")])
  })

  test('a misspelt option is answered with those that are near, and where the others are listed', async () => {
    const { code, errors } = await precedent(['memory', 'search', 'x', '--limt', '3'], env)
    expect([code, errors]).toEqual([
      2,
      expect.stringMatching(/Did you mean --limit\?\n`precedent memory search --help`/),
    ])
  })
})
