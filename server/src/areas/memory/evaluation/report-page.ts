import type { EvaluationReport } from './evaluation-report.ts'

/** A report as Markdown. */
export function reportPage(title: string, report: EvaluationReport): string {
  const { judgments, sided, withoutContent, asked, model, everyNth, window } = report
  const since = new Date(report.from).toISOString()
  const intro = [
    `# ${title}`,
    `${judgments} judgments, of which ${sided} took a side. Since ${since}, ${asked} were asked about, each with what was ` +
      'known before it, without the judgments of its own thread.',
    model === null
      ? 'Only words were compared.'
      : `Words were compared, and the stored vectors of the model ${model}; that of an item stands for its query.`,
    ...(everyNth > 1 ? [`There are so many that only every ${everyNth}th was asked about.`] : []),
    ...(judgments > window ? [`Of those before, the latest ${window} were known.`] : []),
    ...(withoutContent > 0
      ? [`${withoutContent} more could not be asked about: they say nothing of what was reviewed.`]
      : []),
  ]
  const measured =
    asked > 0
      ? [...suggestSection(report), ...partsSection(report), ...timeSection(report), ...searchSection(report)]
      : ['There is nothing to measure.']
  return `${[...intro, ...measured, ...(judgments > 0 ? offTopicSection(report) : [])].join('\n\n')}\n`
}

function suggestSection({ coverage, quality, majority, scopes, conflicts, calibration, asked }: EvaluationReport) {
  const answered = scopes.document + scopes.organization + scopes.apiKey
  return [
    '## Suggestions',
    table(
      ['', 'answered', 'accuracy', 'AUC', 'ECE', 'Brier score'],
      [
        ['suggest', percent(coverage), ...qualityCells(quality)],
        ['the more frequent side so far', percent(asked > 0 ? 1 : null), decimal(majority.accuracy), '–', '–', '–'],
        ['the same, where suggest answers', percent(coverage), decimal(majority.accuracyWhereAnswered), '–', '–', '–'],
      ],
    ),
    'Answered: of how many there was a suggestion. Accuracy: how often it was what was decided. AUC: how probable it is ' +
      'that an approval was held more likely than a rejection (0.5 is chance). ECE: by how much stated confidence and ' +
      'accuracy differ on average. Brier score: the mean squared error of the probability (0.25 is a coin).',
    `Answered from the scopes: document ${scopes.document}, organization ${scopes.organization}, apiKey ${scopes.apiKey}. ` +
      `Flagged as a conflict: ${percent(answered > 0 ? conflicts / answered : null)}.`,
    '## Confidence of the suggestions',
    table(
      ['confidence', 'suggestions', 'mean confidence', 'share right'],
      calibration.map((bin) => [
        `${bin.from.toFixed(2)}–${bin.to.toFixed(2)}`,
        String(bin.count),
        decimal(bin.confidence),
        decimal(bin.accuracy),
      ]),
    ),
    'A suggestion can be taken at its word where the share that was right is about the mean confidence.',
  ]
}

function partsSection({ parts }: EvaluationReport): string[] {
  if (parts.length === 0) return []
  return [
    '## What each part adds',
    table(
      ['part', 'alone: accuracy', 'AUC', 'ECE', 'Brier score', 'without it: accuracy', 'AUC', 'ECE', 'Brier score'],
      parts.map(({ part, alone, without }) => [part, ...qualityCells(alone), ...qualityCells(without)]),
    ),
  ]
}

function timeSection({ overTime }: EvaluationReport): string[] {
  return [
    '## Over time',
    table(
      ['from', 'asked', 'answered', 'approved', 'mean confidence', 'share right'],
      overTime.map(({ from, asked, answered, approvals, confidence, accuracy }) => [
        new Date(from).toISOString().slice(0, 16),
        String(asked),
        percent(answered / asked),
        decimal(approvals),
        decimal(confidence),
        decimal(accuracy),
      ]),
    ),
  ]
}

function searchSection({ searches }: EvaluationReport): string[] {
  return [
    '## Searches for what was reviewed',
    table(
      ['embeddingType', 'found', 'one of five alike', 'share alike', 'by chance'],
      (['review', 'content'] as const).map((field) => {
        const { found, anyAlike, alike, byChance } = searches[field]
        return [field, percent(found), percent(anyAlike), decimal(alike), decimal(byChance)]
      }),
    ),
    'Found: of how many the first five hold a judgment that took a side. One of five alike: how often at least one of ' +
      'those took the side that was taken then. Share alike: how many of them did on average; by chance: how many of any ' +
      'judgments before would have. Search is of use for deciding as far as the share is above chance.',
  ]
}

function offTopicSection({ offTopic: { asked, answered } }: EvaluationReport): string[] {
  return [
    '## Off-topic',
    `${answered} of ${asked} sentences about something else altogether get a suggestion (${percent(answered / asked)}; none should).`,
  ]
}

const qualityCells = ({ accuracy, auc, ece, brier }: EvaluationReport['quality']) =>
  [accuracy, auc, ece, brier].map(decimal)

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

const percent = (share: number | null) => (share === null ? '–' : `${(100 * share).toFixed(1)} %`)

const decimal = (value: number | null) => (value === null ? '–' : value.toFixed(3))
