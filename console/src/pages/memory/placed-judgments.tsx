import { useState } from 'react'
import type { Api } from '../../../../client/src/index.ts'
import { useRead } from '../../door/tenant.tsx'
import { t } from '../../strings.ts'
import { Loaded } from '../../ui/states.tsx'
import { To, ToThread } from '../browse-links.tsx'
import { useDocumentNames, useOrganizationNames } from '../names.ts'
import { DeleteJudgment } from './delete-judgment.tsx'
import { Judgment, JudgmentList } from './evidence.tsx'

type Placed = Awaited<ReturnType<Api['memory']['queryJudgments']>>['results'][number]

/** Judgments of any place, each with where it was decided. */
export const PlacedJudgments = ({ rows }: { rows: Placed[] }) => (
  <JudgmentList
    rows={rows}
    show={(row) => (
      <Judgment
        key={row.recordId}
        judgment={row}
        place={<Place judgment={row} />}
        actions={<DeleteJudgment recordId={row.recordId} />}
      />
    )}
  />
)

/** The judgments of some ids, read when they are unfolded. */
export function FoldedJudgments({ title, recordIds }: { title: string; recordIds: string[] }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && <JudgmentsOf recordIds={recordIds} />}
    </details>
  )
}

/** The judgments of some ids, those that still exist. */
export function JudgmentsOf({ recordIds }: { recordIds: string[] }) {
  const query = useRead(['judgments', recordIds], (api, options) =>
    api.memory.queryJudgments({ recordIds, includeContent: true }, options),
  )
  return <Loaded query={query}>{({ results }) => <PlacedJudgments rows={results} />}</Loaded>
}

/** The document or organization of a judgment, by its name, as a link to its threads, and one to the thread itself. */
function Place({ judgment: { organizationId, documentId, annotationId } }: { judgment: Placed }) {
  const organization = useOrganizationNames(organizationId ? [organizationId] : [])
  const document = useDocumentNames(organizationId ?? '', documentId ? [documentId] : [])
  if (!organizationId) return t.judgments.nowhere
  const label = documentId ? `${organization(organizationId)}, ${document(documentId)}` : organization(organizationId)
  return (
    <>
      <To page="/threads" search={{ organizationId, status: 'all', ...(documentId && { documentId }) }} label={label} />
      {annotationId && (
        <>
          {' '}
          · <ToThread organizationId={organizationId} thread={annotationId} />
        </>
      )}
    </>
  )
}
