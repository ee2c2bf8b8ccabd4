import type { WorkerContext } from '../../platform/context.ts'
import { type Db, type Sql, sql } from '../../platform/db/db.ts'
import { type Backlog, measureBacklog } from '../../platform/work/backlog.ts'
import { sleepUntil } from '../../platform/work/sleep-until.ts'
import type { Source } from '../../platform/work/worker.ts'
import { attemptEmail, NO_MAIL_SERVER } from './attempt.ts'
import { type Claimed, claimDue, dueEmails, type Outcome, recordOutcome } from './claim.ts'

// Neither waits for the other. The mail server is sent eight messages at a time; the others wait for a connection.
const MAX_BY_SENDGRID = 64
const MAX_BY_MAIL_SERVER = 32
const MAX_PER_KEY = 8
// Looking for the emails of one provider alone passes over those of the other: 50 ms for 100,000 on two cores.
const REST_MS = 1_000
// A connection may be lost for seconds. After much longer, the lease of the email ends.
const RETRIES_MS = [100, 500, 2_000, 5_000]

/**
 * Sends due emails: at a time at most 64 by SendGrid and 32 by the operator's mail server. An API key that has fewer
 * than 8 gets up to 8 more. So neither a busy key nor its slow provider delays the others. Where one of the two hangs, the other's emails wait for a few
 * seconds at most. Logs a warning if links in emails would lead to the listen address.
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
  readonly #sending = new Map<Promise<void>, Claimed>()
  #ended = 0
  /** Until then there is no looking for the emails of one provider alone. */
  #restsUntil = 0
  #hasWarned = false
  #again: (inMs: number) => void = () => {}

  constructor(context: WorkerContext) {
    this.#context = context
  }

  async work(again: (inMs: number) => void): Promise<number> {
    this.#again = again
    const places = this.#places()
    const { db, services } = this.#context
    const now = services.clock.now()
    const isOfOne = places.bySendgrid !== undefined
    if (places.count === 0 || (isOfOne && now < this.#restsUntil)) return 0
    const claimed = await claimDue(db, { ...places, perKey: MAX_PER_KEY, busy: this.#busy(), now })
    if (isOfOne && claimed.length === 0) this.#restsUntil = now + REST_MS
    for (const email of claimed) this.#start(email)
    return claimed.length
  }

  due(): Sql {
    return sql`exists (select from ${dueEmails(this.#context.services.clock.now())})`
  }

  async backlog(db: Db, now: number): Promise<Backlog[]> {
    return [await measureBacklog(db, 'emails', dueEmails(now))]
  }

  async settle(): Promise<number> {
    if (this.#sending.size > 0) await Promise.race(this.#sending.keys())
    const ended = this.#ended
    this.#ended = 0
    return ended
  }

  /** How many emails may be claimed, and of which provider: of any while both have places. */
  #places(): { count: number; bySendgrid?: boolean } {
    const taken = [...this.#sending.values()].filter(({ bySendgrid }) => bySendgrid).length
    const ofSendgrid = MAX_BY_SENDGRID - taken
    const ofMailServer = MAX_BY_MAIL_SERVER - (this.#sending.size - taken)
    if (ofSendgrid > 0 && ofMailServer > 0) return { count: Math.min(ofSendgrid, ofMailServer) }
    return ofSendgrid > 0 ? { count: ofSendgrid, bySendgrid: true } : { count: ofMailServer, bySendgrid: false }
  }

  #busy(): string[] {
    const keys = [...this.#sending.values()].map(({ apiKey }) => apiKey)
    return [...new Set(keys)].filter((key) => keys.filter((each) => each === key).length >= MAX_PER_KEY)
  }

  #start(email: Claimed): void {
    const sent = this.#deliver(email).finally(() => {
      this.#sending.delete(sent)
      this.#ended++
      this.#again(0)
    })
    this.#sending.set(sent, email)
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
