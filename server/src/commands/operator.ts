import { parseArgs } from 'node:util'
import { LINK_MINUTES, linkAddress } from '../areas/operators/access/link.ts'
import { ROLES, type Role } from '../areas/operators/access/role.ts'
import { makeOperatorLink } from '../operator-link.ts'
import { type Config, readConfig } from '../platform/config.ts'
import { serviceAddress } from '../platform/settings/service-address.ts'
import { onDatabase } from './on-database.ts'
import { runCommand } from './run-command.ts'

const USAGE = `usage: operator link [email] [--role <role>] [--workspace <id>]
roles: ${ROLES.join(', ')}; without --role, operator`

/**
 * For the command line: makes a link that signs somebody in to the console, once and within 30 minutes, and writes it
 * as JSON. An unknown address becomes an operator with the role.
 */
async function main(args: string[]): Promise<void> {
  const { email, role, workspaceId } = invitationOf(args)
  const config = readConfig()
  const address = addressOf(config)
  await onDatabase(config, async (database) => {
    const token = await makeOperatorLink(database, { email, role, workspaceId, door: 'command' })
    const link = linkAddress(address, token)
    process.stdout.write(`${JSON.stringify({ link, minutes: LINK_MINUTES })}\n`)
  })
}

function invitationOf(args: string[]) {
  const options = { role: { type: 'string' }, workspace: { type: 'string' } } as const
  const { positionals, values } = parseArgs({ args, options, allowPositionals: true })
  const [action, email, ...others] = positionals
  const { role, workspace: workspaceId } = values
  const isKnown = (name: string): name is Role => ROLES.some((known) => known === name)
  if (action !== 'link' || others.length > 0) throw new Error(USAGE)
  if (role !== undefined && !isKnown(role)) throw new Error(`There is no role ${role}.\n${USAGE}`)
  if (email === undefined && (role ?? workspaceId) !== undefined) throw new Error(`An email is missing.\n${USAGE}`)
  if (email !== undefined && !/^[^\s@]+@[^\s@]+$/.test(email)) throw new Error(`${email} is no email address.`)
  if (workspaceId !== undefined && (role ?? 'operator') === 'operator') {
    throw new Error('The role operator is for the whole installation: add --role with another one.')
  }
  return { email, role, workspaceId }
}

function addressOf(config: Config): string {
  if (config.publicUrl === undefined && config.port === 0) {
    throw new Error('PORT is 0, so the address is unknown. Set PUBLIC_URL to the address that the server printed.')
  }
  return serviceAddress(config)
}

runCommand(main, USAGE)
