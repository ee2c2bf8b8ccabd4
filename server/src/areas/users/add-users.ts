import { operation } from '../../platform/operation.ts'
import { oversizedItems } from '../../platform/record-size.ts'
import { Type } from '../../platform/schema.ts'
import { AddedUsers, addToLevel, Destination } from './add-to-level.ts'
import { oneLevel } from './level.ts'
import { UserInput } from './user.ts'

/** Adds users to one level, and updates those that exist. */
export const addUsers = operation({
  path: '/v2/users/add',
  auth: 'apiKey',
  access: 'write',
  summary: 'Add users to an organization, a document or a folder',
  description:
    'With `documentId` users get access to that document only, with `folderId` to all documents in that folder, with ' +
    'neither to all documents of the organization except restricted ones. A user that exists is updated, in all ' +
    'organizations; fields that are left out stay as they are.',
  input: Type.Object({ ...Destination.properties, users: Type.Array(UserInput) }),
  example: { organizationId: 'example', users: [{ userId: 'sam', name: 'Sam Reed', email: 'sam@larkwing.example' }] },
  output: AddedUsers,
  errors: ['NOT_FOUND'],
  message: 'User(s) processed successfully.',
  check: (input) => [...oneLevel(input), ...oversizedItems('users', input.users)],
}).run(({ db, tenant, input }) => addToLevel(db, tenant, input, input.users))
