import type { Api } from '../../client/src/index.ts'
import { roleOf } from './check-people.ts'
import type { Check } from './check-places.ts'
import { at, type Organization, type Thread } from './company.ts'
import { allPages } from './expectation.ts'

export const checkRecordings: Check = async (client, { organizationId, recorded, users }, expect) => {
  const written = recorded.map(({ documentId }) => ({
    annotationId: `${documentId}-recording`,
    recordingType: 'screen',
    mode: 'floating',
    recordedTime: { duration: 65_000, display: '00:01:05' },
    metadata: { organizationId, documentId },
    from: users[0],
  }))
  const all = await allPages(async (page) => {
    const { data, pageToken } = await client.recordings.getRecordings({ organizationId, ...page })
    return { data, next: pageToken }
  }, 10)
  expect.matches('recordings/get', all, written)
  const [first] = written
  if (!first) return
  const { documentId } = first.metadata
  const { data: ofDocument } = await client.recordings.getRecordings({ organizationId, documentId })
  expect.matches('recordings/get of a document', ofDocument, [first])
  const { data: named } = await client.recordings.getRecordings({ organizationId, recordingIds: [first.annotationId] })
  expect.matches('recordings/get by id', named, [first])
}

const USERS_CHECKED = 20

export const checkNotifications: Check = async (client, organization, expect) => {
  const { organizationId, users, recorded } = organization
  const read = (filter: Partial<Parameters<Api['notifications']['getNotifications']>[0]>) =>
    allPages(async (page) => {
      const { data, pageToken } = await client.notifications.getNotifications({ organizationId, ...filter, ...page })
      return { data, next: pageToken }
    }, 100)
  for (const { userId } of users.slice(0, USERS_CHECKED)) {
    const own = await read({ userId })
    const threads = own.flatMap(({ targetAnnotationId }) => targetAnnotationId ?? [])
    const told = organization.threads.filter((thread) => isTold(organization, thread, userId))
    const ids = told.map(({ annotationId }) => annotationId)
    expect.sameIds(`the threads that ${userId} is told of`, new Set(threads), ids)
    expect.matches(
      `what ${userId} has not read`,
      own.filter(({ isUnread }) => !isUnread),
      [],
    )
  }
  const ownIds = recorded.map(({ documentId }) => `${documentId}-recorded`)
  for (const [index, { documentId, documentName }] of recorded.entries()) {
    const [found] = await read({ documentId, userId: at(users, 1).userId, notificationIds: [at(ownIds, index)] })
    const headline = `${at(users, 0).name} recorded ${documentName}`
    const message = { displayHeadlineMessage: headline, displayBodyMessage: 'Please have a look.', forYou: true }
    expect.matches(`notifications/get of ${documentId}`, found, { id: at(ownIds, index), ...message })
  }
  const all = await read({ notificationIds: ownIds, order: 'asc' })
  expect.matches(
    'notifications/get by id',
    all.map(({ id }) => id),
    ownIds,
  )
}

/** Participants are notified, but not of their own actions, nor of documents that they cannot open. */
function isTold(organization: Organization, thread: Thread, userId: string): boolean {
  const { comments, mentioned, assigned, resolved } = thread
  const authors = comments.map(({ from }) => from.userId)
  const isInvolved = [...authors, mentioned?.userId, assigned?.userId].includes(userId)
  // The last person to reply is notified of the later action: the author resolves the thread.
  const isLast = authors.length > 1 && authors.at(-1) === userId
  return isInvolved && (!isLast || resolved) && roleOf(organization, userId, thread.document) !== null
}

export const checkActivities: Check = async (client, { organizationId, threads, recorded, users }, expect) => {
  const read = (filter: Partial<Parameters<Api['activities']['getActivities']>[0]>) =>
    allPages(async (page) => {
      const { data, pageToken } = await client.activities.getActivities({ organizationId, ...filter, ...page })
      return { data, next: pageToken }
    }, 500)
  const targets = async (actionType: string) =>
    (await read({ actionTypes: [actionType] })).map(({ targetEntityId }) => targetEntityId ?? '')
  const idsOf = (those: Thread[]) => those.map(({ annotationId }) => annotationId)
  expect.sameIds('activities/get of new threads', await targets('comment_annotation.add'), idsOf(threads))
  const resolved = threads.filter((thread) => thread.resolved)
  expect.sameIds(
    'activities/get of changed statuses',
    await targets('comment_annotation.status_change'),
    idsOf(resolved),
  )
  const reacted = threads.filter(({ reactedBy }) => reactedBy)
  expect.sameIds('activities/get of reactions', await targets('comment.reaction_add'), idsOf(reacted))

  const published = recorded.map(({ documentId }) => `${documentId}-published`)
  const own = await read({ featureTypes: ['custom'], userId: at(users, 0).userId, order: 'asc' })
  const messages = recorded.map(({ documentName }, i) => ({
    id: published[i],
    displayMessage: `${at(users, 0).name} published ${documentName}`,
  }))
  expect.matches('activities/get of our own', own, messages)
  const { annotationId, document } = at(threads, 0)
  const ofThread = await read({ documentId: document.documentId, targetEntityId: annotationId })
  expect.matches('activities/get of a thread', new Set(ofThread.map((each) => each.targetEntityId)).size, 1)
  const named = await read({ activityIds: published.slice(0, 1) })
  expect.matches('activities/get by id', named, messages.slice(0, 1))
}

export const checkLog: Check = async (client, { organizationId }, expect) => {
  const { data: log } = await client.activities.verifyActivities({ organizationId })
  expect.matches('activities/verify', log, { valid: true, firstBreak: null })
  const exported = await client.activities.exportActivities({ organizationId, format: 'ndjson' })
  const entries = exported.split('\n').filter((line) => line.includes('"position":'))
  expect.matches('activities/export', entries.length, log.count)
  const anchor = { count: log.count, head: log.head }
  const { data: again } = await client.activities.verifyActivities({ organizationId, anchor })
  expect.matches('activities/verify against what it said before', again, { valid: true, ...anchor })
}
