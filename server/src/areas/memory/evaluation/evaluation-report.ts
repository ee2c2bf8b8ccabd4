import { nullable, type Static, Type } from '../../../platform/schema.ts'
import {
  accuracy,
  auc,
  brierScore,
  calibrationError,
  confidence,
  type Forecast,
  mean,
  reliability,
} from '../head/calibration.ts'
import { smoothedRate } from '../head/odds.ts'
import type { Asked, Replay } from './replay.ts'

const share = (description: string) =>
  nullable(Type.Number({ description: `${description} Null: nothing to measure.` }))
const count = (description: string) => Type.Integer({ description })
const time = (description: string) => Type.Integer({ description: `${description} Epoch milliseconds.` })

const Quality = Type.Object({
  accuracy: share('How often the forecast was what was decided.'),
  auc: share('How probable it is that an approval was held more likely than a rejection; 0.5 is chance.'),
  ece: share('Expected calibration error: by how much confidence and accuracy differ on average.'),
  brier: share('Mean squared error of the probability; 0.25 is a coin.'),
})
type Quality = Static<typeof Quality>

const Found = Type.Object({
  found: share('Of how many items the first five hits hold a judgment that took a side.'),
  anyAlike: share('Of these, how often at least one took the side that was taken then.'),
  alike: share('The mean share of hits that did.'),
  byChance: share('The same of any judgments before.'),
})

/** What an evaluation found. Figures are rounded to four digits. */
export const EvaluationReport = Type.Object({
  from: time('The judgments since then are the test.'),
  judgments: count('Judgments that were read.'),
  sided: count('Those that took a side.'),
  withoutContent: count('Test judgments that say nothing of what was reviewed, so that nothing could be asked.'),
  asked: count('Items that were asked about, each with what was known before it.'),
  everyNth: count('Of more than 10,000 test judgments, only every n-th is asked about.'),
  window: count('The most judgments that were known at a time: the latest.'),
  model: nullable(Type.String({ description: 'The embedding model that was compared by; null: words alone.' })),
  coverage: share('How many of the asked got a suggestion.'),
  quality: Quality,
  majority: Type.Object({
    accuracy: share('How often the more frequent side so far was decided.'),
    accuracyWhereAnswered: share('The same among those that got a suggestion.'),
  }),
  calibration: Type.Array(
    Type.Object({
      from: Type.Number(),
      to: Type.Number(),
      count: count('Suggestions with a confidence in between.'),
      confidence: Type.Number({ description: 'Their mean confidence.' }),
      accuracy: Type.Number({ description: 'How many of them were right.' }),
    }),
    { description: 'By confidence, in ten steps from 0.5 to 1; empty ones are left out.' },
  ),
  overTime: Type.Array(
    Type.Object({
      from: time('Start of the period.'),
      to: time('End of the period.'),
      asked: count('Items asked about.'),
      answered: count('Items that got a suggestion.'),
      accuracy: share('How often it was right.'),
      confidence: share('Its mean confidence.'),
      approvals: share('How many of the asked were approved.'),
    }),
    { description: 'Up to 20 periods of equal length, in the order of time; empty ones are left out.' },
  ),
  scopes: Type.Object({
    document: count('Answered there.'),
    organization: count('Answered there.'),
    apiKey: count('Answered there.'),
  }),
  conflicts: count('Suggestions whose evidence was split.'),
  searches: Type.Object({ review: Found, content: Found }, { description: 'Searches for what was reviewed.' }),
  offTopic: Type.Object({
    asked: count('Sentences about something else altogether.'),
    answered: count('Those that got a suggestion; none should.'),
  }),
  parts: Type.Array(
    Type.Object({
      part: Type.String({ description: 'A part of what was learned from the history.' }),
      alone: Quality,
      without: Quality,
    }),
    { description: 'What each part adds: the forecasts of it alone, and of all others. Empty: nothing was learned.' },
  ),
})
export type EvaluationReport = Static<typeof EvaluationReport>

