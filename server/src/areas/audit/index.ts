export { exportAudit } from './export-audit.ts'
export { getAuditRecords } from './get-audit-records.ts'
export { verifyAudit } from './verify-audit.ts'
