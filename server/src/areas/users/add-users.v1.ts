import { operation } from '../../platform/operation.ts'
import { oversizedItems } from '../../platform/record-size.ts'
import { Type } from '../../platform/schema.ts'
import { AddedUsers, addToLevel, Destination } from './add-to-level.ts'
import { oneLevel } from './level.ts'
import { UserInputV1, withoutAccess } from './user.ts'

/** As `addUsers`, without access roles, which exist in v2 only. */
export const addUsersV1 = operation({
  path: '/v1/users/add',
  auth: 'apiKey',
  access: 'write',
  summary: 'Add users to an organization, a document or a folder (v1)',
  description:
    'As v2, but for `accessRole`, which is ignored: a new user is an editor, one that exists keeps its role.',
  input: Type.Object({ ...Destination.properties, users: Type.Array(UserInputV1) }),
  example: { organizationId: 'example', users: [{ userId: 'sam', name: 'Sam Reed', email: 'sam@larkwing.example' }] },
  output: AddedUsers,
  errors: ['NOT_FOUND'],
  message: 'User(s) processed successfully.',
  check: (input) => [...oneLevel(input), ...oversizedItems('users', input.users)],
}).run(({ db, tenant, input }) => addToLevel(db, tenant, input, input.users.map(withoutAccess)))
