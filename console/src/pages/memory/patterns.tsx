import type { Api } from '../../../../client/src/index.ts'
import { useRead } from '../../door/tenant.tsx'
import { t } from '../../strings.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useFilters } from '../../ui/filters.tsx'
import { Badge, Panel } from '../../ui/show.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { numberText, percentText, timeText } from '../../ui/text.ts'
import { type NameOf, useOrganizationNames } from '../names.ts'
import { JudgmentsOf } from './placed-judgments.tsx'

type Pattern = Awaited<ReturnType<Api['insights']['getPatterns']>>[number]

/** The reasons that recur in judgments, what they lead to, and how often they are given over time. */
export function Patterns() {
  const query = useRead(['patterns'], (api, options) => api.insights.getPatterns({}, options))
  const nameOf = useOrganizationNames((query.data ?? []).flatMap(({ organizationId }) => organizationId ?? []))
  const columns = columnsOf(nameOf)
  const [{ pattern }, change] = useFilters()
  const opened = query.data?.find((each) => idOf(each) === pattern)
  return (
    <Panel title={t.patterns.title}>
      <p className="muted">{t.patterns.about}</p>
      {pattern && query.data && !opened && <p role="status">{t.patterns.gone}</p>}
      <Loaded query={query}>
        {(patterns) =>
          patterns.length === 0 ? (
            <Empty what={t.patterns.none} next={t.patterns.noneNext} />
          ) : (
            <DataTable
              label={t.patterns.title}
              columns={columns}
              rows={patterns}
              idOf={idOf}
              open={(pattern) => change({ pattern: idOf(pattern) })}
            />
          )
        }
      </Loaded>
      {opened && (
        <Dialog title={opened.description} close={() => change({ pattern: undefined })}>
          <p className="muted">{t.patterns.newestOf(numberText(opened.sourceCount))}</p>
          <JudgmentsOf recordIds={opened.topSourceRecordIds} />
        </Dialog>
      )}
    </Panel>
  )
}

const idOf = ({ description, organizationId = '' }: Pattern) => `${organizationId} ${description}`

const TONES = { approve: 'good', reject: 'bad', other: 'plain' } as const

const columnsOf = (nameOf: NameOf): Column<Pattern>[] => [
  { header: t.patterns.reason, cell: ({ description }) => <span className="told">{description}</span> },
  {
    header: t.patterns.leadsTo,
    cell: ({ category }) => <Badge tone={TONES[category]}>{t.patterns.categories[category]}</Badge>,
  },
  { header: t.memory.confidence, isNumber: true, cell: ({ confidence }) => percentText(confidence) },
  { header: t.memory.judgments, isNumber: true, cell: ({ sourceCount }) => numberText(sourceCount) },
  { header: t.memory.reviewers, isNumber: true, cell: ({ uniqueReviewers }) => numberText(uniqueReviewers) },
  { header: t.patterns.trend, cell: ({ trend }) => <Trend trend={trend} /> },
  { header: t.patterns.last, cell: ({ updatedAt }) => timeText(updatedAt) },
  { header: t.memory.scope, cell: ({ organizationId: id }) => (id ? nameOf(id) : t.patterns.everywhere) },
]

const HEIGHT = 20
const WIDTH = 6

/** The judgments of the last twelve months as bars; the word beside them says where it goes. */
function Trend({ trend: { direction, buckets } }: Pick<Pattern, 'trend'>) {
  const most = Math.max(1, ...buckets.map(({ count }) => count))
  const label = buckets.map(({ count }) => numberText(count)).join(', ')
  return (
    <span className="verdict">
      <svg
        className="bars"
        width={buckets.length * WIDTH}
        height={HEIGHT}
        role="img"
        aria-label={t.patterns.counts(label)}
      >
        {buckets.map(({ from, count }, index) => {
          const height = Math.round((count / most) * HEIGHT)
          return <rect key={from} x={index * WIDTH} y={HEIGHT - height} width={WIDTH - 1} height={height} />
        })}
      </svg>
      {t.patterns.directions[direction]}
    </span>
  )
}
