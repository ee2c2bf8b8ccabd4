import type { Api } from '../../client/src/index.ts'
import type { Check } from './check-places.ts'
import { allPages } from './expectation.ts'

const USERS_CHECKED = 5

/** Compares the stored data of a user, in pages of 100 of each kind, with the other reads. */
export const checkUserData: Check = async (client, { organizationId, threads, users, recorded, guest }, expect) => {
  for (const { userId } of [...users.slice(0, USERS_CHECKED), guest]) {
    const found = await readAll(client, organizationId, userId)
    const written = threads.filter(
      ({ comments, mentioned }) => mentioned?.userId === userId || comments.some(({ from }) => from.userId === userId),
    )
    const threadIds = written.map(({ annotationId }) => annotationId)
    expect.sameIds(`users/data/get: threads of ${userId}`, found.comments, threadIds)
    const reactedTo = threads.filter(({ reactedBy }) => reactedBy?.userId === userId)
    expect.matches(`users/data/get: reactions of ${userId}`, found.reactions.length, reactedTo.length)
    const recordings = userId === users[0]?.userId ? recorded.map(({ documentId }) => `${documentId}-recording`) : []
    expect.sameIds(`users/data/get: recordings of ${userId}`, found.recordings, recordings)
    const received = await allPages(async (page) => {
      const { data, pageToken } = await client.notifications.getNotifications({ organizationId, userId, ...page })
      return { data, next: pageToken }
    }, 100)
    const missing = received.filter(({ id }) => !found.notifications.includes(id))
    expect.matches(`users/data/get: notifications of ${userId}`, missing, [])
    expect.sameIds('users/data/get: each once', found.notifications, new Set(found.notifications))
  }
}

async function readAll(client: Api, organizationId: string, userId: string) {
  const found = {
    comments: [] as string[],
    reactions: [] as string[],
    recordings: [] as string[],
    notifications: [] as string[],
  }
  let next: string | null = null
  do {
    const page: Awaited<ReturnType<Api['userData']['getUserData']>> = await client.userData.getUserData({
      organizationId,
      userId,
      ...(next !== null && { pageToken: next }),
    })
    found.comments.push(...page.data.comments.map(({ annotationId }) => annotationId))
    found.reactions.push(...page.data.reactions.map(({ annotationId }) => annotationId))
    found.recordings.push(...page.data.recordings.map(({ annotationId }) => annotationId))
    found.notifications.push(...page.data.notifications.map(({ id }) => id))
    next = page.nextPageToken
  } while (next !== null)
  return found
}
