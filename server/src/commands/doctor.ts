import { type Config, readConfig } from '../platform/config.ts'
import { holdsCluster } from '../platform/db/embedded/data-directory.ts'
import { openEmbedder } from '../platform/embedder/open-embedder.ts'
import { checkMailServer } from '../platform/outbound/mail.ts'
import { checkDatabase } from './doctor/check-database.ts'
import { checkDirectory } from './doctor/check-directory.ts'
import { checkEmbedder } from './doctor/check-embedder.ts'
import { type Finding, failure, ok, reasonOf, warning } from './doctor/finding.ts'

/** Checks the set-up of this machine and writes each finding as a line of JSON. Exits with 1 if something is broken. */
async function main(): Promise<void> {
  let broken = false
  for await (const finding of findings()) {
    process.stdout.write(`${JSON.stringify(finding)}\n`)
    broken ||= finding.status === 'failure'
  }
  process.exitCode = broken ? 1 : 0
}

async function* findings(): AsyncGenerator<Finding> {
  let config: Config
  try {
    config = readConfig()
  } catch (error) {
    yield failure('configuration', reasonOf(error), 'docs/configuration.md lists every variable.')
    return
  }
  for (const message of config.warnings) yield warning('configuration', message, 'Correct the settings, or remove it.')
  if (config.warnings.length === 0) yield ok('configuration', 'Every variable is valid.')
  yield checkCreation(config)
  if (config.databaseUrl !== undefined) yield* checkDatabase(config)
  else {
    yield* checkDirectory(config)
    if (holdsCluster(config.dataDir)) yield* checkDatabase(config)
  }
  if (config.smtpUrl !== undefined) yield await checkMail(config.smtpUrl)
  if (config.embedder !== 'lexical') yield await checkEmbedder(() => openEmbedder(config))
}

function checkCreation({ workspaceCreate, isLocal }: Config): Finding {
  const check = 'workspace creation'
  if (workspaceCreate !== 'open') return ok(check, `WORKSPACE_CREATE is ${workspaceCreate}.`)
  if (isLocal) return ok(check, 'It is open to this machine only.')
  return warning(check, 'Anyone who reaches the server can create workspaces.', 'Set WORKSPACE_CREATE to token or off.')
}

async function checkMail(smtpUrl: string): Promise<Finding> {
  try {
    await checkMailServer(smtpUrl)
    return ok('mail', 'The mail server accepts the connection and the credentials.')
  } catch (error) {
    return failure('mail', reasonOf(error), 'Check SMTP_URL, and that this machine may reach the mail server.')
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${reasonOf(error)}\n`)
  process.exitCode = 2
})
