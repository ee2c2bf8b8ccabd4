import { on } from '../../platform/event.ts'
import { documentMigrated } from '../documents/document-event.ts'
import { moveJudgments } from './judgment/record-judgments.ts'

/** Moves the judgments of a document to its new id. */
export const moveJudgmentsOfDocument = on(documentMigrated, async ({ db, tenant }, documents) => {
  for (const document of documents) await moveJudgments(db, tenant, document)
})
