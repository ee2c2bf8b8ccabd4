import { useCallback } from 'react'
import type { Api, CallOptions } from '../../../client/src/index.ts'
import { useRead } from '../door/tenant.tsx'

/** Says what people call the place or person of an id; the id itself while no name is known. It changes with the names. */
export type NameOf = (id: string) => string

/** So many are read at once. The API takes no more. */
const MOST = 1_000

/** The names of documents of an organization. */
export const useDocumentNames = (organizationId: string, ids: string[]): NameOf =>
  useNames(['document', organizationId], ids, async (api, documentIds, options) => {
    const { data } = await api.documents.getDocuments({ organizationId, documentIds }, options)
    return data.map(({ id, documentName }) => [id, documentName])
  })

/** The names of folders of an organization, of which the first thousand are known. */
const useFolderNames = (organizationId: string, ids: string[]): NameOf =>
  useNames(['folder', organizationId], ids, async (api, _ids, options) => {
    const { data } = await api.folders.getFolders({ organizationId, pageSize: MOST }, options)
    return data.map(({ folderId, folderName }) => [folderId, folderName])
  })

/** The names of organizations. */
export const useOrganizationNames = (ids: string[]): NameOf =>
  useNames(['organization'], ids, async (api, organizationIds, options) => {
    const { data } = await api.organizations.getOrganizations({ organizationIds }, options)
    return data.map(({ id, organizationName }) => [id, organizationName])
  })

/** The names of people of an organization. */
export const usePeopleNames = (organizationId: string, ids: string[]): NameOf =>
  useNames(['people', organizationId], ids, async (api, userIds, options) => {
    const { data } = await api.users.getUsers({ organizationId, userIds }, options)
    return Array.isArray(data) ? data.map(({ userId, name = '' }) => [userId, name]) : []
  })

interface Place {
  type: 'organization' | 'folder' | 'document'
  id: string
}

/** The names of places of an organization, and its own. */
export function usePlaceNames(organizationId: string, places: Place[]): (place: Place) => string {
  const idsOf = (type: Place['type']) => places.filter((place) => place.type === type).map(({ id }) => id)
  const organization = useOrganizationNames(idsOf('organization'))
  const folder = useFolderNames(organizationId, idsOf('folder'))
  const document = useDocumentNames(organizationId, idsOf('document'))
  return useCallback(({ type, id }) => ({ organization, folder, document })[type](id), [organization, folder, document])
}

type Read = (api: Api, ids: string[], options: CallOptions) => Promise<[id: string, name: string][]>

function useNames(kind: string[], ids: string[], read: Read): NameOf {
  const asked = [...new Set(ids)].sort().slice(0, MOST)
  const { data } = useRead(['names', ...kind, asked], (api, options) => read(api, asked, options), {
    enabled: asked.length > 0,
  })
  return useCallback((id) => new Map(data).get(id) || id, [data])
}
