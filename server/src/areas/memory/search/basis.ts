import { nullable, oneOf, type Static, Type } from '../../../platform/schema.ts'
import type { Head, HeadForecast } from '../head/head.ts'
import { logOdds, smoothedRate } from '../head/odds.ts'
import { INPUTS, type Input } from '../head/stack.ts'

/** A forecast by what was learned from the history of the API key. */
export interface Learned extends HeadForecast {
  /** Whether the item is about what the others are about; undefined: each vote is asked. */
  isOnTopic: boolean | undefined
  measured: Head['measured']
  drift: Head['drift']
}

type Named = Input | 'nearest' | 'baseRate' | 'history'

const NAMES: Record<Named, string> = {
  baseRate: 'The share of approvals, whatever the item is.',
  nearest: 'The similar judgments.',
  nearestWords: 'The judgments that share most words.',
  wordModel: 'What its words stood for before.',
  nearestVectors: 'The judgments that are nearest in meaning.',
  vectorModel: 'What its meaning stood for before.',
  author: "The author's earlier items.",
  age: 'How decisions have changed of late.',
  history: 'What forecasts of the history were wrong by.',
}

/** What a suggestion was made from. */
export const Basis = Type.Object({
  method: oneOf(
    ['learned', 'formula'],
    'Whether inputs are weighed by how well they forecast the history of the API key, or by a fixed formula.',
  ),
  baseRate: Type.Number({ description: 'The share of approvals, which is the forecast without any input.' }),
  inputs: Type.Array(
    Type.Object({
      input: oneOf(Object.keys(NAMES) as [keyof typeof NAMES], 'What spoke.'),
      says: oneOf(['approve', 'reject'], 'For which side.'),
      logOdds: Type.Number({ description: 'How loudly: what it adds to the log-odds of that side.' }),
      label: Type.String({ description: 'The input in words.' }),
    }),
    {
      description:
        'What spoke for a side, the loudest first. What says nothing is left out. Those for an approval less those for a rejection are the log-odds of an approval, from which `confidence` follows (at most 0.97).',
    },
  ),
  measured: nullable(
    Type.Object(
      {
        forecasts: Type.Integer({ description: 'Past decisions that were forecast from those before.' }),
        accuracy: Type.Number(),
        auc: nullable(Type.Number()),
        ece: Type.Number(),
        majority: Type.Number({ description: 'The accuracy of the more frequent side so far.' }),
      },
      { description: 'How good forecasts of this API key were; null for the formula.' },
    ),
  ),
})
export type Basis = Static<typeof Basis>

interface Based {
  approvals: number
  rejections: number
  learned?: Learned | undefined
}

/** What the forecast of `share` was made from. */
export function basisOf({ learned, approvals, rejections }: Based, share: number): Basis {
  const baseRate = learned?.baseRate ?? smoothedRate(approvals, rejections)
  const said: [Named, number][] = [
    ['baseRate', logOdds(baseRate)],
    ...(learned ? INPUTS.map((input): [Named, number] => [input, learned.said[input]]) : []),
  ]
  const rest = logOdds(share) - said.reduce((sum, [, odds]) => sum + odds, 0)
  said.push([learned ? 'history' : 'nearest', rest])
  return {
    method: learned ? 'learned' : 'formula',
    baseRate: rounded(baseRate),
    inputs: said
      .filter(([, odds]) => Math.abs(odds) >= 0.005)
      .sort(([, a], [, b]) => Math.abs(b) - Math.abs(a))
      .map(([input, odds]) => ({
        input,
        says: odds > 0 ? 'approve' : 'reject',
        logOdds: rounded(Math.abs(odds)),
        label: NAMES[input],
      })),
    measured: learned ? measuredOf(learned) : null,
  }
}

function measuredOf({ measured: { forecasts, accuracy, auc, ece, majority } }: Learned): Basis['measured'] {
  return {
    forecasts,
    accuracy: rounded(accuracy),
    auc: Number.isFinite(auc) ? rounded(auc) : null,
    ece: rounded(ece),
    majority: rounded(majority),
  }
}

const rounded = (value: number) => Math.round(value * 1e4) / 1e4
