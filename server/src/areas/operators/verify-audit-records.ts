import { operation } from '../../platform/operation.ts'
import { Type } from '../../platform/schema.ts'
import { verifyAudit } from './audit.ts'

/** Recomputes the chains of the audit records, and names the first that was changed, removed or put in. */
export const verifyAuditRecords = operation({
  path: '/console/api/audit/verify',
  auth: 'none',
  access: 'read',
  summary: 'Verify the audit records',
  input: Type.Object({
    chain: Type.Optional(
      Type.String({ maxLength: 64, description: 'Id of a workspace; empty: the installation; omitted: every chain.' }),
    ),
  }),
  output: Type.Object({
    valid: Type.Boolean(),
    records: Type.Integer({ description: 'How many records fit, up to the first that does not.' }),
    chains: Type.Integer({ description: 'In how many chains.' }),
    head: Type.String({
      description:
        'Hash of the last that fits. That of one chain, kept elsewhere, shows later whether its end was cut off.',
    }),
    brokenAt: Type.Union([Type.Integer(), Type.Null()], { description: '`seq` of the first that does not fit.' }),
  }),
  errors: ['UNAUTHENTICATED', 'PERMISSION_DENIED'],
  message: 'Audit records verified.',
}).run(({ db, input: { chain } }) => verifyAudit(db, chain ?? null))
