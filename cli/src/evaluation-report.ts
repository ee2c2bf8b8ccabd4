import type { Api } from '../../client/src/index.ts'
import { columns } from './command.ts'

type Evaluation = Awaited<ReturnType<Api['memory']['getEvaluations']>>['evaluations'][number]
type Report = NonNullable<Evaluation['report']>

/** The report of an evaluation for people. `--json` has all of it. */
export function reportLines(report: Report): string[] {
  const { judgments, sided, asked, withoutContent, model } = report
  return [
    `${judgments} judgments, of which ${sided} took a side. Since ${dayOf(report.from)}, ${asked} were asked about, each`,
    `by what was known before it, ${model === null ? 'by words alone' : `by words and the model ${model}`}.`,
    ...(withoutContent > 0 ? [`${withoutContent} more say nothing of what was reviewed.`] : []),
    ...(asked === 0 ? ['There is nothing to measure.'] : measured(report)),
  ]
}

function measured({ coverage, quality, majority, calibration, overTime, searches, offTopic }: Report): string[] {
  return [
    '\nSuggestions',
    ...columns([
      ['answered', percent(coverage)],
      [
        'right',
        `${percent(quality.accuracy)}; always the more frequent side: ${percent(majority.accuracyWhereAnswered)}`,
      ],
      ['AUC', `${decimal(quality.auc)} (0.5 is chance)`],
      ['calibration error', decimal(quality.ece)],
      ['Brier score', `${decimal(quality.brier)} (0.25 is a coin)`],
      ['off-topic items answered', `${offTopic.answered} of ${offTopic.asked} (none should be)`],
    ]),
    ...(calibration.length === 0 ? [] : ['\nHow right they were, by confidence']),
    ...columns(
      calibration.map(({ from, to, count, accuracy }) => [
        `${percent(from)} to ${percent(to)}`,
        `${percent(accuracy)} of ${count}`,
      ]),
    ),
    '\nHow right they were, over time',
    ...columns(
      overTime.map(({ from, answered, asked, accuracy }) => [
        dayOf(from),
        `${percent(accuracy)}; ${answered} of ${asked} answered`,
      ]),
    ),
    '\nSearches for what was reviewed: of five hits, how many were decided alike',
    ...columns(
      (['review', 'content'] as const).map((field) => [
        `by ${field}`,
        `${percent(searches[field].alike)}; by chance ${percent(searches[field].byChance)}`,
      ]),
    ),
  ]
}

const dayOf = (epochMs: number) => new Date(epochMs).toISOString().slice(0, 10)
const percent = (share: number | null) => (share === null ? '–' : `${(100 * share).toFixed(0)} %`)
const decimal = (value: number | null) => (value === null ? '–' : value.toFixed(3))
