import { movesWithDocument } from '../documents/moves-with-document.ts'

/** Moves the threads of a document, and their numbering, to its new id. */
export const moveThreadsOfDocument = movesWithDocument('comment_annotation', 'comment_annotation_count')
