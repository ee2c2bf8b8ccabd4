import { useState } from 'react'
import { t } from '../strings.ts'
import { useFilters } from '../ui/filters.tsx'
import type { Held } from '../ui/organization.tsx'
import { PickField } from '../ui/pick-field.tsx'
import { ORGANIZATIONS_TO_PICK, placesToPick } from './choices.ts'

/** The field `documentId` of the filters of a page of one organization. */
export function DocumentField({ held }: { held: Held }) {
  const [{ documentId }] = useFilters()
  return (
    <PickField
      label={t.document}
      name="documentId"
      value={held.ofIt(documentId)}
      source={placesToPick(held.id, 'document')}
    />
  )
}

interface PlaceFieldsProps {
  organizationId?: string | undefined
  documentId?: string | undefined
  labels?: { organization: string; document: string }
}

const LABELS = { organization: t.organization, document: t.document }

/** The fields `organizationId` and `documentId` of a form. The second offers documents of what the first holds. */
export function PlaceFields({ organizationId, documentId, labels = LABELS }: PlaceFieldsProps) {
  const [held, setHeld] = useState(organizationId ?? '')
  return (
    <>
      <PickField
        label={labels.organization}
        name="organizationId"
        value={organizationId}
        source={ORGANIZATIONS_TO_PICK}
        changed={setHeld}
      />
      <PickField label={labels.document} name="documentId" value={documentId} source={placesToPick(held, 'document')} />
    </>
  )
}
