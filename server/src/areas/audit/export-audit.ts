import { operation } from '../../platform/operation.ts'
import { Type } from '../../platform/schema.ts'
import { AuditFormat, streamOfAudit, WorkspaceAuditFilters } from './read-audit.ts'

/** Streams the audit records of the workspace, the oldest first. The export leaves a record of its own. */
export const exportAudit = operation({
  path: '/v2/workspace/audit/export',
  auth: 'workspace',
  access: 'read',
  administers: true,
  summary: 'Export the audit records',
  description:
    'Streams the records that match as lines, the oldest first. NDJSON holds all that the hashes cover. The last line ' +
    'counts the records; a download without it is incomplete.',
  input: Type.Object({ format: AuditFormat, filters: Type.Optional(WorkspaceAuditFilters) }),
  example: { format: 'csv' },
  output: null,
  stream: ['application/x-ndjson', 'text/csv'],
  errors: [],
  message: 'Audit records exported.',
}).run(async ({ db, tenant: { workspaceId }, input: { format, filters } }) =>
  streamOfAudit(db, { ...filters, workspaceId }, format),
)
