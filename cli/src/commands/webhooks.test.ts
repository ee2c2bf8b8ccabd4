import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { verifyWebhook } from '../../../client/src/index.ts'
import { buildOnce } from '../../../server/test/process.ts'
import { startReceiver } from '../../../server/test/receiver.ts'
import { newWorkspace, type Service, startConfigured } from '../../../server/test/running-service.ts'
import { newWebhookWorkspace, type WebhookWorkspace } from '../../../server/test/webhook-workspace.ts'
import { callerOf, precedent, type Running, startPrecedent } from '../../test/command-line.ts'

let service: Service
let ws: WebhookWorkspace
let env: Record<string, string>

beforeAll(async () => {
  await buildOnce()
  // Its clock is its own: the command line verifies the times of requests.
  service = await startConfigured({})
})
beforeEach(async () => {
  ws = await newWebhookWorkspace(service)
  env = callerOf(service, ws)
})

async function listening(...args: string[]): Promise<Running> {
  const running = startPrecedent(['webhooks', 'listen', '--port', '0', ...args], env)
  await vi.waitFor(() => expect(running.errors()).toContain('Listening on'), 15_000)
  onTestFinished(() => running.interrupt())
  return running
}
const addressOf = (running: Running) => /Listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(running.errors())?.[1] ?? ''
const endpoints = async () => (await ws.ok('/v2/workspace/advancedwebhook/endpoints/get', {})).data.endpoints

describe('precedent webhooks listen', () => {
  test('makes a temporary endpoint, verifies and shows each event, and deletes the endpoint at the end', async () => {
    const running = await listening()
    expect(await endpoints()).toHaveLength(1)
    await ws.emit('comment.add')
    await service.drainJobs()
    await vi.waitFor(
      () => expect(running.output()).toMatch(/comment\.add {2}msg_\S+ {2}verified, answered 204/),
      15_000,
    )
    expect(running.output()).toContain('"n": 1')
    running.interrupt()
    expect(await running.ended).toMatchObject({ code: 0 })
    expect(await endpoints()).toEqual([])
  })

  test('ends where webhooks are switched off, and says how to switch them on', async () => {
    const off = await newWorkspace(service)
    const { code, output, errors } = await precedent(['webhooks', 'listen', '--port', '0'], callerOf(service, off))
    expect([code, output]).toEqual([1, ''])
    expect(errors).toContain('precedent call updateAdvancedWebhookConfig --is-enabled')
  })

  test('sends a verified request on as it came, and returns the status of the answer', async () => {
    const local = await startReceiver({ respond: () => ({ status: 418 }) })
    onTestFinished(() => local.close())
    const running = await listening('--forward', `${local.url}/hook`, '--json')
    const [endpoint] = await endpoints()
    const hint = `precedent call getEndpointSecret --endpoint-id ${endpoint?.id}`
    await vi.waitFor(() => expect(running.errors()).toContain(hint), 15_000)
    const { output } = await precedent(hint.split(' ').slice(1), env)
    await ws.emit('comment.add')
    await service.drainJobs()
    const [request] = await local.next()
    expect(request).toMatchObject({ method: 'POST', url: '/hook' })
    expect(request?.headers).toMatchObject({ 'webhook-id': expect.stringMatching(/^msg_/) })
    const body = request?.body.toString() ?? ''
    expect(await verifyWebhook(body, request?.headers ?? {}, JSON.parse(output).secret)).toMatchObject({
      data: { n: 1 },
    })
    await vi.waitFor(
      () => expect(JSON.parse(running.output().split('\n')[0] ?? '')).toMatchObject({ status: 418 }),
      15_000,
    )
  })

  test('takes no address to send on to that is not of http', async () => {
    const running = startPrecedent(['webhooks', 'listen', '--port', '0', '--forward', 'localhost:3000/hook'], env)
    onTestFinished(() => running.kill())
    const { code, errors } = await running.ended
    expect([code, errors]).toEqual([
      2,
      expect.stringContaining(
        '--forward takes the address of a program: localhost:3000/hook is no http or https address.',
      ),
    ])
    expect(await endpoints()).toEqual([])
  })

  test('refuses a forged request with 401 and does not send it on', async () => {
    const local = await startReceiver()
    onTestFinished(() => local.close())
    const running = await listening('--forward', local.url)
    const headers = {
      'webhook-id': 'msg_x',
      'webhook-timestamp': `${Math.floor(Date.now() / 1000)}`,
      'webhook-signature': 'v1,AAAA',
    }
    const { status } = await fetch(addressOf(running), { method: 'POST', headers, body: '{}' })
    expect(status).toBe(401)
    await vi.waitFor(() => expect(running.output()).toContain('REFUSED'), 15_000)
    expect(local.received()).toEqual([])
  })

  test('--endpoint receives for an endpoint that stays; WEBHOOK_SECRET needs no server', async () => {
    const { id } = await ws.createEndpoint({ url: 'http://127.0.0.1:59990/' })
    const running = await listening('--endpoint', id)
    running.interrupt()
    await running.ended
    expect(await endpoints()).toMatchObject([{ id }])
    env = { XDG_CONFIG_HOME: '/nonexistent', WEBHOOK_SECRET: 'whsec_plJ3nmyCDGBKInavdOK15jsl' }
    expect((await listening()).errors()).not.toContain('endpoint')
  })

  test('a local address that does not answer is returned as 502, so the server tries again', async () => {
    const running = await listening('--forward', 'http://127.0.0.1:59989/')
    await ws.emit('comment.add')
    await service.drainJobs()
    await vi.waitFor(() => expect(running.output()).toContain('answered 502'), 15_000)
    await vi.waitFor(() => expect(running.errors()).toContain('ECONNREFUSED'), 15_000)
  })

  test('a port that is taken is named', async () => {
    const local = await startReceiver()
    onTestFinished(() => local.close())
    const { port } = new URL(local.url)
    const { code, errors } = await precedent(['webhooks', 'listen', '--port', port], env)
    expect([code, errors]).toEqual([1, expect.stringContaining(`Port ${port} cannot be used`)])
    expect(await endpoints()).toEqual([])
  })
})

