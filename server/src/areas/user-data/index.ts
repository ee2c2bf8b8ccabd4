export { deleteUserData } from './delete-user-data.ts'
export { getUserData } from './get-user-data.ts'
export { getUserDataDeletionStatus } from './get-user-data-deletion-status.ts'
