import { lazy, Suspense } from 'react'
import { useRead, useTenant } from '../../door/tenant.tsx'
import { t } from '../../strings.ts'
import { Action } from '../../ui/action.tsx'
import { FilterForm, SelectField, TimeField, useFilters } from '../../ui/filters.tsx'
import { Badge, Panel } from '../../ui/show.tsx'
import { Empty, Loaded, Loading } from '../../ui/states.tsx'
import { numberText, timeText } from '../../ui/text.ts'

// The report is drawn when there is one.
import type { Evaluation } from './report.tsx'

const Report = lazy(async () => ({ default: (await import('./report.tsx')).Report }))

const REFRESH_MS = 2_000
const isUnderWay = ({ status }: Evaluation) => status === 'queued' || status === 'running'

/**
 * How well search and suggestions would have done on the past: each judgment asked about with what was known before.
 */
export function Quality() {
  const [{ evaluation: wanted }] = useFilters()
  const query = useRead(['evaluations'], (api, options) => api.memory.getEvaluations({}, options), {
    refetchInterval: REFRESH_MS,
  })
  return (
    <Loaded query={query}>
      {({ evaluations }) => {
        const shown = evaluations.find(({ evaluationId }) => evaluationId === wanted) ?? evaluations[0]
        return (
          <>
            <Panel title={t.quality.title} actions={<Evaluate isBusy={evaluations.some(isUnderWay)} />}>
              <p className="muted">{t.quality.about}</p>
              {evaluations.length > 1 && <Choice evaluations={evaluations} chosen={shown} />}
              {shown ? <State evaluation={shown} /> : <Empty what={t.quality.none} next={t.quality.noneNext} />}
            </Panel>
            {shown?.report && (
              <Suspense fallback={<Loading />}>
                <Report report={shown.report} />
              </Suspense>
            )}
          </>
        )
      }}
    </Loaded>
  )
}

function Evaluate({ isBusy }: { isBusy: boolean }) {
  const { api } = useTenant()
  const [, change] = useFilters()
  const evaluate = async ({ from = '' }: Record<string, string>) => {
    const { evaluationId } = await api.memory.evaluateMemory(from ? { from: Date.parse(from) } : {})
    change({ evaluation: evaluationId })
    return t.quality.started
  }
  if (isBusy) return null
  const field = (
    <>
      <p className="muted">{t.quality.fromHelp}</p>
      <TimeField label={t.quality.from} name="from" />
    </>
  )
  return <Action needs="review" label={t.quality.evaluate} fields={field} run={evaluate} />
}

function Choice({ evaluations, chosen }: { evaluations: Evaluation[]; chosen: Evaluation | undefined }) {
  const options = evaluations.map(({ evaluationId, createdAt }): [string, string] => [
    evaluationId,
    timeText(createdAt),
  ])
  return (
    <FilterForm>
      <SelectField label={t.quality.one} name="evaluation" value={chosen?.evaluationId ?? ''} options={options} />
    </FilterForm>
  )
}

const TONES = { queued: 'wait', running: 'wait', completed: 'good', failed: 'bad' } as const

function State({ evaluation }: { evaluation: Evaluation }) {
  const { status, read, total, createdAt, finishedAt } = evaluation
  return (
    <div role="status">
      <p>
        <Badge tone={TONES[status]}>{t.quality.statuses[status]}</Badge>{' '}
        <span className="muted">{timeText(finishedAt ?? createdAt)}</span>
      </p>
      {isUnderWay(evaluation) && (
        <p>
          <progress aria-label={t.quality.evaluate} {...(total !== null && { max: total, value: read })} />{' '}
          {total === null ? t.quality.waiting : t.quality.progress(numberText(read), numberText(total))}
        </p>
      )}
      {status === 'failed' && <p>{t.quality.failedNext}</p>}
    </div>
  )
}
