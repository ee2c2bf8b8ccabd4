import { operation } from '../../platform/operation.ts'
import { Type } from '../../platform/schema.ts'
import { anchorField, Verdict, verifyChains } from '../audit/verify.ts'

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
    anchor: anchorField,
  }),
  output: Verdict,
  errors: ['UNAUTHENTICATED', 'PERMISSION_DENIED'],
  message: 'Audit records verified.',
  check: ({ chain, anchor }) =>
    anchor && chain === undefined ? [{ path: 'chain', message: 'is required with anchor' }] : [],
}).run(({ db, input: { chain, anchor } }) => verifyChains(db, chain ?? null, anchor))
