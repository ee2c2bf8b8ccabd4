import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { useTenant } from '../door/tenant.tsx'
import { useFilters, withoutEmpty } from '../ui/filters.tsx'
import { OF_ORGANIZATION } from './pages.ts'

/**
 * What a way to another page keeps: the API key, and for a page that shows one organization the one shown last. On such
 * a page, and on Browse, the address tells it, and there may be none.
 */
export function useKept(): (path: string) => Record<string, string> {
  const { apiKey } = useTenant()
  const [{ organizationId }] = useFilters()
  const { pathname } = useLocation()
  const [last, setLast] = useState({ key: apiKey.id, organizationId })
  const isTold = organizationId !== undefined || [...OF_ORGANIZATION, '/browse'].includes(pathname)
  const shown = isTold || last.key !== apiKey.id ? organizationId : last.organizationId
  if (last.key !== apiKey.id || last.organizationId !== shown) setLast({ key: apiKey.id, organizationId: shown })
  return (path) => withoutEmpty({ key: apiKey.id, organizationId: OF_ORGANIZATION.includes(path) ? shown : undefined })
}
