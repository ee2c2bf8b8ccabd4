import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildOnce, temporaryDirectory } from '../../../server/test/process.ts'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../server/test/running-service.ts'
import { callerOf, precedent } from '../../test/command-line.ts'
import { flagOf } from '../call/field.ts'
import { operations } from '../call/operation.ts'
import { GLOBAL_OPTIONS } from '../command.ts'
import { CALL_OPTIONS } from './call.ts'

let service: Service
let ws: TestWorkspace
let env: Record<string, string>
let directory: Awaited<ReturnType<typeof temporaryDirectory>>

beforeAll(async () => {
  await buildOnce()
  service = await startService()
  directory = await temporaryDirectory()
})
afterAll(() => directory.remove())
beforeEach(async () => {
  ws = await newWorkspace(service)
  env = callerOf(service, ws)
})

const addAda = ['call', 'addUsers', '--organization-id', 'acme', '--users', '{"userId":"ada","name":"Ada"}']

describe('precedent call', () => {
  test('takes the fields of an operation as flags and prints the data of the response', async () => {
    const added = await precedent(addAda, env)
    expect(added).toMatchObject({ code: 0, errors: '' })
    expect(JSON.parse(added.output)).toMatchObject({ ada: { success: true } })
    const users = await precedent(['call', 'get-users', '--organization-id=acme', '--page-size', '5'], env)
    expect(JSON.parse(users.output)).toMatchObject({ data: [{ userId: 'ada', name: 'Ada' }], nextPageToken: null })
  })

  test('--json writes the whole result on one line', async () => {
    const { output } = await precedent([...addAda, '--json'], env)
    expect(output.trim().split('\n')).toHaveLength(1)
    expect(JSON.parse(output)).toMatchObject({ status: 'success', data: { ada: { success: true } } })
  })

  test('a list takes its flag for each item, or one JSON list', async () => {
    const args = ['call', 'addDomains', '--domains', 'a.example', '--domains', 'b.example']
    expect((await precedent(args, env)).code).toBe(0)
    expect((await precedent(['call', 'addDomains', '--domains', '["c.example"]'], env)).code).toBe(0)
    const { output } = await precedent(['call', 'getDomains'], env)
    expect(output).toMatch(/a\.example.*b\.example.*c\.example/s)
  })

  test('a field of an object takes a dotted flag', async () => {
    const list = ['call', 'listDeliveries', '--date-range.start', '2026-01-02']
    expect(await precedent(list, env)).toMatchObject({ code: 0, errors: '' })
    const { code, errors } = await precedent([...list, '--date-range.end', '2026-01-01'], env)
    expect([code, errors]).toEqual([1, expect.stringContaining('dateRange')])
  })

  test('--data gives all fields, from the argument, a file or standard input; flags override it', async () => {
    const file = join(directory.path, 'users.json')
    // Some editors put a mark before UTF-8.
    await writeFile(file, `\ufeff${JSON.stringify({ organizationId: 'acme', users: [{ userId: 'bob' }] })}`)
    const fromFile = await precedent(['call', 'addUsers', '--data', `@${file}`], env)
    expect(JSON.parse(fromFile.output)).toHaveProperty('bob')
    const body = JSON.stringify({ organizationId: 'elsewhere' })
    const fromInput = await precedent(['call', 'countUsers', '--data', '-', '--organization-id', 'acme'], env, body)
    expect(fromInput).toMatchObject({ code: 0 })
    expect(fromInput.output).toContain('1')
  })

  test('--all-pages follows the pages, with --json one line for each', async () => {
    const users = JSON.stringify(['a', 'b', 'c'].map((userId) => ({ userId })))
    await precedent(['call', 'addUsers', '--organization-id', 'acme', '--users', users], env)
    const args = ['call', 'getUsers', '--organization-id', 'acme', '--page-size', '2', '--all-pages', '--json']
    const { output } = await precedent(args, env)
    const pages = output.trim().split('\n')
    expect(pages.map((page) => JSON.parse(page).data.length)).toEqual([2, 1])
  })

  test('calls of a workspace use its credentials', async () => {
    const { output } = await precedent(['call', 'getWorkspace'], env)
    expect(JSON.parse(output)).toMatchObject({ id: ws.id })
  })

  test('an export is written as it comes', async () => {
    const args = ['call', 'exportJudgments', '--data', '{}']
    expect(await precedent(args, env)).toMatchObject({ code: 0, output: '', errors: '' })
  })

  test('what users wrote cannot steer the terminal', async () => {
    const hostile = '\u009b31m\u202e'
    const users = JSON.stringify([{ userId: 'eve', name: hostile }])
    await precedent(['call', 'addUsers', '--organization-id', 'acme', '--users', users], env)
    for (const json of [[], ['--json']]) {
      const { output } = await precedent(['call', 'getUsers', '--organization-id', 'acme', ...json], env)
      expect(output).not.toMatch(/[\u009b\u202e]/)
      expect(JSON.parse(output)).toMatchObject({ data: [{ name: hostile }] })
    }
  })
})

