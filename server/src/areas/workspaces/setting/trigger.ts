import { invalidField } from '../../../platform/errors.ts'
import { exceeds } from '../../../platform/record-size.ts'
import { type Static, Type } from '../../../platform/schema.ts'

// Event types by trigger group, each with the short name (basic `actionType`) of the same event.
const CATALOGUE = {
  comment: {
    'comment_annotation.add': 'newlyAdded',
    'comment_annotation.assign': 'assigned',
    'comment_annotation.status_change': 'statusChanged',
    'comment_annotation.priority_change': 'priorityChanged',
    'comment_annotation.custom_list_change': 'customListChanged',
    'comment_annotation.subscribe': 'subscribed',
    'comment_annotation.unsubscribe': 'unsubscribed',
    'comment_annotation.accept': 'accepted',
    'comment_annotation.reject': 'rejected',
    'comment_annotation.approve': 'approved',
    'comment_annotation.suggestion_accept': 'suggestionAccepted',
    'comment_annotation.suggestion_reject': 'suggestionRejected',
    'comment.add': 'added',
    'comment.update': 'updated',
    'comment.delete': 'deleted',
    'comment.reaction_add': 'reactionAdded',
    'comment.reaction_delete': 'reactionDeleted',
  },
  huddle: { 'huddle.create': 'created', 'huddle.join': 'join' },
  crdt: { 'crdt.update_data': 'updateData' },
  recorder: { 'recorder.done': 'done' },
} as const

export type TriggerGroup = keyof typeof CATALOGUE

const GROUPS: TriggerGroup[] = ['comment', 'huddle', 'crdt', 'recorder']

const SUGGESTION_TYPES: string[] = ['comment_annotation.suggestion_accept', 'comment_annotation.suggestion_reject']

/** Every event type that customers can switch, in the order of the catalogue. */
export const TRIGGER_TYPES: string[] = GROUPS.flatMap((group) => Object.keys(CATALOGUE[group]))

/**
 * The event type of a thread that others may see from then on. Basic webhooks send it; advanced endpoints neither get
 * it nor can list it.
 */
export const ACCESS_MODE_CHANGE = 'comment_annotation.access_mode_change'

/** Every event type of basic webhooks. */
export const BASIC_TYPES: string[] = [...TRIGGER_TYPES, ACCESS_MODE_CHANGE]

const SHORT_NAMES = new Map<string, string>([
  ...GROUPS.flatMap((group) => Object.entries(CATALOGUE[group])),
  [ACCESS_MODE_CHANGE, 'accessModeChanged'],
])

const TYPES = new Map([...[...SHORT_NAMES].map(([type, short]) => [short, type] as const), ['joined', 'huddle.join']])

/** The short name of an event type: the `actionType` of basic webhooks; undefined if it has none. */
export const shortNameOf = (type: string): string | undefined => SHORT_NAMES.get(type)

/** The default of a trigger: suggestion decisions, crdt and recorder are off, all others on. */
export const isOnByDefault = (type: string): boolean =>
  !SUGGESTION_TYPES.includes(type) && !/^(crdt|recorder)\./.test(type)

/** Whether a type must be requested by name: the suggestion events. */
export const isOptIn = (type: string): boolean => SUGGESTION_TYPES.includes(type)

// Several times the size of the catalogue in all its spellings.
const MAX_KEYS = 200
const MAX_BYTES = 1024 * 1024

/** A trigger map as sent and stored: event types or short names to booleans, flat or under one level of groups. */
export const Triggers = Type.Record(
  Type.String(),
  Type.Union([Type.Boolean(), Type.Record(Type.String(), Type.Boolean(), { maxProperties: MAX_KEYS })]),
  {
    maxProperties: MAX_KEYS,
    description:
      'Switches by event type (or short name), flat or under one level of groups; a flat key beats a grouped one.',
  },
)
export type Triggers = Static<typeof Triggers>

/** The flat map that a first enable stores: every type of the groups with its default. */
export const standardTriggers = (groups: TriggerGroup[]): Triggers =>
  Object.fromEntries(
    groups.flatMap((group) => Object.keys(CATALOGUE[group]).map((type) => [type, isOnByDefault(type)])),
  )

