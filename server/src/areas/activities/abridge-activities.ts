import { abridge, abridgePart } from '../comments/change/abridge.ts'
import type { CommentChange } from '../comments/change/change.ts'
import type { ActivityInput } from './activity.ts'
import { userIdsIn } from './log/redact.ts'

/**
 * The most people whom the records that one call writes may name in all. Each is a row, by which the erasure of a user
 * finds the record.
 */
export const MAX_PEOPLE = 100_000

/** What changed, but values that do not fit: those say only that they are left out, and who or what they name. */
export const abridgeChanges = (changes: CommentChange['changes'], maxBytes: number): CommentChange['changes'] =>
  Object.fromEntries(
    Object.entries(changes).map(([field, { from, to }]) => [
      field,
      { from: abridgeValue(from, maxBytes), to: abridgeValue(to, maxBytes) },
    ]),
  )

function abridgeValue(value: unknown, maxBytes: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  return Array.isArray(value) ? abridgeList(value, maxBytes) : abridgePart(value, maxBytes)
}

const abridgeList = (list: unknown[], maxBytes: number): unknown =>
  abridge({ list }, maxBytes).list === list ? list : { isAbridged: true }

/**
 * Bounds the people whom the records of one call name, given a batch of them and the number of all. If a batch names
 * more than its share, its records that do so too keep ids alone.
 */
export function boundPeople<Logged extends { activity: ActivityInput }>(logged: Logged[], total: number): Logged[] {
  const people = logged.map(({ activity }) => userIdsIn(activity).size)
  const share = MAX_PEOPLE / total
  if (people.reduce((sum, count) => sum + count, 0) <= share * logged.length) return logged
  return logged.map((each, index) =>
    (people[index] ?? 0) <= share ? each : { ...each, activity: idsAlone(each.activity) },
  )
}

const idsAlone = ({ changes, entityData, entityTargetData, ...activity }: ActivityInput): ActivityInput => ({
  ...activity,
  ...(changes && { changes: abridgeChanges(changes as CommentChange['changes'], 0) }),
  ...(entityData !== undefined && { entityData: abridgeValue(entityData, 0) }),
  ...(entityTargetData !== undefined && { entityTargetData: abridgeValue(entityTargetData, 0) }),
})
