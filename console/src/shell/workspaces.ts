import { useQuery } from '@tanstack/react-query'
import { listWorkspaces } from '../door/session.ts'
import { useFilters } from '../ui/filters.tsx'

/** The first workspaces, and the one of the API key in the address where it is not among them. */
export function useWorkspaces() {
  const [{ key = '' }] = useFilters()
  const first = useQuery({ queryKey: ['workspaces'], queryFn: () => listWorkspaces(), staleTime: 60_000 })
  const isListed = first.data?.some(({ apiKeys }) => apiKeys.some(({ id }) => id === key)) ?? true
  const named = useQuery({
    queryKey: ['workspaces', key],
    queryFn: () => listWorkspaces(key),
    staleTime: 60_000,
    enabled: key !== '' && !isListed,
  })
  if (key === '' || isListed) return first
  return { ...named, data: first.data && named.data && [...first.data, ...named.data] }
}
