import { useMemo } from 'react'
import type { Api } from '../../../../client/src/index.ts'
import { t } from '../../strings.ts'
import { Chart } from '../../ui/chart.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { AsTable, Facts, Panel } from '../../ui/show.tsx'
import { Empty } from '../../ui/states.tsx'
import { numberText, percentText, shareText, timeText } from '../../ui/text.ts'
import { Model } from './model.tsx'

export type Evaluation = Awaited<ReturnType<Api['memory']['getEvaluations']>>['evaluations'][number]

type ReportOf = NonNullable<Evaluation['report']>
type Bin = ReportOf['calibration'][number]
type Period = ReportOf['overTime'][number]

const figureText = (figure: number | null) => (figure === null ? t.none : figure.toFixed(3))

/** The report of an evaluation: its figures, the calibration, and how it went over time. */
export function Report({ report }: { report: ReportOf }) {
  if (report.asked === 0) {
    return (
      <Panel title={t.quality.figures}>
        <Empty what={t.quality.nothingAsked} next={t.quality.nothingAskedNext} />
      </Panel>
    )
  }
  return (
    <>
      <Figures report={report} />
      <div className="columns">
        <Calibration bins={report.calibration} />
        <OverTime periods={report.overTime} />
      </div>
    </>
  )
}

/** With fewer answers than these, a share of them may be ten points off. */
const FEW = 100

function Figures({ report }: { report: ReportOf }) {
  const { asked, judgments, from, coverage, quality, majority, scopes, conflicts, offTopic, model, withoutContent } =
    report
  const answered = report.overTime.reduce((sum, period) => sum + period.answered, 0)
  return (
    <Panel title={t.quality.figures}>
      {answered < FEW && <p className="wait">{t.quality.few(answered)}</p>}
      <Facts
        facts={[
          [t.quality.accuracy, shareText(quality.accuracy)],
          [t.quality.majority, shareText(majority.accuracyWhereAnswered)],
          [t.quality.coverage, shareText(coverage)],
          [t.quality.ece, figureText(quality.ece)],
          [t.quality.auc, figureText(quality.auc)],
          [t.quality.brier, figureText(quality.brier)],
          [t.quality.asked, t.memory.ofTotal(numberText(asked), numberText(judgments))],
          [t.quality.since, timeText(from)],
          [t.quality.withoutContent, numberText(withoutContent)],
          [t.quality.scopes, t.quality.scopesText(scopes.document, scopes.organization, scopes.apiKey)],
          [t.quality.conflicts, numberText(conflicts)],
          [t.quality.offTopic, t.quality.ofAsked(numberText(offTopic.answered), numberText(offTopic.asked))],
          [t.memory.model, <Model key="model" model={model} />],
        ]}
      />
    </Panel>
  )
}

function Calibration({ bins }: { bins: Bin[] }) {
  const series = useMemo(
    () => [
      { label: t.quality.accuracy, colour: '--accent', values: bins.map(({ accuracy }) => accuracy) },
      { label: t.quality.ideal, colour: '--muted', values: bins.map(({ confidence }) => confidence) },
    ],
    [bins],
  )
  const x = useMemo(() => bins.map(({ confidence }) => confidence), [bins])
  return (
    <Panel title={t.quality.calibration}>
      <p className="muted">{t.quality.calibrationHelp}</p>
      {bins.length > 0 && <Chart label={t.quality.calibration} x={x} series={series} time={false} />}
      <AsTable>
        <DataTable label={t.quality.calibration} columns={BINS} rows={bins} idOf={({ from }) => String(from)} />
      </AsTable>
    </Panel>
  )
}

const BINS: Column<Bin>[] = [
  { header: t.memory.confidence, isNumber: true, cell: ({ from, to }) => `${percentText(from)}–${percentText(to)}` },
  { header: t.quality.count, isNumber: true, cell: ({ count }) => numberText(count) },
  { header: t.quality.meanConfidence, isNumber: true, cell: ({ confidence }) => figureText(confidence) },
  { header: t.quality.accuracy, isNumber: true, cell: ({ accuracy }) => figureText(accuracy) },
]

const coverageOf = ({ asked, answered }: Period) => (asked === 0 ? null : answered / asked)

function OverTime({ periods }: { periods: Period[] }) {
  const series = useMemo(
    () => [
      { label: t.quality.accuracy, colour: '--good', values: periods.map(({ accuracy }) => accuracy) },
      { label: t.quality.coverage, colour: '--accent', values: periods.map(coverageOf) },
      { label: t.quality.approvals, colour: '--muted', values: periods.map(({ approvals }) => approvals) },
    ],
    [periods],
  )
  const x = useMemo(() => periods.map(({ from }) => from / 1000), [periods])
  return (
    <Panel title={t.quality.overTime}>
      <p className="muted">{t.quality.overTimeHelp}</p>
      <Chart label={t.quality.overTime} x={x} series={series} />
      <AsTable>
        <DataTable label={t.quality.overTime} columns={PERIODS} rows={periods} idOf={({ from }) => String(from)} />
      </AsTable>
    </Panel>
  )
}

const PERIODS: Column<Period>[] = [
  { header: t.from, cell: ({ from }) => timeText(from) },
  { header: t.quality.asked, isNumber: true, cell: ({ asked }) => numberText(asked) },
  { header: t.quality.answered, isNumber: true, cell: ({ answered }) => numberText(answered) },
  { header: t.quality.coverage, isNumber: true, cell: (period) => shareText(coverageOf(period)) },
  { header: t.quality.accuracy, isNumber: true, cell: ({ accuracy }) => shareText(accuracy) },
  { header: t.quality.meanConfidence, isNumber: true, cell: ({ confidence }) => shareText(confidence) },
  { header: t.quality.approvals, isNumber: true, cell: ({ approvals }) => shareText(approvals) },
]
