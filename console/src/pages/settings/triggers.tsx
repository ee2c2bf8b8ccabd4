import type { Right } from '../../door/session.ts'
import { t } from '../../strings.ts'
import { Action, type Done } from '../../ui/action.tsx'
import { CheckField } from '../../ui/filters.tsx'
import { OnOff } from '../../ui/settings-panel.tsx'
import { EventName } from '../event-types.tsx'

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
            <EventName type={label} /> <OnOff isOn={value} />
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
    <CheckField key={label} label={<EventName type={label} />} name={label} checked={value} />
  ))
  const run = (values: Record<string, string>) => update(withSwitches(triggers, (label) => values[label] === 'on'))
  return <Action needs={needs} label={t.settings.changeTriggers} fields={fields} run={run} />
}

/** Every stored switch; one in a group is named by both. */
const switchesOf = (triggers: Triggers): { label: string; value: boolean }[] =>
  Object.entries(triggers).flatMap(([key, value]) =>
    typeof value === 'boolean'
      ? [{ label: key, value }]
      : Object.entries(value).map(([name, on]) => ({ label: groupedLabel(key, name), value: on })),
  )

const groupedLabel = (group: string, name: string) => `${group} / ${name}`

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
