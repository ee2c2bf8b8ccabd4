import { operation } from '../../platform/operation.ts'
import { Type } from '../../platform/schema.ts'
import { AuditRecord } from './audit.ts'
import { auditPageFields, pageOfAudit, WorkspaceAuditFilters } from './read-audit.ts'

const PATH = '/v2/workspace/audit/get'

/** The audit records of the workspace, the newest first. */
export const getAuditRecords = operation({
  path: PATH,
  auth: 'workspace',
  access: 'read',
  summary: 'Get the audit records',
  description: 'Each is an administrative change of the workspace or its API keys, whoever made it and by which door.',
  input: Type.Object({ ...auditPageFields, filters: Type.Optional(WorkspaceAuditFilters) }),
  example: { pageSize: 20 },
  output: Type.Array(AuditRecord),
  errors: [],
  message: 'Audit records retrieved successfully.',
  page: 'nextPageToken',
}).run((context) => {
  const { workspaceId } = context.tenant
  const { filters, ...page } = context.input
  const about = { operation: PATH, tenant: workspaceId }
  return pageOfAudit(context, { ...page, filters: { ...filters, workspaceId } }, about)
})
