import type { Folder } from '../../../../client/src/index.ts'
import { allDone } from '../../door/all-done.ts'
import { useRead, useTenant } from '../../door/tenant.tsx'
import { t } from '../../strings.ts'
import { Action } from '../../ui/action.tsx'
import { useFilters } from '../../ui/filters.tsx'
import { AccessTypeField, accessTypeOf } from './access-type.tsx'
import { AddNamed } from './add-named.tsx'
import { Move, TOP } from './move.tsx'
import { Rename } from './rename.tsx'

interface Place {
  organizationId: string
  folderId?: string | undefined
}

/** The folder of an organization that a page is in, if it is in one. */
export const useFolder = ({ organizationId, folderId }: Place) =>
  useRead(
    ['folder', organizationId, folderId],
    async (api, options) => {
      const asked = { organizationId, ...(folderId && { folderId }), maxDepth: 0 }
      return (await api.folders.getFolders(asked, options)).data[0]
    },
    { enabled: folderId !== undefined },
  )

/** Adds a folder to an organization, or to a folder of it. */
export function AddFolder({ organizationId, folderId: parentFolderId = TOP }: Place) {
  const { folders } = useTenant().api
  const add = async ({ folderId = '', folderName = '' }: Record<string, string>) => {
    await allDone(folders.addFolders({ organizationId, folders: [{ folderId, folderName, parentFolderId }] }))
    return t.places.added(folderName)
  }
  const fields = { name: 'folderName', id: 'folderId' }
  return <AddNamed label={t.places.addFolder} fields={fields} idLabel={t.places.folderId} add={add} />
}

/** What can be done with the folder that a page is in. */
export function FolderActions(place: Place) {
  const { data: folder } = useFolder(place)
  return folder ? <Changes folder={folder} /> : null
}

function Changes({ folder }: { folder: Folder }) {
  const { folders } = useTenant().api
  const [, change] = useFilters()
  const { organizationId, folderId, folderName, parentFolderId, accessType, inheritAccessFromParent } = folder
  const name = folderName || folderId
  const rename = (to: string | null) =>
    allDone(folders.updateFolders({ organizationId, folders: [{ folderId, folderName: to }] }))
  const move = (to: string) =>
    allDone(folders.updateFolders({ organizationId, folders: [{ folderId, parentFolderId: to }] }))
  const stored = inheritAccessFromParent ? '' : accessType
  const setAccess = (to: string | undefined) => {
    const own = accessTypeOf(to)
    const changed = own ? { accessType: own } : { inheritFromParent: true }
    return allDone(folders.updateFoldersAccess({ organizationId, folderIds: [folderId], ...changed }))
  }
  const changeAccess = async ({ accessType: to }: Record<string, string>) => {
    await setAccess(to)
    return { said: t.places.accessChanged, undo: () => setAccess(stored) }
  }
  const remove = async () => {
    await folders.deleteFolder({ organizationId, folderId })
    // The address would name a folder that is gone.
    change({ folderId: parentFolderId === TOP ? undefined : parentFolderId }, { replace: true })
    return t.places.deleted(name)
  }
  return (
    <>
      <Rename field="folderName" name={folderName} rename={rename} />
      <Move organizationId={organizationId} field="parentFolderId" from={parentFolderId} move={move} />
      <Action
        needs="administer"
        label={t.places.access}
        fields={<AccessTypeField value={stored} inherited />}
        run={changeAccess}
      />
      <Action needs="administer" label={t.delete} confirm={t.places.deleteFolder(name)} danger run={remove} />
    </>
  )
}
