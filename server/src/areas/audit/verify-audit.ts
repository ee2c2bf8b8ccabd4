import { operation } from '../../platform/operation.ts'
import { Type } from '../../platform/schema.ts'
import { anchorField, Verdict, verifyChains } from './verify.ts'

/** Recomputes the chain of the workspace's audit records, and names the first that was changed, removed or put in. */
export const verifyAudit = operation({
  path: '/v2/workspace/audit/verify',
  auth: 'workspace',
  access: 'read',
  summary: 'Verify the audit records',
  description:
    'Recomputes the hash chain of the records. Give `records` and `head` of an earlier answer as `anchor` to prove as ' +
    'well that records were only added since.',
  input: Type.Object({ anchor: anchorField }),
  output: Verdict,
  errors: [],
  message: 'Audit records verified.',
}).run(({ db, tenant: { workspaceId }, input: { anchor } }) => verifyChains(db, workspaceId, anchor))
