/**
 * Reads and writes a database with the statements and prepared plans of v0.1.0, on four connections, until it gets
 * SIGTERM. Prints each judgment that was acknowledged, and each statement that failed.
 */
import { writeSync } from 'node:fs'
import pg from 'pg'

const [url = '', apiKey = ''] = process.argv.slice(2)
const print = (value: object) => writeSync(1, `${JSON.stringify(value)}\n`)
let isRunning = true
process.once('SIGTERM', () => {
  isRunning = false
})

const COLUMNS = `api_key, key, record_id, change, organization_key, document_key, annotation_id, annotation_key,
  location_key, decision, decision_value, reasoning, content, content_user_id, content_user_key, content_type, confidence,
  judge_type, agent, reviewer_key, reviewer, created_at, source`

const NEXT_CHANGE = `update judgment_log set change = change + 1 where api_key = $1 returning change`
const ADD = `
  insert into judgment (${COLUMNS})
  select api_key, encode(substring(sha256(convert_to($2, 'UTF8')) from 1 for 16), 'hex')::uuid, $2, $3, organization_key,
    document_key, annotation_id, annotation_key, location_key, decision, decision_value, $4, content, content_user_id,
    content_user_key, content_type, confidence, judge_type, agent, reviewer_key, reviewer, now_ms(), source
  from judgment where api_key = $1 and record_id = 'j1'`
const CHANGE = `update judgment set reasoning = $3, change = $4 where api_key = $1 and record_id = $2`
const READ = `select ${COLUMNS} from judgment where api_key = $1 order by change desc limit 20`
const READ_THREADS = `
  select c.id, c.record, c.created_at, p.person
  from comment c join comment_participant p using (api_key, organization_key, annotation_key)
  where api_key = $1`

async function work(worker: number): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  const run = (name: string, text: string, ...values: unknown[]) =>
    client.query({ name, text, values: [apiKey, ...values] })
  for (let n = 0; isRunning; n++) {
    const id = `load-${worker}-${n}`
    try {
      await client.query('begin')
      const added = await run('next', NEXT_CHANGE)
      await run('add', ADD, id, added.rows[0].change, `Added as ${id}`)
      const changed = await run('next', NEXT_CHANGE)
      await run('change', CHANGE, id, `Changed as ${id}`, changed.rows[0].change)
      await client.query('commit')
      print({ id })
      await run('read', READ)
      await run('threads', READ_THREADS)
    } catch (error) {
      print({ id, fault: error instanceof Error ? error.message : String(error) })
      await client.query('rollback')
    }
  }
  await client.end()
}

await Promise.all([0, 1, 2, 3].map(work))
