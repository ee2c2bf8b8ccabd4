import { join } from 'node:path'
import { openSecretKeys } from './open-database.ts'
import type { Config } from './platform/config.ts'
import type { Db } from './platform/db/db.ts'
import { findUnreadable } from './platform/keys/rotation.ts'
import { createSecrets, removeMadeKeys, type SecretKey } from './platform/secret.ts'
import { sealedColumns } from './sealed-columns.ts'

/** Opens the master keys. Throws unless they open what is stored; where there are none, none are left behind. */
export async function openFittingKeys(db: Db, config: Config): Promise<SecretKey[]> {
  const keys = await openSecretKeys(config)
  await checkSecretKeys(db, config, keys)
  return keys
}

/** Throws unless the master keys open what is stored. The message names the file or variable that holds the keys. */
export async function checkSecretKeys(db: Db, { secretKeys, dataDir }: Config, keys: SecretKey[]): Promise<void> {
  const unreadable = await findUnreadable(db, createSecrets(keys), sealedColumns)
  if (unreadable === undefined) return
  const file = join(dataDir, 'secret-keys')
  const fault = (await removeMadeKeys(dataDir, keys))
    ? `The file ${file} is missing, which holds`
    : `${secretKeys === undefined ? `The file ${file}` : 'SECRET_KEYS'} does not hold`
  throw new Error(
    `${fault} the key of the stored secrets (found in ${unreadable}). ` +
      'Put the keys in place that belong to this data; nothing was changed.',
  )
}
