import { identifier, Type } from '../../../platform/schema.ts'
import { type People, Person } from '../comment/person.ts'
import { NOT_INVOLVED, type Participant } from '../thread/participant.ts'
import type { Thread } from '../thread/thread.ts'
import type { Step } from './change.ts'

const OWN = 'In threads of others, a viewer whose permissions are verified may name only themselves.'

/** The parameters of an update that change subscriptions to threads, and who has seen them. */
export const subscriptionInput = {
  subscribeUsers: Type.Optional(Type.Array(Person, { description: `Users to subscribe to the threads. ${OWN}` })),
  unsubscribeUsers: Type.Optional(Type.Array(Person, { description: `Users to unsubscribe from the threads. ${OWN}` })),
  viewedByUserIds: Type.Optional(
    Type.Array(identifier('Id of a user.'), { description: `Users who have seen the threads. ${OWN}` }),
  ),
}

/** Users to subscribe to a thread or to unsubscribe from it, and users who have seen it. */
export interface SubscriptionRequest {
  subscribeUsers?: Person[]
  unsubscribeUsers?: Person[]
  viewedByUserIds?: string[]
}

/** Whether a request names nobody but this user. */
export const namesOnly = (userId: string, request: SubscriptionRequest): boolean =>
  [...(request.subscribeUsers ?? []), ...(request.unsubscribeUsers ?? [])].every((user) => user.userId === userId) &&
  (request.viewedByUserIds ?? []).every((id) => id === userId)

/** Applies subscriptions and views to a thread. Returns the thread, and one step for each subscription that changed. */
export function applySubscriptions(thread: Thread, request: SubscriptionRequest, people: People, now: number) {
  const participants = new Map(thread.participants.map((participant) => [participant.person.userId, participant]))
  const steps: Step[] = []

  function update(person: Person, change: Partial<Participant>): Participant {
    const before = participants.get(person.userId) ?? { person: people.complete(person), ...NOT_INVOLVED }
    participants.set(person.userId, { ...before, ...change })
    return before
  }

  for (const person of request.subscribeUsers ?? []) {
    const before = update(person, { subscription: 'manual' })
    if (before.subscription === null || before.subscription === 'off')
      steps.push({ action: 'comment_annotation.subscribe', actor: before.person })
  }
  for (const person of request.unsubscribeUsers ?? []) {
    const before = update(person, { subscription: 'off' })
    if (before.subscription !== 'off') steps.push({ action: 'comment_annotation.unsubscribe', actor: before.person })
  }
  // A comment may bear a time to come.
  const viewedAt = Math.max(now, thread.newestAt)
  for (const userId of request.viewedByUserIds ?? []) update({ userId }, { viewedAt })
  return { thread: { ...thread, participants: [...participants.values()] }, steps }
}
