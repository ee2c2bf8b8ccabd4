import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildOnce, ENVIRONMENT, startProcess, temporaryDirectory } from '../../test/process.ts'

const run = promisify(execFile)

let directory: Awaited<ReturnType<typeof temporaryDirectory>>

beforeAll(async () => {
  await buildOnce()
  directory = await temporaryDirectory()
  const env = { ...ENVIRONMENT, DATA_DIR: directory.path, LOG_LEVEL: 'silent' }
  await run(process.execPath, [new URL('../../dist/migrate.js', import.meta.url).pathname], { env })
})
afterAll(() => directory.remove())

/**
 * Runs the command line, which shows what the server's program writes, on the embedded database; one that fails rejects
 * with its output.
 */
async function operator(args: string[], env: Record<string, string> = {}): Promise<string> {
  const program = new URL('../../../cli/dist/precedent.js', import.meta.url).pathname
  const settings = { ...ENVIRONMENT, DATA_DIR: directory.path, LOG_LEVEL: 'silent', ...env }
  return (await run(process.execPath, [program, 'operator', ...args], { env: settings })).stdout
}

const refusal = (args: string[], env?: Record<string, string>) =>
  operator(args, env).then(
    () => 'none',
    ({ stderr }: { stderr: string }) => stderr,
  )

const tokenOf = (output: string) => /#token=([\w-]+)/.exec(output)?.[1]

// Each test starts several processes, which takes long on a busy machine.
describe('npm run operator', { timeout: 120_000 }, () => {
  test('prints the address that opens: of PUBLIC_URL, else of HOST and PORT', async () => {
    expect(await operator(['link'])).toMatch(/http:\/\/127\.0\.0\.1:8080\/console\/#token=[\w-]{43}\n$/)
    const publicly = await operator(['link'], { PUBLIC_URL: 'https://example.com/precedent/' })
    expect(publicly).toContain('https://example.com/precedent/console/#token=')
    expect(await operator(['link'], { HOST: '192.168.7.7' })).toContain('Set PUBLIC_URL to the https address')
    expect(await refusal(['link'], { PORT: '0' })).toContain('PORT is 0')
  })

  test('the link carries a role, signs in once, and the person has that role', async () => {
    const token = tokenOf(await operator(['link', 'vera@example.com', '--role', 'viewer']))
    const server = await startProcess({ DATA_DIR: directory.path })
    const signIn = () =>
      fetch(`${server.url}/console/api/session/sign-in`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-precedent-console': '1' },
        body: JSON.stringify({ token }),
      })
    const { result } = (await (await signIn()).json()) as { result: { data: object } }
    expect(result.data).toMatchObject({ operator: { email: 'vera@example.com', role: 'viewer' }, scope: 'all' })
    expect((await signIn()).status).toBe(401)
    await server.stop()
  })

  test('beside a running server that has the embedded database open, that server makes the link', async () => {
    const server = await startProcess({ DATA_DIR: directory.path })
    const env = { PORT: new URL(server.url).port, PUBLIC_URL: '' }
    const beside = (args: string[]) => operator(args, env)
    const made = JSON.parse(await beside(['link', 'nora@example.com', '--role', 'viewer', '--json']))
    expect(made).toEqual({ link: expect.stringContaining('/console/#token='), minutes: 30 })
    expect(await beside(['link', 'nora@example.com'])).toContain('Open within 30 minutes, once:')
    expect(await refusal(['link', 'nora@example.com', '--role', 'admin'], env)).toContain('has the role viewer')
    expect(await refusal(['link', 'a@example.com', '--role', 'admin', '--workspace', 'w'], env)).toContain(
      'There is no workspace w',
    )
    expect(await refusal(['link', '--role', 'viewer'], env)).toContain('An email is missing')
    expect(await refusal(['link'], { ...env, PORT: '1' })).toContain('Set PORT and HOST as that server has them')
    await server.stop()
    const off = await startProcess({ DATA_DIR: directory.path, CONSOLE: 'off' })
    expect(await refusal(['link'], { PORT: new URL(off.url).port })).toContain('Start it without CONSOLE=off')
    await off.stop()
  })

  test('a new link for a known address keeps the role, and another role is refused', async () => {
    await operator(['link', 'rita@example.com', '--role', 'reviewer'])
    expect(await operator(['link', 'RITA@example.com'])).toContain('#token=')
    expect(await refusal(['link', 'rita@example.com', '--role', 'admin'])).toContain('has the role reviewer')
  })

  test.each([
    [[], /Say which: operator link/],
    [['remove', 'a@example.com'], /There is no command operator remove: operator link/],
    [['link', 'a@example.com', 'b@example.com'], /Unexpected argument b@example.com/],
    [
      ['link', 'a@example.com', '--role', 'king'],
      /no role king\.\nusage.*\nroles: operator, admin, developer, reviewer, viewer/,
    ],
    [['link', '--role', 'viewer'], /An email is missing/],
    [['link', 'nobody'], /no email address/],
    [['link', 'a@example.com', '--workspace', 'w'], /for the whole installation/],
    [['link', 'a@example.com', '--workspace', 'w', '--role', 'admin'], /There is no workspace w/],
  ])('%j is refused with a reason', async (args, reason) => {
    expect(await refusal(args)).toMatch(reason)
  })
})
