import type { AuditFilters } from '../../audit/read-audit.ts'
import type { ConsoleSession } from '../access/console-caller.ts'

/** The filters for the audit records that a session reaches; undefined where they name a workspace that it does not. */
export function reachedAudit({ workspaceId: only }: ConsoleSession, filters: AuditFilters): AuditFilters | undefined {
  if (only === null) return filters
  return [undefined, only].includes(filters.workspaceId) ? { ...filters, workspaceId: only } : undefined
}
