import { ApiError } from '../../platform/errors.ts'
import { operation } from '../../platform/operation.ts'
import { Type } from '../../platform/schema.ts'
import { AuditFilters, AuditFormat, streamOfAudit } from '../audit/read-audit.ts'
import { sessionOf } from './access/session.ts'
import { reachedAudit } from './fence/reached-audit.ts'

/** Streams the audit records that the session reaches, the oldest first. The export leaves a record of its own. */
export const exportAuditRecords = operation({
  path: '/console/api/audit/export',
  auth: 'none',
  access: 'read',
  administers: true,
  summary: 'Export the audit records',
  input: Type.Object({ format: AuditFormat, filters: Type.Optional(AuditFilters) }),
  output: null,
  stream: ['application/x-ndjson', 'text/csv'],
  errors: ['UNAUTHENTICATED', 'PERMISSION_DENIED', 'NOT_FOUND'],
  message: 'Audit records exported.',
}).run(async ({ db, request, input: { format, filters = {} } }) => {
  const reached = reachedAudit(sessionOf(request.console?.session), filters)
  if (!reached) throw new ApiError('NOT_FOUND', 'Workspace not found.')
  return streamOfAudit(db, reached, format)
})
