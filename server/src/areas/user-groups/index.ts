export { addGroupUsers } from './add-group-users.ts'
export { addUserGroups } from './add-user-groups.ts'
export { deleteGroupUsers } from './delete-group-users.ts'
