import { movesWithDocument } from '../documents/moves-with-document.ts'

/** Moves the recordings of a document to its new id. */
export const moveRecordingsOfDocument = movesWithDocument('recording')
