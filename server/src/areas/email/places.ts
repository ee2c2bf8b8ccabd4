import { MAX_CONNECTIONS } from '../../platform/outbound/mail.ts'
import type { Claimed } from './claim.ts'

// Neither provider waits for the other.
const MAX_BY_SENDGRID = 64
const MAX_BY_MAIL_SERVER = MAX_CONNECTIONS
const MAX_PER_KEY = 4
// The last places of each are for API keys that have no email in progress.
const SHARE_FOR_FIRSTS = 1 / 4
// A claim passes over the emails of busy API keys and of the other provider: 50 ms for 100,000 on two cores.
const PAUSE_MS = 1_000

/** How many emails may be claimed. */
export interface Places {
  count: number
  /** How many of an API key, those in progress included. */
  perKey: number
  /** Of which provider; undefined: of both together. */
  bySendgrid?: boolean
}

type Sending = Iterable<Pick<Claimed, 'apiKey' | 'bySendgrid'>>

/**
 * The places that the emails in progress leave: for both providers together while each has many, else for each on its
 * own. The last quarter of a provider's places is for one email each of API keys that have none.
 */
export function freePlaces(sending: Sending): Places[] {
  const emails = [...sending]
  const bySendgrid = emails.filter((email) => email.bySendgrid).length
  const ofSendgrid = { ...placesOf(MAX_BY_SENDGRID, bySendgrid), bySendgrid: true }
  const ofMailServer = { ...placesOf(MAX_BY_MAIL_SERVER, emails.length - bySendgrid), bySendgrid: false }
  if (ofSendgrid.perKey === MAX_PER_KEY && ofMailServer.perKey === MAX_PER_KEY) {
    return [{ count: Math.min(ofSendgrid.count, ofMailServer.count), perKey: MAX_PER_KEY }]
  }
  return [ofMailServer, ofSendgrid].filter(({ count }) => count > 0)
}

function placesOf(max: number, taken: number): Places {
  const free = max - taken
  const forFirsts = max * SHARE_FOR_FIRSTS
  return free > forFirsts ? { count: free - forFirsts, perKey: MAX_PER_KEY } : { count: free, perKey: 1 }
}

/** How many more emails each API key may have that has some in progress. */
export function roomsOf(sending: Sending, { perKey }: Places): Map<string, number> {
  const rooms = new Map<string, number>()
  for (const { apiKey } of sending) rooms.set(apiKey, Math.max(0, (rooms.get(apiKey) ?? perKey) - 1))
  return rooms
}

/** Remembers claims that passed over emails and found none, so that they are not made again at once. */
export class FruitlessClaims {
  readonly #last = new Map<Places['bySendgrid'], { passedOver: string[]; until: number }>()

  /** Whether such a claim has lately found none, and all API keys that it passed over are still busy. */
  includes({ bySendgrid }: Places, busy: ReadonlySet<string>, now: number): boolean {
    const last = this.#last.get(bySendgrid)
    return last !== undefined && now < last.until && last.passedOver.every((key) => busy.has(key))
  }

  /** Takes note of a claim that passed over the API keys `busy`, and found `count` emails. */
  note({ bySendgrid }: Places, busy: ReadonlySet<string>, count: number, now: number): void {
    const passesOver = bySendgrid !== undefined || busy.size > 0
    if (count > 0) this.#last.delete(bySendgrid)
    else if (passesOver) this.#last.set(bySendgrid, { passedOver: [...busy], until: now + PAUSE_MS })
  }
}
