import { randomBytes } from 'node:crypto'
import { type Db, sql } from '../db/db.ts'
import { createSecrets, type Secrets } from '../secret.ts'

/** The context that a stored key is sealed with. */
export const storedKeyContext = (name: string): string => `stored-key:${name}`

/**
 * Returns a function to the secrets of a random key that is stored under the name, sealed under the master key. What
 * they seal stays readable when the master key rotates. The first use in the installation creates the key.
 */
export function createStoredSecrets(db: Db, secrets: Secrets, name: string): () => Promise<Secrets> {
  let opened: Promise<Secrets> | undefined
  return () => {
    opened ??= openStored(db, secrets, name)
    // A failure, such as a database that is away, is not kept.
    opened.catch(() => {
      opened = undefined
    })
    return opened
  }
}

async function openStored(db: Db, secrets: Secrets, name: string): Promise<Secrets> {
  const fresh = secrets.seal(randomBytes(32).toString('base64'), storedKeyContext(name))
  const [created] = await db.query<{ sealed: string }>(sql`
    insert into stored_key (name, sealed) values (${name}, ${fresh})
    on conflict (name) do update set name = excluded.name
    returning sealed`)
  if (!created) throw new Error('The stored key did not come back.')
  const key = Buffer.from(secrets.open(created.sealed, storedKeyContext(name)), 'base64')
  return createSecrets([{ id: name, key }])
}
