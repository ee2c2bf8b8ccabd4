import type { Call, Subject } from './calls/call.ts'
import { CONVERSATION } from './calls/conversation.ts'
import { MEMORY } from './calls/memory.ts'
import { PEOPLE } from './calls/people.ts'
import { PLACES } from './calls/places.ts'
import { SETTINGS } from './calls/settings.ts'

/** The calls that are measured, by path. */
export const CALLS: Record<string, Call> = { ...PLACES, ...PEOPLE, ...CONVERSATION, ...SETTINGS, ...MEMORY }

/** Whether a call takes records away. */
export const isTaking = (path: string) => /delete|remove|migrate/.test(path)
const TAKING = Object.keys(CALLS).filter(isTaking)

/**
 * The number of an existing record, another for each `i`. Calls that take records away have numbers of their own. The
 * step shares no factor with the sizes.
 */
export function numbered(path: string, i: number, { rows }: Pick<Subject, 'rows'>): number {
  const slot = isTaking(path) ? TAKING.indexOf(path) % 4 : 4
  return (((slot * rows) / 5 + i + 1) * 7_919) % rows
}

const MEMORY_SPEED = 'measured by memory-speed; here all judgments are alike'
const READS_ALL = 'reads all there is, by its nature'
const NEEDS_ALERT = 'needs an alert, which a worker raises; none runs here'
const NEEDS_RULES = 'needs a file that a worker has read; none runs here'

/** The operations that are not measured, and why. */
export const LEFT_OUT: Record<string, string> = {
  '/v2/memory/search': MEMORY_SPEED,
  '/v2/memory/suggest': MEMORY_SPEED,
  '/v2/memory/ask': MEMORY_SPEED,
  '/v2/memory/evaluate': 'starts a job that reads the history',
  '/v2/memory/judgments/export': READS_ALL,
  '/v2/activities/export': READS_ALL,
  '/v2/activities/verify': READS_ALL,
  '/v2/workspace/audit/export': READS_ALL,
  '/v2/workspace/audit/verify': READS_ALL,
  '/v2/memory/alerts/dismiss': NEEDS_ALERT,
  '/v2/memory/alerts/action': NEEDS_ALERT,
  '/v2/memory/knowledge/rules': NEEDS_RULES,
  '/v2/memory/knowledge/update': NEEDS_RULES,
  '/v2/memory/knowledge/delete': 'takes the only source',
  '/v2/workspace/advancedwebhook/endpoints/delete': 'takes the only endpoint with deliveries',
  '/v2/workspace/apikey/create': 'its workspace is full of other keys',
  '/v2/workspace/apikey/delete': 'takes the API key',
  '/v2/workspace/authtoken/reset': 'takes the token of the calls',
  '/v2/workspace/emails/test': 'needs a mail server',
}
