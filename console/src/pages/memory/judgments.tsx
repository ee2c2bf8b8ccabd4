import { useRead } from '../../door/tenant.tsx'
import { t } from '../../strings.ts'
import { FilterForm, SelectField, TextField, useFilters, withoutEmpty } from '../../ui/filters.tsx'
import { PickField } from '../../ui/pick-field.tsx'
import { Panel, Warnings } from '../../ui/show.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { numberText } from '../../ui/text.ts'
import { REVIEWERS_TO_PICK } from '../choices.ts'
import { PlaceFields } from '../place-fields.tsx'
import { SIDES } from '../sides.ts'
import { DeleteJudgment } from './delete-judgment.tsx'
import { Judgment, JudgmentList } from './evidence.tsx'
import { PlacedJudgments } from './placed-judgments.tsx'

/** The API gives no more at once. */
const MOST = { newest: 100, nearest: 50 }

/** Who decided what, and why: the newest judgments, or those nearest to some words. */
export function Judgments() {
  const [{ words = '', side = '', reviewer = '', organizationId, documentId }] = useFilters()
  const sides = SIDES.map((each): [string, string] => [each, t.judgments.sides[each]])
  return (
    <>
      <FilterForm submit={t.judgments.find}>
        <TextField label={t.judgments.words} name="words" value={words} />
        <SelectField label={t.judgments.decision} name="side" value={side} options={sides} any={t.all} />
        <PickField label={t.profile.reviewer} name="reviewer" value={reviewer} source={REVIEWERS_TO_PICK} />
        <PlaceFields organizationId={organizationId} documentId={documentId} />
      </FilterForm>
      {words === '' ? <Newest /> : <Nearest words={words} />}
    </>
  )
}

/** What the address asks for, besides words. */
function useAsked() {
  const [{ side: asked, reviewer, organizationId, documentId }] = useFilters()
  const side = SIDES.find((each) => each === asked)
  return {
    place: withoutEmpty({ organizationId, documentId }),
    filters: withoutEmpty({ side, reviewerId: reviewer }),
  }
}

function Nearest({ words }: { words: string }) {
  const { place, filters } = useAsked()
  const query = useRead(['nearest-judgments', words, place, filters], (api, options) =>
    api.memory.searchJudgments({ query: words, ...place, filters, limit: MOST.nearest, includeContent: true }, options),
  )
  return (
    <Loaded query={query}>
      {({ results, warnings }) => (
        <>
          <Warnings warnings={warnings} />
          {results.length === 0 ? (
            <Nothing />
          ) : (
            <Panel title={`${t.judgments.nearest} (${numberText(results.length)})`}>
              <JudgmentList
                key={words}
                rows={results}
                show={(row) => (
                  <Judgment
                    key={row.recordId}
                    judgment={row}
                    question={words}
                    actions={<DeleteJudgment recordId={row.recordId} />}
                  />
                )}
              />
            </Panel>
          )}
        </>
      )}
    </Loaded>
  )
}

const Nothing = () => <Empty what={t.judgments.none} next={t.judgments.noneNext} />

function Newest() {
  const { place, filters } = useAsked()
  const query = useRead(['newest-judgments', place, filters], (api, options) =>
    api.memory.queryJudgments({ ...place, ...filters, limit: MOST.newest, includeContent: true }, options),
  )
  return (
    <Loaded query={query}>
      {({ results }) =>
        results.length === 0 ? (
          <Nothing />
        ) : (
          <Panel title={`${t.judgments.newest} (${numberText(results.length)})`}>
            <PlacedJudgments rows={results} />
          </Panel>
        )
      }
    </Loaded>
  )
}
