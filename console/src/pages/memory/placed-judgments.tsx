import type { Api } from '../../../../client/src/index.ts'
import { t } from '../../strings.ts'
import { To } from '../browse-links.tsx'
import { useDocumentNames, useOrganizationNames } from '../names.ts'
import { Judgment, JudgmentList } from './evidence.tsx'

type Placed = Awaited<ReturnType<Api['memory']['queryJudgments']>>['results'][number]

/** Judgments of any place, each with where it was decided. */
export const PlacedJudgments = ({ rows }: { rows: Placed[] }) => (
  <JudgmentList
    rows={rows}
    show={(row) => <Judgment key={row.recordId} judgment={row} place={<Place judgment={row} />} />}
  />
)

/** The document or organization of a judgment, by its name, as a link to its threads. */
function Place({ judgment: { organizationId, documentId } }: { judgment: Placed }) {
  const organization = useOrganizationNames(organizationId ? [organizationId] : [])
  const document = useDocumentNames(organizationId ?? '', documentId ? [documentId] : [])
  if (!organizationId) return t.judgments.nowhere
  const label = documentId ? `${organization(organizationId)}, ${document(documentId)}` : organization(organizationId)
  return (
    <To page="/threads" search={{ organizationId, status: 'all', ...(documentId && { documentId }) }} label={label} />
  )
}
