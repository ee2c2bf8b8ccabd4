import { readFileSync } from 'node:fs'
import type { Issue } from '../errors.ts'

type Environment = Record<string, string | undefined>

/**
 * The environment with the secrets that stand in files, as containers mount them: `<NAME>_FILE` names the file of
 * `<NAME>`. White space around the secret is dropped. Issues name files that cannot be read and secrets given twice.
 */
export function readSecretFiles(env: Environment, names: string[]): { env: Environment; issues: Issue[] } {
  const issues: Issue[] = []
  const read = names.flatMap((name): [string, string][] => {
    const path = env[`${name}_FILE`]?.trim()
    if (!path) return []
    const fault = (message: string) => issues.push({ path: `${name}_FILE`, message })
    if (env[name]?.trim()) {
      fault(`must not be set together with ${name}`)
      return []
    }
    try {
      const secret = readFileSync(path, 'utf8').trim()
      if (secret === '') fault('names an empty file')
      return [[name, secret]]
    } catch (error) {
      fault(`cannot be read: ${error instanceof Error && 'code' in error ? error.code : 'the path is not valid'}`)
      return []
    }
  })
  return { env: { ...env, ...Object.fromEntries(read) }, issues }
}
