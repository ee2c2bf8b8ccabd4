import { resultsOf } from '../../platform/bulk.ts'
import { sql } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, itemResult, mapOf, Type } from '../../platform/schema.ts'
import { deleteJudgmentsWhere } from './judgment/record-judgments.ts'

/** Deletes judgments for good; no later search finds them. */
export const deleteJudgments = operation({
  path: '/v2/memory/judgments/delete',
  auth: 'apiKey',
  access: 'write',
  administers: true,
  summary: 'Delete judgments',
  input: Type.Object({ recordIds: Type.Array(identifier('Id of a judgment.')) }),
  example: { recordIds: ['review-1'] },
  output: Type.Object({ results: mapOf(itemResult(), 'One result per record id.') }),
  errors: [],
  message: '',
  bare: true,
}).run(async ({ db, tenant, input }) => {
  const ids = new Set(input.recordIds)
  const deleted = await deleteJudgmentsWhere(db, tenant, sql`j.key = any(${[...ids].map(keyOf)}::uuid[])`)
  return {
    results: resultsOf(ids, (id) =>
      deleted.has(id)
        ? { success: true, message: 'Deleted Successfully' }
        : { success: false, message: 'Judgment does not exist' },
    ),
  }
})