/** The same by group and short name (`comment.added`). */
export const groupedTriggers = (groups: TriggerGroup[], isOn = isOnByDefault): Triggers =>
  Object.fromEntries(
    groups.map((group) => [
      group,
      Object.fromEntries(Object.entries(CATALOGUE[group]).map(([type, short]) => [short, isOn(type)])),
    ]),
  )

/** Whether a map enables an event type; `otherwise` if the map does not mention it in any spelling. */
export function isTriggered(triggers: Triggers, type: string, otherwise: boolean = isOnByDefault(type)): boolean {
  return switchesOf(triggers).get(type)?.value ?? otherwise
}

/**
 * Merges an update into a stored map per key. Every spelling of an event that the update decides follows the update. So
 * an older key, such as a seeded flat one, never overrides a newer grouped or short one. INVALID_ARGUMENT if the whole,
 * or a group, would have too many keys, or the whole too many bytes, or if one value stands for a whole group.
 */
export function mergeTriggers(stored: Triggers, update: Triggers): Triggers {
  checkKinds(update)
  const switches = switchesOf(update)
  const followed = mapSwitches(stored, (type, value) => switches.get(type)?.value ?? value)
  const merged = new Map(Object.entries(followed))
  for (const [key, value] of Object.entries(update)) {
    const before = merged.get(key)
    merged.set(key, typeof before === 'object' && typeof value === 'object' ? mergeGroup(key, before, value) : value)
  }
  checkSize('triggers', merged.size)
  const whole = Object.fromEntries(merged)
  if (exceeds(whole, MAX_BYTES)) throw invalidField('triggers', 'must hold at most 1 MiB, with those stored before')
  return whole
}

function mergeGroup(key: string, before: Record<string, boolean>, value: Record<string, boolean>) {
  const merged = new Map([...Object.entries(before), ...Object.entries(value)])
  checkSize(`triggers.${key}`, merged.size)
  return Object.fromEntries(merged)
}

/**
 * A group of events is no event, and an event no group: such a switch would switch nothing, and drop what is stored.
 */
function checkKinds(update: Triggers): void {
  for (const [key, value] of Object.entries(update)) {
    if (Object.hasOwn(CATALOGUE, key) && typeof value === 'boolean')
      throw invalidField(`triggers.${key}`, 'must be an object of switches by event')
    if (SHORT_NAMES.has(typeOf(key)) && typeof value !== 'boolean')
      throw invalidField(`triggers.${key}`, 'must be a boolean')
  }
}

function checkSize(path: string, keys: number): void {
  if (keys > MAX_KEYS) throw invalidField(path, `must have at most ${MAX_KEYS} keys, with those stored before`)
}

function mapSwitches(triggers: Triggers, follow: (type: string, value: boolean) => boolean): Triggers {
  return Object.fromEntries(
    Object.entries(triggers).map(([key, value]) => [
      key,
      typeof value === 'boolean'
        ? follow(typeOf(key), value)
        : Object.fromEntries(Object.entries(value).map(([name, on]) => [name, follow(typeOf(name, key), on)])),
    ]),
  )
}

interface Switch {
  value: boolean
  /** A full event type is more specific than a short name, and a flat key than a grouped one: the lowest counts. */
  rank: number
}

/** The value of each event type that the map mentions. */
function switchesOf(triggers: Triggers): Map<string, Switch> {
  const switches = new Map<string, Switch>()
  const note = (type: string, each: Switch) => {
    const known = switches.get(type)
    if (!known || each.rank < known.rank) switches.set(type, each)
  }
  for (const [key, value] of Object.entries(triggers)) {
    if (typeof value === 'boolean') {
      const type = typeOf(key)
      note(type, { value, rank: key === type ? 0 : 1 })
      continue
    }
    for (const [name, on] of Object.entries(value)) {
      const type = typeOf(name, key)
      note(type, { value: on, rank: name === type ? 2 : 3 })
    }
  }
  return switches
}

/** The event type that a key means: itself, `<group>.<key>` (`comment: { add }`), or the type of a short name. */
function typeOf(key: string, group?: string): string {
  if (group !== undefined && SHORT_NAMES.has(`${group}.${key}`)) return `${group}.${key}`
  return TYPES.get(key) ?? key
}
