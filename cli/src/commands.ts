import type { Command } from './command.ts'
import { call } from './commands/call.ts'
import { machineCommands } from './commands/on-this-machine.ts'
import { profileCommands } from './commands/profile.ts'

/** Every command, in the order of the help. */
export const commands: Command[] = [...machineCommands, ...profileCommands, call]
