import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { Arrivals } from './arrivals.ts'
import { type Message, parseMessage } from './message.ts'

/** A delivered message: its envelope, its bytes, and what a reader would see of it. */
export interface Mail extends Message {
  from: string
  to: string[]
  raw: string
  /** Whether the connection was encrypted. */
  isSecure: boolean
}

export interface Mailbox {
  host: string
  port: number
  received(): Mail[]
  /** Resolves with the first `count` messages once that many have arrived; rejects after ten seconds. */
  next(count?: number): Promise<Mail[]>
  /** Refuses connections until `up()`, on the same port. */
  down(): Promise<void>
  up(): Promise<void>
  close(): Promise<void>
}

/**
 * A mail server on loopback that records what it accepts. With `credentials` it demands them of every sender. With
 * `tls` it speaks TLS from the first byte, with a self-made certificate. It answers to no message before `accepts` has
 * settled.
 */
export async function startMailbox({
  credentials,
  tls = false,
  accepts = Promise.resolve(),
}: {
  credentials?: { user: string; password: string }
  tls?: boolean
  accepts?: Promise<void>
} = {}): Promise<Mailbox> {
  const arrivals = new Arrivals<Mail>()
  let server = await listen(0)
  const { port } = server.server.address() as AddressInfo
  const down = () => new Promise<void>((resolve) => server.close(() => resolve()))

  return {
    host: '127.0.0.1',
    port,
    received: () => arrivals.all(),
    next: (count = 1) => arrivals.first(count),
    down,
    up: async () => {
      server = await listen(port)
    },
    close: down,
  }

  async function listen(at: number): Promise<SMTPServer> {
    const smtp = new SMTPServer({
      secure: tls,
      disabledCommands: ['STARTTLS'],
      disableReverseLookup: true,
      allowInsecureAuth: true,
      authOptional: credentials === undefined,
      closeTimeout: 100,
      onAuth({ username, password }, _session, done) {
        const known = !credentials || (username === credentials.user && password === credentials.password)
        done(known ? null : new Error('Invalid username or password'), { user: username })
      },
      onData(stream, { envelope, secure: isSecure }, done) {
        stream.toArray().then((chunks) => {
          const raw = Buffer.concat(chunks).toString('utf8')
          const from = envelope.mailFrom ? envelope.mailFrom.address : ''
          arrivals.add({ ...parseMessage(raw), from, to: envelope.rcptTo.map(({ address }) => address), raw, isSecure })
          void accepts.then(() => done())
        }, done)
      },
    })
    // A sender that disconnects is part of some tests.
    smtp.on('error', () => {})
    smtp.listen(at, '127.0.0.1')
    await once(smtp.server, 'listening')
    return smtp
  }
}
