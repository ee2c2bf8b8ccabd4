import { operation } from '../../platform/operation.ts'
import { oversizedItems } from '../../platform/record-size.ts'
import { Type } from '../../platform/schema.ts'
import { levelFields, oneLevel } from './level.ts'
import { UpdatedUsers, updateAtLevel } from './update-at-level.ts'
import { UserChange } from './user.ts'

/** Updates the profiles of a level's users, and their roles at that level. */
export const updateUsers = operation({
  path: '/v2/users/update',
  auth: 'apiKey',
  access: 'write',
  summary: 'Update users of an organization, a document or a folder',
  description: 'Fields that are left out stay as they are. `accessRole` is the role at the level that the call names.',
  input: Type.Object({ ...levelFields, users: Type.Array(UserChange) }),
  example: { organizationId: 'example', users: [{ userId: 'sam', name: 'Samuel Reed' }] },
  output: UpdatedUsers,
  errors: ['NOT_FOUND'],
  message: 'User(s) processed successfully.',
  check: (input) => [...oneLevel(input), ...oversizedItems('users', input.users)],
}).run(({ db, tenant, input }) => updateAtLevel(db, tenant, input, input.users))
