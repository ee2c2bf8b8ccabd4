import { expect, test } from 'vitest'
import { newWorkspace, startAlone } from '../../../test/running-service.ts'
import { untilWaiting } from '../../../test/until-waiting.ts'
import { sql } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'

// The embedded database has one connection, so nobody can add while a deletion waits.
test.runIf(process.env.TEST_DATABASE === 'postgres')(
  'a reaction that is added while its deletion waits for another document is announced too',
  async () => {
    const service = await startAlone()
    const ws = await newWorkspace(service)
    const from = { userId: 'ada' }
    const commentAnnotations = (annotationId: string) => [{ annotationId, commentData: [{ commentId: 1, from }] }]
    const react = (documentId: string, reactionId: string) =>
      ws.ok('/v2/reactions/add', {
        organizationId: 'acme',
        documentId,
        annotationId: documentId,
        commentId: 1,
        reactions: [{ reactionId, icon: 'HEART', from }],
      })
    for (const documentId of ['plan', 'map'])
      await ws.ok('/v2/commentannotations/add', {
        ...{ organizationId: 'acme', documentId, createOrganization: true, createDocument: true },
        commentAnnotations: commentAnnotations(documentId),
      })
    await react('plan', 'early')
    await ws.ok('/v2/workspace/advancedwebhookconfig/update', { isEnabled: true })
    await ws.ok('/v2/workspace/advancedwebhook/endpoints/create', { url: 'https://example.com/' })
    let deletion: Promise<{ data: Record<string, { success: boolean }> }> | undefined
    await service.database.transaction(async (db) => {
      await db.query(sql`
        select from document where api_key = ${ws.apiKey} and key = ${keyOf('plan')} for update`)
      deletion = ws.ok('/v2/reactions/delete', { organizationId: 'acme', reactionIds: ['early', 'late'] })
      await untilWaiting(service.database, 1)
      await react('map', 'late')
    })
    const { data } = (await deletion) ?? { data: {} }
    expect(Object.values(data).map(({ success }) => success)).toEqual([true, true])
    const events = await service.database.query(sql`
      select document_id from event where api_key = ${ws.apiKey} and type = 'comment.reaction_delete' order by 1`)
    expect(events).toEqual([{ document_id: 'map' }, { document_id: 'plan' }])
  },
)
