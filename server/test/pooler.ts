import { createServer, type Socket } from 'node:net'
import { joined } from './ports/joined.ts'
import { listen } from './ports/listen.ts'

interface PoolerOptions {
  /** Whether it keeps track of prepared statements, as PgBouncer does from version 1.21. */
  prepared?: boolean
}

/**
 * Stands in front of a PostgreSQL server as a connection pooler in transaction mode would: it refuses startup
 * parameters, gives its clients process numbers of its own, renames prepared statements, and ends the connection of a
 * client that prepares two of one name. It notes the texts of the statements. Unlike a pooler it gives each client a
 * server connection of its own.
 */
export async function startPooler(target: string, { prepared = true }: PoolerOptions = {}) {
  const statements: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((inbound) => {
    const outbound = joined(inbound, new URL(target), sockets)
    let started = false
    const names = new Set<string>()
    const fromClient = messages(
      () => started,
      (message) => {
        if (started && prepared && takesTakenName(message, names))
          return inbound.end(refusal('prepared statement name is already in use'))
        if (started) return outbound.write(seen(message, prepared, statements))
        started = true
        const refused = startupParameters(message).find(
          (name) => !['user', 'database', 'client_encoding'].includes(name),
        )
        return refused ? inbound.end(refusal(`unsupported startup parameter: ${refused}`)) : outbound.write(message)
      },
    )
    const fromServer = messages(
      () => true,
      (message) => inbound.write(letter(message) === 'K' ? withForeignKey(message) : message),
    )
    inbound.on('data', fromClient)
    outbound.on('data', fromServer)
  })
  const url = new URL(target)
  url.hostname = '127.0.0.1'
  url.port = String(await listen(server))
  return {
    url: url.href,
    /** The texts of all statements so far, as they were sent. */
    statements,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

const letter = (message: Buffer) => String.fromCharCode(message[0] ?? 0)

/** Cuts a stream into the messages of PostgreSQL's protocol. The first of a client has no type. */
function messages(isTyped: () => boolean, each: (message: Buffer) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0)
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      const start = isTyped() ? 1 : 0
      if (rest.length < start + 4) return
      const end = start + rest.readInt32BE(start)
      if (rest.length < end) return
      const message = rest.subarray(0, end)
      rest = rest.subarray(end)
      each(message)
    }
  }
}

function startupParameters(message: Buffer): string[] {
  const parts = message.subarray(8).toString().split('\0')
  return parts.filter((name, i) => i % 2 === 0 && name !== '')
}

function refusal(reason: string): Buffer {
  const fields = ['SFATAL', 'C08P01', `M${reason}`].map((field) => `${field}\0`).join('')
  return framed('E', Buffer.from(`${fields}\0`))
}

function withForeignKey(message: Buffer): Buffer {
  const body = Buffer.from(message.subarray(5))
  body.writeInt32BE(0x7000_0000 + Math.floor(Math.random() * 1_000_000), 0)
  return framed('K', body)
}

/** Whether the message prepares a statement under a name that the client has not closed since. Keeps `names`. */
function takesTakenName(message: Buffer, names: Set<string>): boolean {
  const [first = ''] = message.subarray(5).toString('latin1').split('\0')
  if (letter(message) === 'C' && first.startsWith('S')) names.delete(first.slice(1))
  if (letter(message) !== 'P' || first === '') return false
  const isTaken = names.has(first)
  names.add(first)
  return isTaken
}

/** The message as it goes on to the server. */
function seen(message: Buffer, prepared: boolean, statements: string[]): Buffer {
  const type = letter(message)
  const parts = message.subarray(5).toString('latin1').split('\0')
  if (type === 'Q') statements.push(parts[0] ?? '')
  if (type === 'P') statements.push(parts[1] ?? '')
  if (!prepared) return message
  const renamed = (name = '') => (name === '' ? '' : `POOLER_${name}`)
  if (type === 'P') parts[0] = renamed(parts[0])
  else if (type === 'B') parts[1] = renamed(parts[1])
  else if (/[CD]/.test(type) && parts[0]?.startsWith('S')) parts[0] = `S${renamed(parts[0].slice(1))}`
  else return message
  return framed(type, Buffer.from(parts.join('\0'), 'latin1'))
}

function framed(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(4 + body.length, 1)
  return Buffer.concat([head, body])
}
