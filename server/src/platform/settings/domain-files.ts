import { readFileSync } from 'node:fs'
import Format from 'typebox/format'
import type { Issue } from '../errors.ts'
import { DOMAIN } from './setting-formats.ts'

type Environment = Record<string, string | undefined>

/** How many lines of one file are told, or entries; a file of something else has thousands that are wrong. */
const MOST_TOLD = 20

/**
 * The environment with the domains that stand in files: where an entry of a list is the path of a file, its lines take
 * its place. Issues name the lines and the entries that are no domain names, by number: a file that was named by
 * mistake may hold secrets. These are left out.
 */
export function readDomainFiles(env: Environment, names: string[]): { env: Environment; issues: Issue[] } {
  const issues: Issue[] = []
  const read = names.flatMap((name): [string, string][] => {
    const domainsOf = (entry: string, index: number) => {
      const lines = linesOf(entry)
      if (!lines) {
        if (Format.Test(DOMAIN, entry)) return [entry]
        if (issues.length < MOST_TOLD) issues.push({ path: `${name}[${index}]`, message: `must be a valid ${DOMAIN}` })
        return []
      }
      const isWrong = ({ domain }: Line) => !Format.Test(DOMAIN, domain)
      const wrong = new Set(lines.filter(isWrong).map(({ number }) => number))
      for (const number of [...wrong].slice(0, MOST_TOLD)) {
        issues.push({ path: name, message: `names ${entry}, whose line ${number} holds what is no domain name` })
      }
      return lines.filter((line) => !isWrong(line)).map(({ domain }) => domain)
    }
    const entries = env[name]?.split(/[,\n]/).map((entry) => entry.trim())
    const list = entries?.filter(Boolean).flatMap(domainsOf)
    return list ? [[name, list.join(',').toLowerCase()]] : []
  })
  return { env: { ...env, ...Object.fromEntries(read) }, issues }
}

interface Line {
  number: number
  domain: string
}

/** What the lines of a file hold besides remarks. Undefined if the entry is not the path of a file that can be read. */
function linesOf(entry: string): Line[] | undefined {
  if (!entry.includes('/')) return undefined
  try {
    const lines = readFileSync(entry, 'utf8').split('\n')
    return lines.flatMap((line, index) =>
      line
        .replace(/#.*/, '')
        .split(',')
        .map((domain) => ({ number: index + 1, domain: domain.trim() }))
        .filter(({ domain }) => domain !== ''),
    )
  } catch {
    return undefined
  }
}
