import type { WorkerContext } from '../../platform/context.ts'
import { type Db, type Sql, sql } from '../../platform/db/db.ts'
import { type Backlog, measureBacklog } from '../../platform/work/backlog.ts'
import { InProgress } from '../../platform/work/in-progress.ts'
import { sleepUntil } from '../../platform/work/sleep-until.ts'
import type { Source } from '../../platform/work/worker.ts'
import { attemptEmail, NO_MAIL_SERVER } from './attempt.ts'
import { type Claimed, claimDue, dueEmails, emailRetries, type Outcome, recordOutcome } from './claim.ts'
import { FruitlessClaims, freePlaces, type Places, roomsOf } from './places.ts'

// A connection may be lost for seconds. After much longer, the lease of the email ends.
const RETRIES_MS = [100, 500, 2_000, 5_000]

/**
 * Sends due emails: at a time at most 64 by SendGrid and 16 by the operator's mail server, and 4 of an API key. The
 * last quarter of the places goes to API keys that have none, so neither a busy API key nor a few whose emails hang
 * hold up the others. Where one of the two hangs, the other's emails wait for a few seconds at most.
 *
 * A process without a mail server leaves its emails to processes that have one; they are skipped while there is none. A
 * warning is logged if links in emails would lead to the listen address.
 */
export function emailDeliveries(context: WorkerContext): Source {
  const { mailer, services } = context
  if (mailer && services.config.publicUrl === undefined) services.log.warn(NO_PUBLIC_URL)
  return new Deliveries(context)
}

const NO_PUBLIC_URL =
  'PUBLIC_URL is not set: the unsubscribe links in emails lead to the address that the server listens on, which their readers may not reach'

class Deliveries implements Source {
  readonly name = 'emails'
  readonly #context: WorkerContext
  readonly #sending = new InProgress<Claimed>()
  readonly #fruitless = new FruitlessClaims()
  #hasWarned = false
  #schedule: (inMs: number) => void = () => {}

  constructor(context: WorkerContext) {
    this.#context = context
  }

  async work(schedule: (inMs: number) => void): Promise<number> {
    this.#schedule = schedule
    let claimed = 0
    for (const places of freePlaces(this.#sending.items())) claimed += await this.#claim(places)
    return claimed
  }

  async #claim(places: Places): Promise<number> {
    const { db, services, mailer } = this.#context
    const now = services.clock.now()
    const rooms = roomsOf(this.#sending.items(), places)
    const busy = new Set([...rooms.keys()].filter((key) => rooms.get(key) === 0))
    if (this.#fruitless.includes(places, busy, now)) return 0
    const claimed = await claimDue(db, { ...places, rooms, leavesMail: mailer === undefined, now })
    this.#fruitless.note(places, busy, claimed.length, now)
    for (const email of claimed) this.#start(email)
    return claimed.length
  }

  due(): Sql {
    return sql`exists (select from ${dueEmails(this.#context.services.clock.now())})`
  }

  async backlog(db: Db, now: number): Promise<Backlog[]> {
    return Promise.all([
      measureBacklog(db, 'emails', dueEmails(now)),
      measureBacklog(db, 'email_retries', emailRetries(now)),
    ])
  }

  settle(): Promise<number> {
    return this.#sending.settle()
  }

  #start(email: Claimed): void {
    this.#sending.add(email, this.#deliver(email), () => this.#schedule(0))
  }

  /** Any other failure here is retried when the lease ends. */
  async #deliver(email: Claimed): Promise<void> {
    const { reads, services, mailer } = this.#context
    try {
      const outcome = await attemptEmail(reads, email, services, mailer)
      services.metrics.emails.inc({ outcome: outcome.status === 'waiting' ? 'retried' : outcome.status })
      this.#warnOnce(outcome)
      await this.#record(email, outcome)
    } catch (error) {
      services.log.error({ err: error, email: email.id, attempt: email.attempt }, 'an email could not be worked on')
    }
  }

  /** Tries several times: an email whose outcome is lost is sent again. */
  async #record(email: Claimed, outcome: Outcome): Promise<void> {
    const { db, services } = this.#context
    for (const wait of RETRIES_MS) {
      try {
        return await recordOutcome(db, email, outcome)
      } catch (error) {
        const about = { err: error, email: email.id, retryInMs: wait }
        services.log.error(about, 'the outcome of an email could not be recorded')
        await sleepUntil(services.clock.now() + wait, services.clock)
      }
    }
    await recordOutcome(db, email, outcome)
  }

  #warnOnce({ error }: Outcome): void {
    if (error !== NO_MAIL_SERVER || this.#hasWarned) return
    this.#hasWarned = true
    this.#context.services.log.warn('emails are skipped: SMTP_URL is not set')
  }
}
