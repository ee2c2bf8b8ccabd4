import type { Right } from '../../door/session.ts'
import { t } from '../../strings.ts'
import { Action, type Done } from '../../ui/action.tsx'
import { CheckField } from '../../ui/filters.tsx'
import { OnOff } from '../../ui/settings-panel.tsx'
import { EVENT_TYPES, EventName } from '../event-types.tsx'

type Triggers = Record<string, boolean | Record<string, boolean>>

/** The events that a service is told of, each on or off. */
export function TriggerList({ title, triggers }: { title: string; triggers: Triggers }) {
  const switches = switchesOf(triggers)
  return (
    <>
      <h3>{title}</h3>
      {switches.length === 0 && <p>{t.settings.noTrigger}</p>}
      <ul className="plain">
        {switches.map(({ label, value }) => (
          <li key={label}>
            <TriggerName label={label} /> <OnOff isOn={value} />
          </li>
        ))}
      </ul>
    </>
  )
}

interface TriggerChangeProps {
  triggers: Triggers
  needs?: Right
  update: (triggers: Triggers) => Promise<Done | string>
}

export function TriggerChange({ triggers, needs = 'develop', update }: TriggerChangeProps) {
  const switches = switchesOf(triggers)
  if (switches.length === 0) return null
  const fields = switches.map(({ label, value }) => (
    <CheckField key={label} label={<TriggerName label={label} />} name={label} checked={value} />
  ))
  const run = (values: Record<string, string>) => update(withSwitches(triggers, (label) => values[label] === 'on'))
  return <Action needs={needs} label={t.settings.changeTriggers} fields={fields} run={run} />
}

/** Every stored switch, in the order of the events; one in a group is named by both. */
function switchesOf(triggers: Triggers): { label: string; value: boolean }[] {
  const stored = Object.entries(triggers).flatMap(([key, value]) =>
    typeof value === 'boolean'
      ? [{ label: key, value }]
      : Object.entries(value).map(([name, on]) => ({ label: groupedLabel(key, name), value: on })),
  )
  return stored.sort((a, b) => placeOf(a.label) - placeOf(b.label))
}

const SEPARATOR = ' / '
const groupedLabel = (group: string, name: string) => `${group}${SEPARATOR}${name}`

/** The event that a switch is for in words, with the name of the switch in the API. */
const TriggerName = ({ label }: { label: string }) => <EventName type={typeOf(label)} raw={label} />

/** The event that a switch is for; what the console does not know stays as it is. */
function typeOf(label: string): string {
  const name = label.split(SEPARATOR).at(-1) ?? label
  return SHORT_NAMES[name] ?? name
}

/** Where the event stands in the list of all; what is not in it comes last. */
function placeOf(label: string): number {
  const place = KNOWN.indexOf(typeOf(label))
  return place < 0 ? KNOWN.length : place
}

const KNOWN: readonly string[] = EVENT_TYPES

/** What switches may call events. */
const SHORT_NAMES: Record<string, keyof typeof t.eventTypes> = {
  newlyAdded: 'comment_annotation.add',
  assigned: 'comment_annotation.assign',
  statusChanged: 'comment_annotation.status_change',
  priorityChanged: 'comment_annotation.priority_change',
  customListChanged: 'comment_annotation.custom_list_change',
  subscribed: 'comment_annotation.subscribe',
  unsubscribed: 'comment_annotation.unsubscribe',
  accepted: 'comment_annotation.accept',
  rejected: 'comment_annotation.reject',
  approved: 'comment_annotation.approve',
  suggestionAccepted: 'comment_annotation.suggestion_accept',
  suggestionRejected: 'comment_annotation.suggestion_reject',
  accessModeChanged: 'comment_annotation.access_mode_change',
  added: 'comment.add',
  updated: 'comment.update',
  deleted: 'comment.delete',
  reactionAdded: 'comment.reaction_add',
  reactionDeleted: 'comment.reaction_delete',
  created: 'huddle.create',
  join: 'huddle.join',
  joined: 'huddle.join',
  updateData: 'crdt.update_data',
  done: 'recorder.done',
}

/** The same triggers with the values of now. */
const withSwitches = (triggers: Triggers, isOn: (label: string) => boolean): Triggers =>
  Object.fromEntries(
    Object.entries(triggers).map(([key, value]) => [
      key,
      typeof value === 'boolean'
        ? isOn(key)
        : Object.fromEntries(Object.keys(value).map((name) => [name, isOn(groupedLabel(key, name))])),
    ]),
  )
