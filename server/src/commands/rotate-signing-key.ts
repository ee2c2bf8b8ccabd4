import { auditCommand } from '../areas/audit/audit-call.ts'
import { openFittingKeys } from '../check-secret-keys.ts'
import { readConfig } from '../platform/config.ts'
import { revokeSigningKeys, rotateSigningKey } from '../platform/keys/signing-key.ts'
import { createSecrets } from '../platform/secret.ts'
import { onDatabase } from './on-database.ts'
import { runCommand } from './run-command.ts'

const USAGE = 'usage: rotate-signing-key [revoke]'

/**
 * Adds a key that signs user tokens, while the service runs. It is published at once and signs ten minutes later. With
 * `revoke` it signs at once, and all others are deleted: tokens signed with them are refused from then on.
 */
async function main(args: string[]): Promise<void> {
  const json = args.at(-1) === '--json'
  const [word, ...others] = json ? args.slice(0, -1) : args
  if (others.length > 0 || (word !== undefined && word !== 'revoke')) throw new Error(USAGE)
  const revokes = word === 'revoke'
  const config = readConfig()
  await onDatabase(config, async (database) => {
    const secrets = createSecrets(await openFittingKeys(database, config))
    const rotate = revokes ? revokeSigningKeys : rotateSigningKey
    const { id, signsFrom } = await database.transaction(async (db) => {
      const made = await rotate(db, secrets)
      await auditCommand(db, { action: 'rotate-signing-key', detail: { revokes, id: made.id } })
      return made
    })
    const when = revokes ? 'now; all other keys are deleted' : `from ${new Date(signsFrom).toISOString()} on`
    const text = json ? JSON.stringify({ id, signsFrom, revoked: revokes }) : `${id} signs user tokens ${when}.`
    process.stdout.write(`${text}\n`)
  })
}

runCommand(main)
