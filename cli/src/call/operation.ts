import { OPERATIONS } from '../../../client/src/api.ts'
import { UsageError } from '../failure.ts'
import { kebab, type OperationFields } from './field.ts'
import { FIELDS } from './fields.ts'

/** An operation as the command line calls it. */
export interface Operation extends OperationFields {
  area: string
  name: string
  path: string
  auth: 'apiKey' | 'workspace' | 'none'
  hasPages: boolean
  isStream: boolean
}

interface Known {
  path: string
  auth: Operation['auth']
  page?: string
  stream?: true
}

/** Every operation, area by area. */
export const operations: Operation[] = Object.entries(OPERATIONS).flatMap(([area, each]) =>
  Object.entries<Known>(each).map(([name, { path, auth, page, stream }]) => ({
    area,
    name,
    path,
    auth,
    hasPages: page !== undefined,
    isStream: stream ?? false,
    ...(FIELDS[`${area}.${name}`] ?? { summary: '', fields: [] }),
  })),
)

/** The operation of a name (`addUsers`, `add-users`, `users.addUsers`) or a path. Throws a UsageError with near names. */
export function findOperation(given: string): Operation {
  const found = operations.find(
    ({ area, name, path }) => [name, kebab(name), `${area}.${name}`, path].includes(given) || path === `/v2/${given}`,
  )
  if (found) return found
  const near = nearest(
    given,
    operations.map(({ name }) => name),
  )
  throw new UsageError(
    `There is no operation ${given}.${near.length === 0 ? '' : ` Did you mean ${near.join(', ')}?`} ` +
      '`precedent call` lists all.',
  )
}

/** Up to three names that contain the given one, or are a few letters from it. */
export function nearest(given: string, names: string[]): string[] {
  const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  return names
    .map((name) => ({
      name,
      far: plain(name).includes(plain(given)) ? 0 : distance(plain(name), plain(given)),
    }))
    .filter(({ far }) => far <= 3)
    .sort((a, b) => a.far - b.far)
    .slice(0, 3)
    .map(({ name }) => name)
}

/** How many letters must be added, left out or replaced to make one of the other. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