describe('precedent webhooks replay and events tail', () => {
  test('a replay sends the events of the range again', async () => {
    const local = await startReceiver()
    onTestFinished(() => local.close())
    const { id } = await ws.createEndpoint({ url: local.url })
    await ws.emit('comment.add', [{}, {}])
    await service.drainJobs()
    const { output } = await precedent(['webhooks', 'replay', id, '--from', '2020-01-01', '--json'], env)
    expect(JSON.parse(output)).toEqual({ queued: 2 })
    await service.drainJobs()
    expect(local.received()).toHaveLength(4)
    const wrong = await precedent(['webhooks', 'replay', id], env)
    expect([wrong.code, wrong.errors]).toEqual([2, expect.stringContaining('--from or --to is missing')])
  })

  test('events tail shows each event once although two endpoints receive it, with its content for programs', async () => {
    for (const name of ['a', 'b']) await ws.createEndpoint({ url: `http://127.0.0.1:59988/${name}` })
    await ws.emit('comment.add')
    const running = startPrecedent(['events', 'tail', '--json', '--interval', '0.2'], env)
    const shown = () =>
      running
        .output()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    await vi.waitFor(
      () => expect(shown()).toMatchObject([{ type: 'comment.add', payload: { data: { n: 1 } } }]),
      15_000,
    )
    await ws.emit('comment.update')
    await vi.waitFor(() => expect(shown().map(({ type }) => type)).toEqual(['comment.add', 'comment.update']), 15_000)
    running.interrupt()
    await running.ended
    const people = await precedent(['events', 'tail', '--no-follow', '--type', 'comment.update'], env)
    expect(people.output).toMatch(/^\S+ \S+ {2}comment\.update +msg_\S+\n$/)
  })
})
