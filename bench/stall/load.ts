import { setMaxListeners } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { Pool } from 'undici'
import type { Credentials } from '../subject.ts'
import type { Hostile } from './corpus.ts'
import type { SmallServer } from './small-server.ts'

export interface Load {
  connections: number
  seconds: number
}

// How long after the end of a load an answer is waited for.
const GRACE_MS = 20_000

export const headersOf = ({ apiKey, authToken }: Credentials) => ({
  'content-type': 'application/json',
  'x-service-api-key': apiKey,
  'x-service-auth-token': authToken,
})

/** Sends the request over and over on every connection; returns how many answers came, by status. */
export async function send(server: SmallServer, attacker: Credentials, hostile: Hostile, load: Load): Promise<string> {
  const pool = new Pool(server.url, { connections: load.connections, pipelining: 1 })
  const headers = hostile.isAnonymous ? { 'content-type': 'application/json' } : headersOf(attacker)
  const end = performance.now() + load.seconds * 1_000
  const signal = AbortSignal.timeout(load.seconds * 1_000 + GRACE_MS)
  setMaxListeners(0, signal)
  const statuses = new Map<string, number>()
  const loop = async () => {
    while (performance.now() < end && !server.hasEnded) {
      const status = await pool
        .request({ method: 'POST', path: hostile.path, headers, body: hostile.body, signal })
        .then(async (answer) => {
          for await (const _ of answer.body);
          return String(answer.statusCode)
        })
        .catch(() => 'broken')
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status === 'broken') await delay(50)
    }
  }
  await Promise.all(Array.from({ length: load.connections }, loop))
  await pool.destroy()
  return [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')
}

/** Sends the request once on every connection and reads nothing of the answers. */
export async function holdOpen(server: SmallServer, attacker: Credentials, hostile: Hostile, load: Load) {
  const { path, body } = hostile
  const all = { ...headersOf(attacker), host: 'x', 'content-length': String(Buffer.byteLength(body)) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  const sockets = Array.from({ length: load.connections }, () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    socket.on('error', () => {})
    socket.pause()
    socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
    return socket
  })
  await delay(load.seconds * 1_000)
  for (const socket of sockets) socket.destroy()
  return `${load.connections} left open`
}
