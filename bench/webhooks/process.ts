import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { Agent, request } from 'undici'
import { createApp } from '../../server/src/app.ts'
import { openDatabase, openSecretKeys } from '../../server/src/open-database.ts'
import { readConfig } from '../../server/src/platform/config.ts'
import { createLog } from '../../server/src/platform/log.ts'
import { epochNow } from './clock.ts'

/** A request with everything but its host, signed beforehand. */
export interface Signed {
  path: string
  headers: Record<string, string>
  body: string
}

/** What a process is told to be: the receiver of deliveries, the worker that sends them, or the bare loop. */
export type Role =
  | { role: 'receiver' }
  | { role: 'worker'; env: Record<string, string> }
  | { role: 'loop'; url: string; requests: Signed[] }

/**
 * What the receiver has seen since the last `reset`; latencies by path, in milliseconds from the begin of the event's
 * transaction.
 */
export interface Seen {
  arrived: number
  refused: number
  repeated: number
  latencies: Record<string, number[]>
}

/** What the receiver is told: secrets by path, paths that are never answered from now on, to begin anew. */
export interface Told {
  secrets?: Record<string, string>
  hanging?: string[]
  reset?: true
}

// Each report takes the writer and the receiver about as long as a delivery.
const REPORT_MS = 1

process.once('message', async (role: Role) => {
  if (role.role === 'receiver') await receive()
  if (role.role === 'worker') await work(role.env)
  if (role.role === 'loop') await loop(role.url, role.requests)
})

/**
 * Answers 204 to what is signed with the secret of its path, and reports how much has arrived as it comes. To each
 * message it answers what it has seen.
 */
async function receive(): Promise<void> {
  const keys = new Map<string, Buffer>()
  const ids = new Set<string>()
  const silent = new Set<string>()
  let seen = nothingSeen()
  let isReporting = false
  const report = () => {
    isReporting = false
    process.send?.({ arrived: seen.arrived })
  }
  const note = (path: string, body: string) => {
    const { webhookId, emittedAt } = JSON.parse(body)
    seen.arrived++
    seen.latencies[path] ??= []
    seen.latencies[path].push(epochNow() - emittedAt)
    if (ids.has(webhookId)) seen.repeated++
    ids.add(webhookId)
  }
  const server = createServer(async (incoming, response) => {
    const { url: path = '' } = incoming
    const body = await textOf(incoming)
    if (silent.has(path)) return
    const accepted = isSigned(incoming, body, keys.get(path))
    if (accepted) note(path, body)
    else seen.refused++
    response.writeHead(accepted ? 204 : 400).end()
    if (!isReporting) setTimeout(report, REPORT_MS)
    isReporting = true
  })
  process.on('message', ({ secrets = {}, hanging = [], reset }: Told) => {
    for (const [path, secret] of Object.entries(secrets)) {
      keys.set(path, Buffer.from(secret.replace('whsec_', ''), 'base64'))
    }
    for (const path of hanging) silent.add(path)
    process.send?.({ seen })
    if (!reset) return
    seen = nothingSeen()
    ids.clear()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  process.send?.({ port: typeof address === 'object' && address ? address.port : 0 })
}

const nothingSeen = (): Seen => ({ arrived: 0, refused: 0, repeated: 0, latencies: {} })

function isSigned({ headers }: IncomingMessage, body: string, key: Buffer | undefined): boolean {
  if (!key) return false
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = headers
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return signature === `v1,${expected}` && JSON.parse(body).webhookId === id
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

/** Works, except between a message `hold` and the next `go`; it answers `held` when nothing is under way any more. */
async function work(env: Record<string, string>): Promise<void> {
  const config = readConfig(env)
  const log = createLog(config)
  const database = await openDatabase(config, log)
  const secretKeys = await openSecretKeys(config)
  let app = createApp({ config, database, secretKeys, log })
  process.on('message', async (message: 'hold' | 'go') => {
    if (message === 'go') return app.worker.start()
    await app.worker.stop()
    await app.services.outbound.close()
    app = createApp({ config, database, secretKeys, log })
    process.send?.('held')
  })
  await app.worker.start()
  process.send?.('started')
}

/**
 * Posts the requests in turn, so many at a time, for so long as it is told each time, and reports how many a second.
 */
async function loop(url: string, requests: Signed[]): Promise<void> {
  process.on('message', async ({ concurrency, seconds }: { concurrency: number; seconds: number }) => {
    const agent = new Agent({ connections: concurrency })
    const started = performance.now()
    const end = started + seconds * 1000
    let sent = 0
    const sender = async () => {
      while (performance.now() < end) {
        const next = requests[sent++ % requests.length]
        if (!next) return
        const { path, headers, body } = next
        const answer = await request(url + path, { dispatcher: agent, method: 'POST', headers, body })
        await answer.body.dump()
        if (answer.statusCode !== 204) throw new Error(`The receiver answered ${answer.statusCode}.`)
      }
    }
    await Promise.all(Array.from({ length: concurrency }, sender))
    const perSecond = sent / ((performance.now() - started) / 1000)
    await agent.close()
    process.send?.({ perSecond })
  })
  process.send?.('started')
}
