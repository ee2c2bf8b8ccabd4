import { createClient } from '../../client/src/index.ts'
import type { Credentials } from '../subject.ts'
import { PLACE } from './corpus.ts'

const from = { userId: 'eve' }
const create = { createOrganization: true, createDocument: true, triggerActivities: false }

/** Stores what the corpus reads: large threads, a long one, large documents and activities with many placeholders. */
export async function fill(baseUrl: string, attacker: Credentials): Promise<void> {
  const api = createClient({ baseUrl, ...attacker })
  await api.activities.updateActivityConfig({ activityServiceConfig: { isEnabled: true } })
  for (let n = 0; n < 15; n++) {
    const commentAnnotations = Array.from({ length: 20 }, (_, i) => ({
      annotationId: `t${n}-${i}`,
      commentData: [{ from, commentText: 'x'.repeat(220_000) }],
    }))
    await api.comments.addCommentAnnotations({ ...PLACE, ...create, commentAnnotations })
  }
  const commentData = [{ from, commentText: 'first' }]
  const commentAnnotations = ['long', 'written'].map((annotationId) => ({ annotationId, commentData }))
  await api.comments.addCommentAnnotations({ ...PLACE, ...create, commentAnnotations })
  for (let n = 0; n < 58; n++) {
    const many = Array.from({ length: 20 }, () => ({ from, commentText: 'y'.repeat(220_000) }))
    await api.comments.addComments({ ...PLACE, annotationId: 'long', triggerActivities: false, commentData: many })
  }
  for (let n = 0; n < 10; n++) {
    const documents = Array.from({ length: 20 }, (_, i) => ({
      documentId: `d${n}-${i}`,
      metadata: { note: 'z'.repeat(200_000) },
    }))
    await api.documents.addDocuments({ organizationId: PLACE.organizationId, documents })
  }
  // An earlier version admits more placeholders than this one.
  for (const placeholders of [62_000, 200]) {
    const activities = Array.from({ length: 20 }, () => ({
      featureType: 'custom' as const,
      actionType: 'x',
      actionUser: from,
      targetEntityId: 'e',
      displayMessageTemplate: '{{}}'.repeat(placeholders),
      displayMessageTemplateData: { a: 'z'.repeat(300) },
    }))
    await api.activities.addActivities({ ...PLACE, activities }).catch(() => {})
  }
}
