import { operation } from '../../platform/operation.ts'
import { Type } from '../../platform/schema.ts'
import { AuditFilters, AuditRecord, listAudit } from './audit.ts'
import { sessionOf } from './session.ts'

const PATH = '/console/api/audit/list'

/** The audit records that the session reaches, the newest first. */
export const listAuditRecords = operation({
  path: PATH,
  auth: 'none',
  access: 'read',
  summary: 'List the audit records',
  input: Type.Object({
    pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
    pageToken: Type.Optional(Type.String()),
    filters: Type.Optional(AuditFilters),
  }),
  output: Type.Array(AuditRecord),
  errors: ['UNAUTHENTICATED', 'PERMISSION_DENIED'],
  message: 'Audit records retrieved.',
  page: 'nextPageToken',
}).run(async ({ db, request, input, pageTokens }) => {
  const { workspaceId: only } = sessionOf({ session: request.console?.session })
  const { pageSize = 50, pageToken, filters = {} } = input
  const scope = { operation: PATH, tenant: only ?? 'all', filters }
  const before = pageToken === undefined ? Number.MAX_SAFE_INTEGER : Number(pageTokens.open(scope, pageToken))
  const wanted = filters.workspaceId ?? null
  if (only !== null && wanted !== null && wanted !== only) return { data: [], next: null }
  const reached = only === null ? filters : { ...filters, workspaceId: only }
  const rows = await listAudit(db, reached, before, pageSize + 1)
  const page = rows.slice(0, pageSize)
  const last = page.at(-1)
  return { data: page, next: rows.length > pageSize && last ? pageTokens.seal(scope, last.seq) : null }
})
