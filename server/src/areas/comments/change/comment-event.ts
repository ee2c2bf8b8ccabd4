import { together } from '../../../platform/db/db.ts'
import { piecewise } from '../../../platform/db/meanwhile.ts'
import { type Emit, internalEvent, type PublicPayload, publicEvent } from '../../../platform/event.ts'
import { byteBudget } from './abridge.ts'
import { type CommentChange, EVENT_TYPES } from './change.ts'
import { payloadBuilder } from './comment-event-payload.ts'

/**
 * Every change to a thread. Activities, notifications, email and judgments react to it. `triggerNotification` and
 * `triggerActivities` do not filter it; subscribers check them.
 */
export const commentChanged = internalEvent<CommentChange>('commentChanged')

const publicEvents = new Map(Object.values(EVENT_TYPES).map((type) => [type, publicEvent<PublicPayload>(type)]))

/** So many events are made at a time. The database takes about as long to store them as the process to make the next. */
const PIECE = 50

/**
 * Emits changes: each to this service, and to customers those whose `triggerNotification` is not false. `total` is how
 * many the call makes, where these are one batch of them.
 */
export async function emitCommentChanges(
  emit: Emit,
  apiKey: string,
  changes: CommentChange[],
  total = 0,
): Promise<void> {
  const { prepare, payload } = payloadBuilder(apiKey, byteBudget(Math.max(changes.length, total)))
  await together([emit(commentChanged, changes), announce()])

  async function announce() {
    // What is announced of one thread travels in the packet of its statements.
    const preparing = prepare(changes)
    if (preparing !== undefined) await preparing
    for (const [type, event] of publicEvents) {
      const told = changes.filter((change) => change.triggerNotification && EVENT_TYPES[change.action] === type)
      await piecewise(told, PIECE, (piece) =>
        emit(
          event,
          piece.map((change) => payload(type, change)),
        ),
      )
    }
  }
}
