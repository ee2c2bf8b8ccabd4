import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A way to a database that holds everything back. */
interface DelayingProxy {
  /** The address of the database by this way. */
  url: string
  /** How long what is sent is held back on either way, in ms. What is on its way already is not concerned. */
  delay(milliseconds: number): void
}

/**
 * Listens on a port of this machine and passes all on to the database, at first without delay. It ends with the
 * process.
 */
export async function startDelayingProxy(databaseUrl: string): Promise<DelayingProxy> {
  const target = new URL(databaseUrl)
  let delayMs = 0
  const passOn = (from: Socket, to: Socket) => {
    from.setNoDelay(true)
    from.on('data', (data) => {
      if (delayMs > 0) setTimeout(() => to.write(data), delayMs)
      else to.write(data)
    })
    from.on('close', () => to.destroy())
    from.on('error', () => to.destroy())
  }
  const server = createServer((near) => {
    const far = connect({ host: target.hostname, port: Number(target.port) })
    passOn(near, far)
    passOn(far, near)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${typeof address === 'object' && address ? address.port : ''}`
  return {
    url: url.href,
    delay(milliseconds) {
      delayMs = milliseconds
    },
  }
}
