import { expect, test, vi } from 'vitest'
import { newWorkspace, startService } from '../../../test/running-service.ts'
import { sql } from '../../platform/db/db.ts'

const TEXT = '- A logo must be sharp.\n'
const file = {
  base64: Buffer.from(TEXT).toString('base64'),
  mimeType: 'text/plain',
  fileName: 'policy.md',
  fileSize: TEXT.length,
}

test.runIf(process.env.TEST_DATABASE === 'postgres')(
  'a file whose bytes are those of a source that is being deleted is read by itself',
  async () => {
    const service = await startService()
    const { database } = service
    const ws = await newWorkspace(service)
    const waiting = () =>
      database.query(sql`
        select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
    const ingest = () => ws.ok('/v2/memory/knowledge/ingest', { source: 'inline', file })
    const { sourceId } = await ingest()
    const { ingesting } = await database.transaction(async (deletion) => {
      await deletion.query(sql`delete from knowledge_source where api_key = ${ws.apiKey} and source_id = ${sourceId}`)
      const ingesting = ingest()
      await vi.waitFor(async () => expect(await waiting()).toHaveLength(1))
      return { ingesting }
    })
    const status = await ws.ok('/v2/memory/knowledge/ingest-status', { sourceId: (await ingesting).sourceId })
    expect(status).toMatchObject({ status: 'processing' })
    expect(status).not.toHaveProperty('dedupOf')
  },
)