describe('errors of precedent call', () => {
  test('a refusal names each bad field and the next step, and exits with 1', async () => {
    const { code, output, errors } = await precedent(['call', 'addUsers', '--organization-id', 'acme'], env)
    expect([code, output]).toEqual([1, ''])
    expect(errors).toMatch(/INVALID_ARGUMENT.*users.*precedent call <operation> --help/s)
  })

  test.each([
    [['call', 'addUser'], 'Did you mean addUsers'],
    [['call', 'addUsers', '--organisation-id', 'acme'], "Unknown option '--organisation-id'"],
    [['call', 'getUsers', '--page-size', 'two'], '--page-size takes a whole number.'],
    [['call', 'addUsers', '--users', 'ada'], '--users is no JSON'],
    [['call', 'addUsers', '--users', '3'], '--users takes a JSON object'],
    [['call', 'addUsers', '--data', '[]'], '--data takes a JSON object'],
    [['call', 'addUsers', '--data', '@/nonexistent'], '/nonexistent cannot be read'],
    [['call', 'addUsers', '--all-pages', '--data', '{}'], 'addUsers has no pages'],
    [['cal'], 'Did you mean call'],
    [['profile', 'sue', 'x'], 'There is no command profile sue'],
  ])('%j is called wrongly and exits with 2', async (args, message) => {
    const { code, output, errors } = await precedent(args, env)
    expect([code, output]).toEqual([2, ''])
    expect(errors).toContain(message)
  })

  test('without a server it says where it looked and how to start one', async () => {
    const { code, errors } = await precedent(['call', 'getUsers'], { ...env, PRECEDENT_URL: 'http://127.0.0.1:59991' })
    expect(code).toBe(1)
    expect(errors).toMatch(/127\.0\.0\.1:59991.*precedent serve/s)
  })

  test('wrong credentials lead to `precedent profile show`', async () => {
    const { code, errors } = await precedent(['call', 'getUsers'], { ...env, PRECEDENT_AUTH_TOKEN: 'wrong' })
    expect(code).toBe(1)
    expect(errors).toContain('precedent profile show')
    expect(errors).not.toContain('wrong')
  })
})

describe('the declarations', () => {
  test('every operation of the API is callable by its name', async () => {
    const document = JSON.parse(await readFile(new URL('../../../docs/openapi.json', import.meta.url), 'utf8'))
    expect(new Set(operations.map(({ name }) => name)).size).toBe(operations.length)
    const paths = operations.map(({ path }) => path)
    expect(Object.keys(document.paths)).toEqual(expect.arrayContaining(paths))
  })

  test('no field has the flag of another or of an option', () => {
    const reserved = Object.keys({ ...GLOBAL_OPTIONS, ...CALL_OPTIONS })
    for (const { name, fields } of operations) {
      const flags = [...fields.map(flagOf), ...reserved]
      expect([name, flags.filter((flag, index) => flags.indexOf(flag) !== index)]).toEqual([name, []])
    }
  })

  test('the help of an operation shows its fields, and the list shows every operation', async () => {
    const help = await precedent(['call', 'createEndpoint', '--help'])
    expect(help).toMatchObject({ code: 0, errors: '' })
    expect(help.output).toMatch(/--url <text>\s+Required\./)
    expect(help.output).toMatch(/--filter-types <text> …\s.*One of comment_annotation\.add, /)
    const lists = await precedent(['call', 'getCommentAnnotations', '--help'])
    expect(lists.output).toMatch(/--user-ids <text> …\s+Id of a user who started threads\./)
    const list = await precedent(['call'])
    for (const { name } of operations) expect(list.output).toContain(name)
  })
})
