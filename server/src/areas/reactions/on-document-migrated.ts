import { movesWithDocument } from '../documents/moves-with-document.ts'

/** Moves the reactions in a document to its new id. */
export const moveReactionsOfDocument = movesWithDocument('reaction')
