/**
 * Writes rows to the embedded database of a directory until it is killed, and prints the id of each acknowledged one.
 */
import { writeSync } from 'node:fs'
import { sql } from './db.ts'
import { openEmbedded } from './embedded.ts'

const [dataDir = '', first = '0'] = process.argv.slice(2)
const database = await openEmbedded({ dataDir })
await database.script(`
  create table if not exists note (id int primary key, text text);
  create table if not exists copy (id int primary key);`)
let id = Number(first)

await Promise.all(
  Array.from({ length: 8 }, async () => {
    for (;;) {
      const own = id++
      await database.transaction(async (tx) => {
        await tx.query(sql`insert into note values (${own}, ${'x'.repeat(200)})`)
        tx.send(sql`insert into copy values (${own})`)
      })
      writeSync(1, `${own}\n`)
    }
  }),
)
