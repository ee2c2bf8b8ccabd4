import { operation } from '../../platform/operation.ts'
import { Type } from '../../platform/schema.ts'
import { AuditRecord } from '../audit/audit.ts'
import { AuditFilters, auditPageFields, pageOfAudit } from '../audit/read-audit.ts'
import { sessionOf } from './access/session.ts'
import { reachedAudit } from './fence/reached-audit.ts'

const PATH = '/console/api/audit/list'

/** The audit records that the session reaches, the newest first. */
export const listAuditRecords = operation({
  path: PATH,
  auth: 'none',
  access: 'read',
  summary: 'List the audit records',
  input: Type.Object({ ...auditPageFields, filters: Type.Optional(AuditFilters) }),
  output: Type.Array(AuditRecord),
  errors: ['UNAUTHENTICATED', 'PERMISSION_DENIED'],
  message: 'Audit records retrieved.',
  page: 'nextPageToken',
}).run(async (context) => {
  const session = sessionOf(context.request.console?.session)
  const { filters = {}, ...page } = context.input
  const reached = reachedAudit(session, filters)
  if (!reached) return { data: [], next: null }
  return pageOfAudit(context, { ...page, filters: reached }, { operation: PATH, tenant: session.workspaceId ?? 'all' })
})
