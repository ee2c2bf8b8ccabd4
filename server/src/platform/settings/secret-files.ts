import { readFileSync } from 'node:fs'
import type { Issue } from '../errors.ts'

type Environment = Record<string, string | undefined>

interface SecretFiles {
  env: Environment
  issues: Issue[]
  unread: string[]
}

/**
 * The environment with the secrets that stand in files, as containers mount them: `<NAME>_FILE` names the file of
 * `<NAME>`. White space around the secret is dropped. Issues name files that cannot be read and secrets given twice.
 * `unread` are the secrets that are given, but in a file that has none.
 */
export function readSecretFiles(env: Environment, names: string[]): SecretFiles {
  const issues: Issue[] = []
  const unread: string[] = []
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
      if (secret !== '') return [[name, secret]]
      fault('names an empty file')
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : ''
      fault(FAULTS[code] ?? `names a file that cannot be read: ${code || 'the path is not valid'}`)
    }
    unread.push(name)
    return []
  })
  return { env: { ...env, ...Object.fromEntries(read) }, issues, unread }
}

const FAULTS: Record<string, string> = {
  ENOENT: 'names a file that does not exist',
  ENOTDIR: 'names a file that does not exist',
  EISDIR: 'names a directory, not a file',
  EACCES: 'names a file that this user may not read',
}
