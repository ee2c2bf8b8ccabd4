import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, together } from '../../../platform/db/db.ts'
import { piecewise } from '../../../platform/db/meanwhile.ts'
import { type Emit, internalEvent, type PublicPayload, publicEvent } from '../../../platform/event.ts'
import { byteBudget } from './abridge.ts'
import { readAudience } from './audience.ts'
import { type CommentChange, EVENT_TYPE_OF } from './change.ts'
import { payloadBuilder } from './comment-event-payload.ts'

/**
 * Every change to a thread. Activities, notifications, email and judgments react to it. `triggerNotification` and
 * `triggerActivities` do not filter it; subscribers check them.
 */
export const commentChanged = internalEvent<CommentChange>('commentChanged')

const publicEvents = new Map(Object.values(EVENT_TYPE_OF).map((type) => [type, publicEvent<PublicPayload>(type)]))

/**
 * So many events are made at a time. The database takes about as long to store them as the process to make the next.
 */
const PIECE = 50

/**
 * Emits changes: each to this service, and to customers those whose `triggerNotification` is not false. `total` is how
 * many the call makes, where these are one batch of them.
 */
export async function emitCommentChanges(
  { db, tenant, emit }: { db: Db; tenant: ApiKeyTenant; emit: Emit },
  changes: CommentChange[],
  total = 0,
): Promise<void> {
  const { prepare, payload } = payloadBuilder(tenant.apiKey, byteBudget(Math.max(changes.length, total)))
  const parts = total > changes.length ? changes.map((change) => ({ ...change, ofTotal: total })) : changes
  await together([emit(commentChanged, parts), announce(changes.filter((change) => change.triggerNotification))])

  async function announce(told: CommentChange[]) {
    // What is announced of one thread travels in the packet of its statements.
    const preparing = prepare(told)
    if (preparing !== undefined) await preparing
    const reading = readAudience(db, tenant, told)
    const audience = reading === undefined ? undefined : await reading
    for (const [type, event] of publicEvents) {
      const ofType = told.filter(({ action }) => EVENT_TYPE_OF[action] === type)
      await piecewise(ofType, PIECE, (piece) =>
        emit(
          event,
          piece.map((change) => payload(type, change, audience)),
        ),
      )
    }
  }
}
