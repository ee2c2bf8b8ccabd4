import { accuracy, auc, calibrationError, type Forecast, mean, reliability } from './calibration.ts'
import type { Asked, Replay } from './replay.ts'

/** Reports the results of a replay as Markdown. */
export function evaluationReport(title: string, from: number, replay: Replay): string {
  const { judgments, sided, withoutContent, asked } = replay
  const start = new Date(from).toISOString()
  const intro = [
    `# ${title}`,
    `${judgments} judgments, of which ${sided} took a side. Since ${start}, ${asked.length + withoutContent} did: each was asked ` +
      'about with what was known before it, without the judgments of its own thread.',
    'What was measured finds by words alone (`EMBEDDER=lexical`), whatever embedding model is configured.',
    ...(withoutContent > 0
      ? [`${withoutContent} of them could not be asked about: they say nothing of what was reviewed.`]
      : []),
  ]
  const measured =
    asked.length > 0 ? [...suggestSection(asked), ...searchSection(asked)] : ['There is nothing to measure.']
  return `${[...intro, ...measured, ...(judgments > 0 ? offTopicSection(replay) : [])].join('\n\n')}\n`
}

function suggestSection(asked: Asked[]): string[] {
  const answered = asked.filter(({ probability }) => probability !== undefined)
  const forecasts = answered.map(({ probability = 0, approve }) => ({ probability, approve }))
  const measured = (made: Forecast[]) => [percent(made.length, asked.length), decimal(accuracy(made))]
  const rows = [
    ['suggest', ...measured(forecasts), decimal(auc(forecasts)), decimal(calibrationError(forecasts))],
    ['the more frequent side so far', ...measured(asked.map(majority)), '–', '–'],
    ['the same, where suggest answers', ...measured(answered.map(majority)), '–', '–'],
  ]
  const scopes = (['document', 'organization', 'apiKey'] as const).map(
    (name) => `${name} ${percent(answered.filter(({ scope }) => scope === name).length, answered.length)}`,
  )
  const conflicts = answered.filter(({ isConflict }) => isConflict).length
  return [
    '## Suggestions',
    table(['', 'answered', 'accuracy', 'AUC', 'ECE'], rows),
    'Answered: of how many there was a suggestion. Accuracy: how often it was what was decided. AUC: how probable it is ' +
      'that an approval was held more likely than a rejection (0.5 is chance). ECE: by how much stated confidence and ' +
      'accuracy differ on average.',
    `Answered from the scopes: ${scopes.join(', ')}. Flagged as a conflict: ${percent(conflicts, answered.length)}.`,
    '## Confidence of the suggestions',
    table(
      ['confidence', 'suggestions', 'mean confidence', 'share right'],
      reliability(forecasts).map((bin) => [
        `${bin.from.toFixed(2)}–${bin.to.toFixed(2)}`,
        String(bin.count),
        decimal(bin.confidence),
        decimal(bin.accuracy),
      ]),
    ),
    'A suggestion can be taken at its word where the share that was right is about the mean confidence.',
  ]
}

function searchSection(asked: Asked[]): string[] {
  const rows = (['review', 'content'] as const).map((field) => {
    const found = asked
      .map((each) => ({ ...each.found[field], chance: chanceOf(each) }))
      .filter(({ sided }) => sided > 0)
    return [
      field,
      percent(found.length, asked.length),
      percent(found.filter(({ same }) => same > 0).length, found.length),
      decimal(mean(found.map(({ sided, same }) => same / sided))),
      decimal(mean(found.map(({ chance }) => chance))),
    ]
  })
  return [
    '## Searches for what was reviewed',
    table(['embeddingType', 'found', 'one of five alike', 'share alike', 'by chance'], rows),
    'Found: of how many the first five hold a judgment that took a side. One of five alike: how often at least one of ' +
      'those took the side that was taken then. Share alike: how many of them did on average; by chance: how many of any ' +
      'judgments before would have. Search is of use for deciding as far as the share is above chance.',
  ]
}

function offTopicSection({ offTopicAnswers, probes }: Replay): string[] {
  return [
    '## Off-topic',
    `${offTopicAnswers} of ${probes} sentences about something else altogether get a suggestion (${percent(offTopicAnswers, probes)}; none should).`,
  ]
}

const majority = (asked: Asked): Forecast => ({ probability: approvalRate(asked), approve: asked.approve })

const approvalRate = ({ approvals, rejections }: Asked) => (approvals + 1) / (approvals + rejections + 2)

function chanceOf({ approve, approvals, rejections }: Asked): number {
  return (approve ? approvals : rejections) / (approvals + rejections)
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

const percent = (part: number, whole: number) => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`)

const decimal = (value: number) => (Number.isFinite(value) ? value.toFixed(3) : '–')
