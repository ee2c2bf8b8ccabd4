import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { buildOnce } from '../../server/test/process.ts'
import { type ReceivedRequest, type Reply, startReceiver } from '../../server/test/receiver.ts'
import { newWorkspace, type Service, startService } from '../../server/test/running-service.ts'
import { callerOf, precedent } from '../test/command-line.ts'
import type { Finding } from './server-checks.ts'

let service: Service

beforeAll(async () => {
  await buildOnce()
  service = await startService()
}, 120_000)

async function examine(env: Record<string, string>, args: string[]) {
  const { code, output } = await precedent(['doctor', '--json', ...args], env)
  const found: Finding[] = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  return { code, found, wrong: found.filter(({ status }) => status !== 'ok') }
}

describe('precedent doctor --server', () => {
  test('finds nothing wrong with a server and sound credentials', async () => {
    const env = callerOf(service, await newWorkspace(service))
    const { code, found, wrong } = await examine(env, ['--server', service.url])
    expect({ code, wrong }).toEqual({ code: 0, wrong: [] })
    expect(found.map(({ check }) => check)).toEqual(['server', 'readiness', 'clock', 'API key', 'workspace'])
  })

  test('names an address where nothing answers, and credentials that are refused', async () => {
    const env = callerOf(service, await newWorkspace(service))
    const nobody = await examine(env, ['--server', 'http://127.0.0.1:59984'])
    expect(nobody.wrong).toEqual([
      {
        check: 'server',
        status: 'failure',
        message: 'Nothing answers at http://127.0.0.1:59984: connect ECONNREFUSED 127.0.0.1:59984.',
        mend: 'Start the server with `precedent serve`, or correct the address, which is from --server.',
      },
    ])
    const refused = await examine({ ...env, PRECEDENT_AUTH_TOKEN: 'wrong' }, ['--server', service.url])
    expect(refused.wrong).toEqual([
      {
        check: 'API key',
        status: 'failure',
        message: `The API key ${env.PRECEDENT_API_KEY} is refused: Invalid API key or auth token.`,
        mend: 'Correct PRECEDENT_API_KEY or PRECEDENT_AUTH_TOKEN.',
      },
    ])
    const half = await examine({ ...env, PRECEDENT_AUTH_TOKEN: '' }, ['--server', service.url])
    expect(half.wrong).toEqual([expect.objectContaining({ check: 'API key', mend: 'Set PRECEDENT_AUTH_TOKEN.' })])
  })

  test('says that no credentials were given, which breaks nothing', async () => {
    const { code, wrong } = await examine({ XDG_CONFIG_HOME: '/nonexistent' }, ['--server', service.url])
    expect({ code, wrong }).toEqual({
      code: 0,
      wrong: [expect.objectContaining({ check: 'credentials', message: 'Not checked: none are given.' })],
    })
  })

  const others: [string, number, object, Partial<Finding>][] = [
    ['another program', 404, {}, { check: 'server', message: expect.stringContaining('is not Precedent (HTTP 404') }],
    ['another program with a probe', 200, { status: 'fine' }, { check: 'server' }],
  ]
  test.each(others)('tells %s from the service', async (_, status, body, expected) => {
    const receiver = await startReceiver({ respond: () => ({ status, body: JSON.stringify(body) }) })
    onTestFinished(() => receiver.close())
    const { code, found } = await examine({ XDG_CONFIG_HOME: '/nonexistent' }, ['--server', receiver.url])
    expect({ code, found }).toEqual({ code: 1, found: [expect.objectContaining(expected)] })
  })

  test.each([
    ['database unavailable', 'Check that its database runs; `precedent doctor` on its machine says more.'],
    ['starting', 'It is starting. Try again in a moment.'],
  ])('says why a server that answers cannot work, and what to do: %s', async (why, mend) => {
    const respond = ({ url }: ReceivedRequest): Reply =>
      url.endsWith('readyz')
        ? { status: 503, body: JSON.stringify({ status: why }) }
        : { status: 200, body: JSON.stringify({ status: 'ok' }) }
    const receiver = await startReceiver({ respond })
    onTestFinished(() => receiver.close())
    const { code, wrong } = await examine({ XDG_CONFIG_HOME: '/nonexistent' }, ['--server', receiver.url])
    expect(code).toBe(1)
    expect(wrong[0]).toEqual({
      check: 'readiness',
      status: 'failure',
      message: `It cannot work: ${why}.`,
      mend,
    })
  })

  test('warns of a clock that differs, and says of credentials that they could not be checked', async () => {
    // When it answers: on a busy machine the program takes seconds to start.
    const date = () => new Date(Date.now() - 60_000).toUTCString()
    const respond = ({ url }: ReceivedRequest): Reply =>
      /(healthz|readyz)$/.test(url)
        ? { status: 200, headers: { date: date() }, body: JSON.stringify({ status: 'ok' }) }
        : { status: 500, body: JSON.stringify({ error: { status: 'INTERNAL', message: 'Something broke.' } }) }
    const receiver = await startReceiver({ respond })
    onTestFinished(() => receiver.close())
    const env = { PRECEDENT_API_KEY: 'key', PRECEDENT_AUTH_TOKEN: 'token' }
    const { wrong } = await examine(env, ['--server', receiver.url])
    expect(wrong).toEqual([
      expect.objectContaining({
        check: 'clock',
        status: 'warning',
        message: expect.stringMatching(/by (59|60|61) s\.$/),
      }),
      expect.objectContaining({ check: 'API key', message: 'The API key key could not be checked: Something broke.' }),
    ])
  })

  test('says that clocks were not compared where an answer has no date', async () => {
    const respond = (): Reply => ({ status: 200, headers: { date: '' }, body: JSON.stringify({ status: 'ok' }) })
    const receiver = await startReceiver({ respond })
    onTestFinished(() => receiver.close())
    const { wrong } = await examine({}, ['--server', receiver.url])
    expect(wrong).toContainEqual(
      expect.objectContaining({ check: 'clock', status: 'warning', message: expect.stringContaining('not compared') }),
    )
  })

  test('takes an address that ends in a slash', async () => {
    const { found } = await examine({}, ['--server', `${service.url}/`])
    expect(found[0]).toMatchObject({ check: 'server', status: 'ok' })
  })

  test('says that https is wrong where the server speaks none', async () => {
    const { found } = await examine({}, ['--server', service.url.replace('http:', 'https:')])
    expect(found).toEqual([expect.objectContaining({ check: 'server', mend: expect.stringContaining('http://') })])
  })
})
