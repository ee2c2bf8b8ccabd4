import { Link } from '@tanstack/react-router'
import { useTenant } from '../door/tenant.tsx'
import { t } from '../strings.ts'
import type { Column } from '../ui/data-table.tsx'

/** What a list of organizations shows of each. */
export interface Organization {
  id: string
  organizationName: string
  disabled: boolean
}

export const stateOf = ({ disabled }: { disabled: boolean }) => (disabled ? t.disabled : t.enabled)

export const ORGANIZATIONS: Column<Organization>[] = [
  { header: t.name, cell: ({ id, organizationName }) => organizationName || id },
  { header: t.organizationId, cell: ({ id }) => id },
  { header: t.status, cell: stateOf },
]

/** A link to a thread, which may be deleted by now. */
export const ToThread = ({ organizationId, thread }: { organizationId: string; thread: string }) => (
  <To page="/threads" search={{ organizationId, status: 'all', thread }} label={t.threads.open} />
)

/** A link to another page, for the same API key. */
export function To({ page, search = {}, label }: { page: string; search?: Record<string, string>; label: string }) {
  const { apiKey } = useTenant()
  return (
    <Link to={page} search={{ key: apiKey.id, ...search }}>
      {label}
    </Link>
  )
}
