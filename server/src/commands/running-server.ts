import { createMachineToken } from '../areas/operators/fence/machine-token.ts'
import { openSecretKeys } from '../open-database.ts'
import { readConfig } from '../platform/config.ts'
import { createSecrets } from '../platform/secret.ts'
import { runCommand } from './run-command.ts'

/** For the command line: where the server of this machine listens, and a token that makes the caller an operator. */
async function main(): Promise<void> {
  const config = readConfig()
  const host = ['0.0.0.0', '::'].includes(config.host) ? '127.0.0.1' : config.host
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${config.port}`
  const token = createMachineToken(createSecrets(await openSecretKeys(config)), Date.now())
  process.stdout.write(`${JSON.stringify({ url, token })}\n`)
}

runCommand(main)
