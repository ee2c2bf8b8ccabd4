import { useRead } from '../../door/tenant.tsx'
import { t } from '../../strings.ts'
import { FilterForm, TextField, useFilters } from '../../ui/filters.tsx'
import { Highlighted } from '../../ui/highlighted.tsx'
import { Badge, Bar, Panel } from '../../ui/show.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { percentText } from '../../ui/text.ts'
import { To } from '../browse-links.tsx'

const MOST = 20

/** Finds the pieces and rules of all sources that say most on some words. */
export function SearchKnowledge({ sources }: { sources: { id: string; fileName: string }[] }) {
  const [{ find = '' }] = useFilters()
  return (
    <Panel title={t.knowledge.searchTitle}>
      <FilterForm submit={t.knowledge.find}>
        <TextField label={t.knowledge.query} name="find" value={find} required />
      </FilterForm>
      {find !== '' && <Hits sources={sources} find={find} />}
    </Panel>
  )
}

function Hits({ sources, find }: { sources: { id: string; fileName: string }[]; find: string }) {
  const query = useRead(['knowledge', 'search', find], (api, options) =>
    api.knowledge.searchKnowledgeSources({ query: find, limit: MOST, includeRules: true }, options),
  )
  const nameOf = (sourceId: string) => sources.find(({ id }) => id === sourceId)?.fileName ?? sourceId
  return (
    <Loaded query={query}>
      {({ results }) =>
        results.length === 0 ? (
          <Empty what={t.knowledge.noHits} next={t.knowledge.noHitsNext} />
        ) : (
          <ul className="plain" aria-label={t.knowledge.hits}>
            {results.map(({ sourceId, ruleId, text, score, kind, category }, index) => (
              <li key={ruleId ?? `${sourceId} ${index}`} className="judgment">
                <p className="told">
                  <Highlighted text={text} question={find} />
                </p>
                <p className="verdict">
                  <Bar label={t.knowledge.nearness} share={1 - score} />
                  <span>{percentText(1 - score)}</span>
                  <Badge>{t.knowledge.kinds[kind]}</Badge>
                  <To page="/memory" search={{ view: 'knowledge', source: sourceId, find }} label={nameOf(sourceId)} />
                  {category && <span className="muted">{category}</span>}
                </p>
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  )
}
