import { type ChildProcess, fork } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { AS_STARTED, built } from '../built.ts'
import type { Role, Seen, Told } from './process.ts'

const PATIENCE_MS = 120_000

/** The processes of the benchmark; one that ends by itself ends all of it. */
export class Processes {
  readonly #program: string
  readonly #children: ChildProcess[] = []

  private constructor(program: string) {
    this.#program = program
  }

  static async build(): Promise<Processes> {
    return new Processes(await built('webhooks/process'))
  }

  async receiver(): Promise<Receiver> {
    const { child, ready } = await this.#start({ role: 'receiver' })
    return new Receiver(child, `http://127.0.0.1:${ready.port}`)
  }

  async worker(env: Record<string, string>): Promise<DeliveryWorker> {
    return new DeliveryWorker((await this.#start({ role: 'worker', env })).child)
  }

  /** A bare loop; the answered function runs it with a concurrency for so long and answers its requests a second. */
  async loop(role: Omit<Role & { role: 'loop' }, 'role'>) {
    const { child } = await this.#start({ role: 'loop', ...role })
    return async (concurrency: number, seconds: number): Promise<number> => {
      child.send({ concurrency, seconds })
      const [{ perSecond }] = await once(child, 'message')
      return perSecond
    }
  }

  stop(): void {
    for (const child of this.#children.splice(0)) child.removeAllListeners('exit').kill()
  }

  async #start(role: Role) {
    const child = fork(this.#program, AS_STARTED)
    this.#children.push(child)
    child.once('exit', (code, signal) => {
      process.stderr.write(`The process of the ${role.role} has ended (${code ?? signal}).\n`)
      process.exit(1)
    })
    child.send(role)
    const [ready] = await once(child, 'message')
    return { child, ready }
  }
}

/** The receiver's process, as seen from here. */
export class Receiver extends EventEmitter {
  readonly url: string
  readonly #child: ChildProcess
  arrived = 0

  constructor(child: ChildProcess, url: string) {
    super()
    this.url = url
    this.#child = child
    child.on('message', (message: { arrived: number } | { seen: Seen }) => {
      if ('seen' in message) this.emit('seen', message.seen)
      else {
        this.arrived = message.arrived
        this.emit('arrival')
      }
    })
  }

  async arrivals(count: number): Promise<void> {
    while (this.arrived < count) await this.arrival()
  }

  /** The next report of arrivals. */
  async arrival(): Promise<void> {
    await once(this, 'arrival', { signal: AbortSignal.timeout(PATIENCE_MS) })
  }

  async tell(message: Told): Promise<Seen> {
    this.#child.send(message)
    const [seen] = await once(this, 'seen')
    if (message.reset) this.arrived = 0
    return seen
  }
}

/** The process that delivers. */
class DeliveryWorker {
  readonly #child: ChildProcess

  constructor(child: ChildProcess) {
    this.#child = child
  }

  /** Answers when nothing is under way any more. */
  async hold(): Promise<void> {
    this.#child.send('hold')
    await once(this.#child, 'message')
  }

  go(): void {
    this.#child.send('go')
  }
}
