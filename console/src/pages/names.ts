import { useQueries } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import type { Api } from '../../../client/src/index.ts'
import { useTenant } from '../door/tenant.tsx'

/**
 * Says what people call the place or person of an id; the id itself while no name is known. It changes with the names.
 */
export type NameOf = (id: string) => string

interface Place {
  type: 'organization' | 'folder' | 'document'
  id: string
}

/** What has a name: a place, or a person of an organization. */
interface Named {
  type: Place['type'] | 'person'
  id: string
  organizationId: string
}

/** The names of documents of an organization. */
export const useDocumentNames = (organizationId: string, ids: string[]): NameOf =>
  useNamesOf('document', organizationId, ids)

/** The names of organizations. */
export const useOrganizationNames = (ids: string[]): NameOf => useNamesOf('organization', '', ids)

/** The names of people of an organization. */
export const usePeopleNames = (organizationId: string, ids: string[]): NameOf =>
  useNamesOf('person', organizationId, ids)

/** The names of places of an organization, and its own. */
export function usePlaceNames(organizationId: string, places: Place[]): (place: Place) => string {
  const nameOf = useNames(places.map((place) => ({ ...place, organizationId })))
  return useCallback((place) => nameOf({ ...place, organizationId }), [nameOf, organizationId])
}

function useNamesOf(type: Named['type'], organizationId: string, ids: string[]): NameOf {
  const nameOf = useNames(ids.map((id) => ({ type, organizationId, id })))
  return useCallback((id) => nameOf({ type, organizationId, id }), [nameOf, type, organizationId])
}

const KEPT_MS = 60_000

/** The names of these. Each is read once, whichever page or row asks for it. */
function useNames(all: Named[]): (named: Named) => string {
  const { api, apiKey } = useTenant()
  const asked = [...new Map(all.map((named) => [keyOf(named), named])).values()]
  const known = useQueries({
    queries: asked.map((named) => ({
      queryKey: [apiKey.id, 'name', keyOf(named)],
      queryFn: async () => [keyOf(named), await nameFrom(api, apiKey.id, named)] as const,
      staleTime: KEPT_MS,
    })),
    combine: (results) => results.flatMap(({ data }) => (data ? [data] : [])),
  })
  return useMemo(() => {
    const names = new Map(known)
    return (named) => names.get(keyOf(named)) || named.id
  }, [known])
}

const keyOf = ({ type, organizationId, id }: Named) =>
  JSON.stringify(type === 'organization' ? [type, id] : [type, organizationId, id])

interface Batch {
  ids: string[]
  names: Promise<Map<string, string>>
}

/** What is asked for next, by API key, type and organization. */
const batches = new Map<string, Batch>()
/** So many are read at once. The API takes no more. */
const MOST = 1_000

/** One name. Those of the same kind and organization that are asked for at the same moment are read together. */
async function nameFrom(api: Api, apiKey: string, { type, organizationId, id }: Named): Promise<string> {
  const kind = JSON.stringify([apiKey, type, type === 'organization' ? '' : organizationId])
  const open = batches.get(kind)
  const batch = open && open.ids.length < MOST ? open : newBatch(kind, (ids) => READ[type](api, organizationId, ids))
  batch.ids.push(id)
  return (await batch.names).get(id) ?? ''
}

type Names = [id: string, name: string][]

function newBatch(kind: string, read: (ids: string[]) => Promise<Names>): Batch {
  const ids: string[] = []
  const begin = async () => {
    await new Promise((resolve) => setTimeout(resolve))
    if (batches.get(kind) === batch) batches.delete(kind)
    return new Map(await read(ids))
  }
  const batch = { ids, names: begin() }
  batches.set(kind, batch)
  return batch
}

const READ: Record<Named['type'], (api: Api, organizationId: string, ids: string[]) => Promise<Names>> = {
  async organization(api, _, organizationIds) {
    const { data } = await api.organizations.getOrganizations({ organizationIds })
    return data.map(({ id, organizationName }) => [id, organizationName])
  },
  // Of an organization, the first thousand are known.
  async folder(api, organizationId) {
    const { data } = await api.folders.getFolders({ organizationId, pageSize: MOST })
    return data.map(({ folderId, folderName }) => [folderId, folderName])
  },
  async document(api, organizationId, documentIds) {
    const { data } = await api.documents.getDocuments({ organizationId, documentIds })
    return data.map(({ id, documentName }) => [id, documentName])
  },
  async person(api, organizationId, userIds) {
    const { data } = await api.users.getUsers({ organizationId, userIds })
    return Array.isArray(data) ? data.map(({ userId, name = '' }) => [userId, name]) : []
  },
}
