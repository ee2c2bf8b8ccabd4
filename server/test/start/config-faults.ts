import { ConfigError, readConfig } from '../../src/platform/config.ts'

/** What a start says of an environment that is not valid; `none` if it is. */
export function configFaults(env: Record<string, string>): string {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return 'none'
}
