import type { Command } from './command.ts'
import { activityCommands } from './commands/activities.ts'
import { auditCommands } from './commands/audit.ts'
import { backupCommands } from './commands/backup.ts'
import { call } from './commands/call.ts'
import { completionCommands } from './commands/completion.ts'
import { doctor } from './commands/doctor.ts'
import { eventCommands } from './commands/events.ts'
import { mcp } from './commands/mcp.ts'
import { memoryCommands } from './commands/memory.ts'
import { machineCommands } from './commands/on-this-machine.ts'
import { profileCommands } from './commands/profile.ts'
import { restore } from './commands/restore.ts'
import { webhookCommands } from './commands/webhooks.ts'
import { workspaceCommands } from './commands/workspace.ts'

/** Every command, in the order of the help. */
export const commands: Command[] = [
  ...machineCommands,
  ...backupCommands,
  restore,
  doctor,
  ...profileCommands,
  ...workspaceCommands,
  ...auditCommands,
  call,
  ...eventCommands,
  ...webhookCommands,
  ...activityCommands,
  ...memoryCommands,
  mcp,
  ...completionCommands(() => commands),
]
