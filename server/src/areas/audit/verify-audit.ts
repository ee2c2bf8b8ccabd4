import { operation } from '../../platform/operation.ts'
import { Type } from '../../platform/schema.ts'
import { anchorField, Verdict, verifyChains } from './verify.ts'

/** How often a minute, because each reads all records. */
const VERIFICATIONS = 20

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
  example: {},
  output: Verdict,
  errors: ['RESOURCE_EXHAUSTED'],
  message: 'Audit records verified.',
  rateLimit: {
    by: 'workspace',
    limit: () => VERIFICATIONS,
    message: `The audit records are verified at most ${VERIFICATIONS} times a minute.`,
  },
}).run(({ db, tenant: { workspaceId }, input: { anchor } }) => verifyChains(db, workspaceId, anchor))
