import { basename, dirname } from 'node:path'
import type { Rule, Source } from './source.ts'

/** Tests whose names the rule does not cover yet. The list only shrinks. */
const unnamed = ['memory/isolation.property'].map((name) => `server/src/areas/${name}.test.ts`)

/**
 * Rule 6: a test is found beside what it tests. Its name begins with the name of a file of its folder, of the folder,
 * or of the noun of an operation (`endpoints` for `list-endpoints.ts`). A scenario may follow:
 * `<name>-<scenario>.test.ts`.
 */
export const testNames: Rule = (sources) => {
  const beside = new Map<string, string[]>()
  const inSource = sources.filter(({ path }) => path.startsWith('server/src/'))
  for (const each of inSource.filter(({ path }) => !isTest(path))) {
    const folder = dirname(each.path)
    beside.set(folder, [...(beside.get(folder) ?? [basename(folder)]), ...namesOf(each)])
  }
  return inSource
    .filter(({ path }) => isTest(path) && !unnamed.includes(path))
    .filter(({ path }) => !beside.get(dirname(path))?.some((name) => isNamedAfter(basename(path), name)))
    .map(({ path }) => `${path}:1 is named after nothing beside it`)
}

const isTest = (path: string) => path.endsWith('.test.ts')

const isNamedAfter = (test: string, name: string) => test.startsWith(name) && /^[.-]/.test(test.slice(name.length))

function namesOf({ path, isOperation }: Source): string[] {
  const name = basename(path).replace(/\..*/, '')
  return isOperation ? [name, name.slice(name.indexOf('-') + 1)] : [name]
}
