import { operation } from '../../platform/operation.ts'
import { Type } from '../../platform/schema.ts'
import { verifyAudit } from './audit.ts'

/** Recomputes the chain of the audit records, and names the first that was changed, removed or put in. */
export const verifyAuditRecords = operation({
  path: '/console/api/audit/verify',
  auth: 'none',
  access: 'read',
  summary: 'Verify the audit records',
  input: Type.Object({}),
  output: Type.Object({
    valid: Type.Boolean(),
    records: Type.Integer({ description: 'How many records fit, from the first on.' }),
    head: Type.String({ description: 'Hash of the last that fits. Kept elsewhere, it shows whether the end was cut.' }),
    brokenAt: Type.Union([Type.Integer(), Type.Null()], { description: '`seq` of the first that does not fit.' }),
  }),
  errors: ['UNAUTHENTICATED', 'PERMISSION_DENIED'],
  message: 'Audit records verified.',
}).run(({ db }) => verifyAudit(db))
