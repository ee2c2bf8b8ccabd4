export { addRecordings } from './add-recordings.ts'
export { deleteRecordings } from './delete-recordings.ts'
export { getRecordings } from './get-recordings.ts'
export { updateRecordings } from './update-recordings.ts'
