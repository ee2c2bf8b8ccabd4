export { addReactions } from './add-reactions.ts'
export { deleteReactions } from './delete-reactions.ts'
export { getReactions } from './get-reactions.ts'
