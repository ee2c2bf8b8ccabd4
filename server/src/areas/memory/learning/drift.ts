import { DAY_MS } from '../../../platform/date-range.ts'
import { accuracy, confidence, type Forecast, mean } from '../head/calibration.ts'
import type { Head } from '../head/head.ts'
import { logOdds, probabilityOf } from '../head/odds.ts'
import type { Example } from '../head/stack.ts'

export interface Dated {
  /** When it was decided, epoch milliseconds. */
  at: number
}

const RECENT_MS = 28 * DAY_MS
/** Fewer recent forecasts say too little; more than this share are no part that could differ from the rest. */
const FEWEST_RECENT = 50
const MOST_SHARE = 0.5
/** By how much promised and kept must differ, and in how many standard errors. */
const BROKEN = 0.1
const ERRORS = 3

/**
 * Whether forecasts of the last four weeks kept what they promised. If not: how far forecasts are to be drawn to the
 * base rate, so that those of the last weeks would have done best.
 */
export function driftOf(
  examples: readonly (Example & Dated)[],
  told: readonly Forecast[],
): Pick<Head, 'trust' | 'drift'> {
  const kept = { trust: 1, drift: null }
  const latest = examples.at(-1)?.at ?? 0
  const recent = told.flatMap((forecast, i) => ((examples[i]?.at ?? 0) > latest - RECENT_MS ? [forecast] : []))
  if (recent.length < FEWEST_RECENT || recent.length > MOST_SHARE * told.length) return kept
  const promised = mean(recent.map(confidence))
  const right = accuracy(recent)
  const error = Math.sqrt((promised * (1 - promised)) / recent.length)
  if (Math.abs(promised - right) < Math.max(BROKEN, ERRORS * error)) return kept
  return { trust: bestTrust(recent), drift: { forecasts: recent.length, promised, kept: right } }
}

/** Between 0 and 0.9, in tenths: with what part of what the inputs say, log-loss is least. */
function bestTrust(recent: readonly Forecast[]): number {
  const approved = mean(recent.map(({ approve }) => Number(approve)))
  const base = logOdds(approved)
  const loss = (trust: number) =>
    mean(
      recent.map(({ probability, approve }) => {
        const p = probabilityOf(base + trust * (logOdds(probability) - base))
        return -Math.log(Math.max(approve ? p : 1 - p, 1e-9))
      }),
    )
  const tenths = Array.from({ length: 10 }, (_, i) => i / 10)
  return tenths.reduce((best, trust) => (loss(trust) < loss(best) ? trust : best), 0)
}
