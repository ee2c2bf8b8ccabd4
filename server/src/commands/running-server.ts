import { join } from 'node:path'
import { createMachineToken } from '../areas/operators/fence/machine-token.ts'
import { openSecretKeys } from '../open-database.ts'
import { readConfig } from '../platform/config.ts'
import { createSecrets, removeMadeKeys } from '../platform/secret.ts'
import { serviceAddress } from '../platform/settings/service-address.ts'
import { runCommand } from './run-command.ts'

/** For the command line: where the server of this machine listens, and a token that makes the caller an operator. */
async function main(): Promise<void> {
  const config = readConfig()
  const { host, port } = config
  const url = serviceAddress({ host, port })
  const keys = await openSecretKeys(config)
  if (await removeMadeKeys(config.dataDir, keys)) {
    throw new Error(
      `The file ${join(config.dataDir, 'secret-keys')} is missing. The server that runs had it when it started.`,
    )
  }
  const token = createMachineToken(createSecrets(keys), Date.now())
  process.stdout.write(`${JSON.stringify({ url, token })}\n`)
}

runCommand(main)
