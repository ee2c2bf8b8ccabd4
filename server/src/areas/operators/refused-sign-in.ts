import type { AuditDraft } from '../audit/audit.ts'

/** Stands for the networks that are counted together, and for their addresses in the record of their sum. */
export const OTHERS = 'others'

interface Refused {
  address: string
  /** Whom the last attempt was for; empty where it did not say. */
  actor: string
  /** What the last attempt showed. */
  by: string
  attempts: number
  /** When the first came; left out for the first itself. */
  since?: number
}

/** The audit record of refused sign-ins. */
export const refusalRecord = ({ address, actor, by, attempts, since }: Refused): AuditDraft => ({
  actor,
  role: '',
  door: 'console',
  address,
  action: '/console/api/session/sign-in',
  workspaceId: null,
  apiKey: null,
  detail: { by, refused: true, attempts, ...(since !== undefined && { since }) },
})
