import { AUDIT_COLUMNS, type AuditRecord } from '../src/areas/audit/audit.ts'
import { type Db, sql } from '../src/platform/db/db.ts'

/** The stored audit records of a workspace or of an actor, or all, the newest first. */
export const auditRecords = (
  db: Db,
  { workspaceId = null, actor = null }: { workspaceId?: string | null; actor?: string | null } = {},
): Promise<AuditRecord[]> =>
  db.query<AuditRecord>(sql`
    select ${AUDIT_COLUMNS}
    from audit_record
    where (${workspaceId}::text is null or workspace_id = ${workspaceId}) and (${actor}::text is null or actor = ${actor})
    order by seq desc`)
