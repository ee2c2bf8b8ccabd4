export { addUsers } from './add-users.ts'
export { deleteUsers } from './delete-users.ts'
export { getUsers } from './get-users.ts'
export { updateUsers } from './update-users.ts'
