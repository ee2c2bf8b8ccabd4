import pg from 'pg'
import { destroy } from './end-if-silent.ts'
import { mayBeRenewed } from './shared-connections.ts'

const LISTEN_RETRY_MS = 1_000

interface ListenerOptions {
  /** Leads to PostgreSQL itself: poolers pass no notifications on. */
  connections: pg.ClientConfig
  /** Runs on each new connection. */
  prepare: string
  onError: (error: Error) => void
}

/** One connection that listens on every channel, replaced when it breaks. */
export class Listeners {
  readonly #options: ListenerOptions
  readonly #wakes = new Map<string, Set<() => void>>()
  #client: pg.Client | undefined
  #openedAt = 0
  #retry: NodeJS.Timeout | undefined
  #closed = false

  constructor(options: ListenerOptions) {
    this.#options = options
  }

  /** Whether notifications arrive now; true while nothing is to be heard. */
  get isConnected(): boolean {
    return this.#wakes.size === 0 || this.#client !== undefined
  }

  async add(channel: string, wake: () => void): Promise<void> {
    const known = this.#wakes.get(channel)
    if (known) {
      known.add(wake)
      return
    }
    this.#wakes.set(channel, new Set([wake]))
    if (this.#client) await this.#client.query(`listen ${pg.escapeIdentifier(channel)}`)
    else await this.#connect()
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({ ...this.#options.connections, pipeline: false })
    client.on('error', (error) => this.#lost(client, error))
    client.on('end', () => this.#lost(client))
    client.on('notification', ({ channel }) => this.#wake(channel))
    try {
      await client.connect()
      await client.query(this.#options.prepare)
      for (const channel of this.#wakes.keys()) await client.query(`listen ${pg.escapeIdentifier(channel)}`)
      if (this.#closed) return await client.end()
      this.#client = client
      this.#openedAt = performance.now()
      for (const channel of this.#wakes.keys()) this.#wake(channel)
    } catch (error) {
      this.#lost(client, error instanceof Error ? error : new Error(String(error)))
      client.end().catch(() => {})
    }
  }

  /** Leaves a connection whose peer may be gone, or takes no writes. It is replaced as one that breaks. */
  renew(): void {
    if (this.#client && mayBeRenewed(this.#openedAt)) destroy(this.#client)
  }

  #wake(channel: string): void {
    for (const wake of this.#wakes.get(channel) ?? []) wake()
  }

  #lost(client: pg.Client, error?: Error): void {
    if (error) this.#options.onError(error)
    if (this.#client === client) this.#client = undefined
    if (this.#closed || this.#retry) return
    this.#retry = setTimeout(() => {
      this.#retry = undefined
      void this.#connect()
    }, LISTEN_RETRY_MS)
    this.#retry.unref()
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#retry)
    await this.#client?.end()
  }
}
