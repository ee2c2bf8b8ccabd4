import type { EventType } from '../../../client/src/index.ts'
import { t } from '../strings.ts'
import { CheckField } from '../ui/filters.tsx'
import { Named } from '../ui/show.tsx'

type Group = keyof typeof t.endpoints.groups

/** Every event type with its group. A type that the service gains is missed by the type check. */
const GROUPS: Record<EventType, Group> = {
  'comment_annotation.add': 'threads',
  'comment_annotation.assign': 'threads',
  'comment_annotation.status_change': 'threads',
  'comment_annotation.priority_change': 'threads',
  'comment_annotation.custom_list_change': 'threads',
  'comment_annotation.subscribe': 'threads',
  'comment_annotation.unsubscribe': 'threads',
  'comment_annotation.accept': 'decisions',
  'comment_annotation.reject': 'decisions',
  'comment_annotation.approve': 'decisions',
  'comment_annotation.suggestion_accept': 'decisions',
  'comment_annotation.suggestion_reject': 'decisions',
  'comment.add': 'comments',
  'comment.update': 'comments',
  'comment.delete': 'comments',
  'comment.reaction_add': 'comments',
  'comment.reaction_delete': 'comments',
  'huddle.create': 'live',
  'huddle.join': 'live',
  'crdt.update_data': 'live',
  'recorder.done': 'live',
  'execution.dispatched': 'workflows',
  'execution.completed': 'workflows',
  'execution.failed': 'workflows',
  'execution.cancelled': 'workflows',
  'step.awaiting-approval': 'workflows',
  'step.completed': 'workflows',
  'step.failed': 'workflows',
  'step.breached': 'workflows',
  'step.cancelled': 'workflows',
  'group.quorum-met': 'workflows',
  'loop.iteration-started': 'workflows',
  'loop.exhausted': 'workflows',
  'endpoint.disabled': 'operation',
  'message.attempt.exhausted': 'operation',
}

/** Every event type, those of a group together. */
export const EVENT_TYPES = Object.keys(GROUPS) as EventType[]

const wordsFor = (type: string): string | undefined => (t.eventTypes as Record<string, string | undefined>)[type]

/** An event type in words, with its name in the API, or with another one that it has there. */
export const EventName = ({ type, raw = type }: { type: string; raw?: string }) => (
  <Named name={wordsFor(type)} raw={raw} />
)

/** The event types as choices. */
export const EVENT_OPTIONS = EVENT_TYPES.map((type): [value: string, label: string] => [
  type,
  `${t.eventTypes[type]} (${type})`,
])

/** The types of a list by group, in the order of the groups. */
export function byGroup(types: string[]): [name: string, types: string[]][] {
  const groups: Record<string, string | undefined> = GROUPS
  return Object.entries(t.endpoints.groups)
    .map(([group, name]): [string, string[]] => [name, types.filter((type) => groups[type] === group)])
    .filter(([, each]) => each.length > 0)
}

/** A switch for each event type, by group; none on means all types but the opt-in ones. */
export const TypeFields = ({ chosen }: { chosen: string[] }) => (
  <>
    <p className="muted">{t.endpoints.typesHelp}</p>
    {byGroup(EVENT_TYPES).map(([name, types]) => (
      <fieldset key={name}>
        <legend>{name}</legend>
        {types.map((type) => (
          <CheckField key={type} label={<EventName type={type} />} name={type} checked={chosen.includes(type)} />
        ))}
      </fieldset>
    ))}
  </>
)

/** The types whose switches are on in a submitted form. */
export const chosenTypes = (values: Record<string, string>) => EVENT_TYPES.filter((type) => values[type] === 'on')
