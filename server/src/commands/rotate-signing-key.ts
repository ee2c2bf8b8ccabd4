import { openDatabase, openSecretKeys } from '../open-database.ts'
import { readConfig } from '../platform/config.ts'
import { revokeSigningKeys, rotateSigningKey } from '../platform/keys/signing-key.ts'
import { createLog } from '../platform/log.ts'
import { migrate } from '../platform/migrate.ts'
import { createSecrets } from '../platform/secret.ts'

const USAGE = 'usage: rotate-signing-key [revoke]'

/**
 * Adds a key that signs user tokens, while the service runs. It is published at once and signs ten minutes later. With
 * `revoke` it signs at once, and all others are deleted: tokens signed with them are refused from then on.
 */
async function main(): Promise<void> {
  const [word, ...others] = process.argv.slice(2)
  if (others.length > 0 || (word !== undefined && word !== 'revoke')) throw new Error(USAGE)
  const revokes = word === 'revoke'
  const config = readConfig()
  const database = await openDatabase(config, createLog(config))
  try {
    await migrate(database)
    const secrets = createSecrets(await openSecretKeys(config))
    const rotate = revokes ? revokeSigningKeys : rotateSigningKey
    const { id, signsFrom } = await rotate(database, secrets)
    const when = revokes ? 'now; all other keys are deleted' : `from ${new Date(signsFrom).toISOString()} on`
    process.stdout.write(`${id} signs user tokens ${when}.\n`)
  } finally {
    await database.close()
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
