import { expect, test } from 'vitest'
import { newWorkspace, startService } from '../../../test/running-service.ts'
import { untilWaiting } from '../../../test/until-waiting.ts'
import { sql } from '../../platform/db/db.ts'

// The embedded database runs one transaction after the other.
test.runIf(process.env.TEST_DATABASE === 'postgres')(
  'the document is held before its recordings, as a deletion of the document does',
  async () => {
    const { database } = await startService()
    const ws = await newWorkspace(await startService())
    const recording = { annotationId: 'r', recordingType: 'screen', mode: 'floating', recordedTime: { duration: 1 } }
    await ws.ok('/v2/recordings/add', {
      organizationId: 'acme',
      documentId: 'plan',
      createOrganization: true,
      createDocument: true,
      recordings: [{ ...recording, attachments: [] }],
    })
    const { calling } = await database.transaction(async (db) => {
      await db.query(sql`select from recording where api_key = ${ws.apiKey} for update`)
      const calling = ws.ok('/v2/recordings/delete', { organizationId: 'acme', recordingIds: ['r'] })
      await untilWaiting(database, 1)
      const deletion = database.query(sql`select from document where api_key = ${ws.apiKey} for update nowait`)
      await expect(deletion).rejects.toMatchObject({ code: '55P03' })
      return { calling }
    })
    expect((await calling).data).toMatchObject({ r: { success: true } })
  },
)
