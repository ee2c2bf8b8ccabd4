import { operation } from '../../platform/operation.ts'
import { oversizedItems } from '../../platform/record-size.ts'
import { Type } from '../../platform/schema.ts'
import { levelFields, oneLevel } from './level.ts'
import { UpdatedUsers, updateAtLevel } from './update-at-level.ts'
import { UserChangeV1, withoutAccess } from './user.ts'

/** As `updateUsers`, without access roles, which exist in v2 only. */
export const updateUsersV1 = operation({
  path: '/v1/users/update',
  auth: 'apiKey',
  access: 'write',
  summary: 'Update users of an organization, a document or a folder (v1)',
  description: 'As v2, but for `accessRole`, which is ignored.',
  input: Type.Object({ ...levelFields, users: Type.Array(UserChangeV1) }),
  example: { organizationId: 'example', users: [{ userId: 'sam', name: 'Samuel Reed' }] },
  output: UpdatedUsers,
  errors: ['NOT_FOUND'],
  message: 'User(s) processed successfully.',
  check: (input) => [...oneLevel(input), ...oversizedItems('users', input.users)],
}).run(({ db, tenant, input }) => updateAtLevel(db, tenant, input, input.users.map(withoutAccess)))