/** What a replay since `from` found. */
export function reportOf(from: number, replay: Replay): EvaluationReport {
  const { asked, offTopicAnswers, probes } = replay
  const answered = asked.filter(isAnswered)
  const forecasts = forecastsOf(answered)
  const inScope = (name: string) => answered.filter(({ scope }) => scope === name).length
  return {
    from,
    judgments: replay.judgments,
    sided: replay.sided,
    withoutContent: replay.withoutContent,
    asked: asked.length,
    everyNth: replay.everyNth,
    window: replay.window,
    model: replay.model,
    coverage: figure(answered.length / asked.length),
    quality: qualityOf(forecasts),
    majority: {
      accuracy: figure(accuracy(asked.map(majority))),
      accuracyWhereAnswered: figure(accuracy(answered.map(majority))),
    },
    calibration: reliability(forecasts).map((bin) => ({
      ...bin,
      from: rounded(bin.from),
      to: rounded(bin.to),
      confidence: rounded(bin.confidence),
      accuracy: rounded(bin.accuracy),
    })),
    overTime: periodsOf(asked),
    scopes: { document: inScope('document'), organization: inScope('organization'), apiKey: inScope('apiKey') },
    conflicts: answered.filter(({ isConflict }) => isConflict).length,
    searches: { review: foundBy('review', asked), content: foundBy('content', asked) },
    offTopic: { asked: probes, answered: offTopicAnswers },
    parts: replay.parts.map(({ part, alone, without }) => ({
      part,
      alone: qualityOf(alone),
      without: qualityOf(without),
    })),
  }
}

const isAnswered = (asked: Asked): asked is Asked & { probability: number } => asked.probability !== undefined

const forecastsOf = (asked: Asked[]): Forecast[] =>
  asked.filter(isAnswered).map(({ probability, approve }) => ({ probability, approve }))

function qualityOf(forecasts: Forecast[]): Quality {
  return {
    accuracy: figure(accuracy(forecasts)),
    auc: figure(auc(forecasts)),
    ece: figure(calibrationError(forecasts)),
    brier: figure(brierScore(forecasts)),
  }
}

const PERIODS = 20

function periodsOf(asked: Asked[]): EvaluationReport['overTime'] {
  const start = asked[0]?.at ?? 0
  const length = Math.max(1, Math.ceil(((asked.at(-1)?.at ?? 0) + 1 - start) / PERIODS))
  return Array.from({ length: PERIODS }, (_, i) => {
    const [from, to] = [start + i * length, start + (i + 1) * length]
    const inside = asked.filter(({ at }) => at >= from && at < to)
    const forecasts = forecastsOf(inside)
    return {
      from,
      to,
      asked: inside.length,
      answered: forecasts.length,
      accuracy: figure(accuracy(forecasts)),
      confidence: figure(mean(forecasts.map(confidence))),
      approvals: figure(mean(inside.map(({ approve }) => Number(approve)))),
    }
  }).filter((period) => period.asked > 0)
}

function foundBy(field: 'review' | 'content', asked: Asked[]): Static<typeof Found> {
  const found = asked.map((each) => ({ ...each.found[field], chance: chanceOf(each) })).filter(({ sided }) => sided > 0)
  return {
    found: figure(found.length / asked.length),
    anyAlike: figure(found.filter(({ same }) => same > 0).length / found.length),
    alike: figure(mean(found.map(({ sided, same }) => same / sided))),
    byChance: figure(mean(found.map(({ chance }) => chance))),
  }
}

const majority = ({ approvals, rejections, approve }: Asked): Forecast => ({
  probability: smoothedRate(approvals, rejections),
  approve,
})

const chanceOf = ({ approve, approvals, rejections }: Asked) =>
  (approve ? approvals : rejections) / (approvals + rejections)

const rounded = (value: number) => Math.round(value * 1e4) / 1e4

const figure = (value: number) => (Number.isFinite(value) ? rounded(value) : null)
