import type { ApiKeyScope } from '../../../platform/context.ts'
import { type Db, sql } from '../../../platform/db/db.ts'

/** The bytes of a stored part, the last one aside. */
export const PART_BYTES = 1024 * 1024

/** Stores one part of a file. */
export async function storePart(
  db: Db,
  { apiKey }: ApiKeyScope,
  { key, file, number }: { key: string; file: string; number: number },
  bytes: Uint8Array,
): Promise<void> {
  await db.query(sql`
    insert into knowledge_part (api_key, key, file, number, bytes)
    values (${apiKey}, ${key}::uuid, ${file}::uuid, ${number}, ${bytes})`)
}

/** Reads the parts of the file of a source, one at a time, as they are taken. */
export async function* readParts(db: Db, { apiKey }: ApiKeyScope, key: string): AsyncGenerator<Uint8Array> {
  for (let number = 0; ; number++) {
    const [part] = await db.query<{ bytes: Uint8Array }>(sql`
      select p.bytes
      from knowledge_source s
      join knowledge_part p on p.api_key = ${apiKey} and p.key = s.key and p.file = s.file
      where s.api_key = ${apiKey} and s.key = ${key}::uuid and p.number = ${number}`)
    if (!part) return
    yield part.bytes
  }
}

/** Deletes the parts of an upload that was broken off, or came too late. */
export async function dropParts(db: Db, { apiKey }: ApiKeyScope, key: string, file: string): Promise<void> {
  await db.query(sql`
    delete from knowledge_part where api_key = ${apiKey} and key = ${key}::uuid and file = ${file}::uuid`)
}
