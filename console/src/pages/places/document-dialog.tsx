import type { Document } from '../../../../client/src/index.ts'
import { allDone } from '../../door/all-done.ts'
import { useRead, useTenant } from '../../door/tenant.tsx'
import { t } from '../../strings.ts'
import { Action } from '../../ui/action.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Facts } from '../../ui/show.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { stateOf, To } from '../browse-links.tsx'
import { usePlaceNames } from '../names.ts'
import { AccessTypeField, accessTypeOf } from './access-type.tsx'
import { AddNamed } from './add-named.tsx'
import { ChangeId } from './change-id.tsx'
import { Disable } from './disable.tsx'
import { Move, TOP } from './move.tsx'
import { Rename } from './rename.tsx'

/** Adds a document to an organization, or to a folder of it. */
export function AddDocument({ organizationId, folderId }: { organizationId: string; folderId?: string | undefined }) {
  const { documents } = useTenant().api
  const add = async ({ documentId = '', documentName = '' }: Record<string, string>) => {
    const place = { organizationId, ...(folderId && { folderId }) }
    await allDone(documents.addDocuments({ ...place, documents: [{ documentId, documentName }] }))
    return t.places.added(documentName)
  }
  const fields = { name: 'documentName', id: 'documentId' }
  return <AddNamed label={t.places.addDocument} fields={fields} idLabel={t.documentId} add={add} />
}

interface DialogProps {
  id: string
  organizationId: string
  close: () => void
}

/** One document by its id, which an address may hold though the list does not. */
export function DocumentDialog({ id, organizationId, close }: DialogProps) {
  const query = useRead(['document', organizationId, id], async (api, options) => {
    const { data } = await api.documents.getDocuments({ organizationId, documentIds: [id] }, options)
    return { document: data[0] }
  })
  return (
    <Dialog title={query.data?.document?.documentName || id} close={close}>
      <Loaded query={query}>
        {({ document }) =>
          document ? (
            <Details document={document} organizationId={organizationId} close={close} />
          ) : (
            <Empty what={t.places.unknown} next={t.places.unknownNext} />
          )
        }
      </Loaded>
    </Dialog>
  )
}

interface DetailsProps {
  document: Document
  organizationId: string
  close: () => void
}

function Details({ document, organizationId, close }: DetailsProps) {
  const { id, accessType, folderId } = document
  return (
    <>
      <Facts
        facts={[
          [t.documentId, id],
          [t.places.folder, folderId && <ToFolder key="folder" organizationId={organizationId} folderId={folderId} />],
          [t.browse.access, accessType],
          [t.status, stateOf(document)],
        ]}
      />
      <p className="actions">
        <To page="/threads" search={{ organizationId, documentId: id, status: 'all' }} label={t.threads.title} />
        <To page="/activity" search={{ organizationId, documentId: id }} label={t.activity.title} />
        <To page="/recordings" search={{ organizationId, documentId: id }} label={t.recordings.title} />
        <To page="/access" search={{ organizationId, kind: 'document', resource: id }} label={t.access.title} />
      </p>
      <footer className="actions">
        <Changes document={document} organizationId={organizationId} close={close} />
      </footer>
    </>
  )
}

/** The way to the folder that a document is in. */
function ToFolder({ organizationId, folderId }: { organizationId: string; folderId: string }) {
  const folder = { type: 'folder', id: folderId } as const
  const nameOf = usePlaceNames(organizationId, [folder])
  return <To page="/browse" search={{ organizationId, folderId }} label={nameOf(folder)} />
}

function Changes({ document, organizationId, close }: DetailsProps) {
  const { documents } = useTenant().api
  const { id, documentName, accessType, disabled, folderId = TOP } = document
  const name = documentName || id
  const place = { organizationId, documentIds: [id] }
  const rename = (to: string | null) =>
    allDone(documents.updateDocuments({ organizationId, documents: [{ documentId: id, documentName: to }] }))
  const changeAccess = async (values: Record<string, string>) => {
    const changed = accessTypeOf(values.accessType) ?? accessType
    await allDone(documents.updateDocumentsAccess({ ...place, accessType: changed }))
    return t.places.accessChanged
  }
  const disable = (to: boolean) => allDone(documents.updateDocumentsDisableState({ ...place, disabled: to }))
  const remove = async () => {
    await allDone(documents.deleteDocuments(place))
    close()
    return t.places.deleted(name)
  }
  return (
    <>
      <Rename field="documentName" name={documentName} rename={rename} />
      <Move
        organizationId={organizationId}
        field="folderId"
        from={folderId}
        confirm={t.places.moveDocument}
        move={(to) => allDone(documents.moveDocuments({ organizationId, documentIds: [id], folderId: to }))}
      />
      <ChangeId organizationId={organizationId} id={id} />
      <Action
        needs="administer"
        label={t.places.access}
        confirm={t.places.ofItsOwn}
        fields={<AccessTypeField value={accessType} />}
        run={changeAccess}
      />
      <Disable name={name} disabled={disabled} disable={disable} />
      <Action needs="administer" label={t.delete} confirm={t.places.deleteDocument(name)} danger run={remove} />
    </>
  )
}
