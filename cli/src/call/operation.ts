import { OPERATIONS } from '../../../client/src/api.ts'
import { UsageError } from '../failure.ts'
import { nearest } from '../nearest.ts'
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
    ...(FIELDS[`${area}.${name}`] ?? { summary: '', fields: [], example: {} }),
  })),
)

/**
 * The operation of a name (`addUsers`, `add-users`, `users.addUsers`) or a path. Throws a UsageError with near names.
 */
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
