import { identifier, oneOf, type Static, Type, text } from '../../../platform/schema.ts'

const fields = {
  color: Type.Optional(text('Color of the status.')),
  lightColor: Type.Optional(text('Color behind the status.')),
  svg: Type.Optional(text('An icon, as SVG.')),
  iconUrl: Type.Optional(text('Address of an icon.')),
}
const type = oneOf(['default', 'ongoing', 'terminal'], 'A `terminal` status ends the review of the thread.')

/** A status as sent: one of OPEN, IN_PROGRESS, RESOLVED, or one of the caller's own. */
export const StatusInput = Type.Object({
  id: identifier('OPEN, IN_PROGRESS, RESOLVED or an id of your own.'),
  name: Type.Optional(text('Default: the name of a built-in status, else the id.')),
  type: Type.Optional(type),
  ...fields,
})

/** A status as stored and returned. */
export const Status = Type.Object({ id: Type.String(), name: Type.String(), type, ...fields })
export type Status = Static<typeof Status>

/** The status of a new thread. */
export const OPEN: Status = { id: 'OPEN', name: 'Open', type: 'default', color: '#625DF5', lightColor: '#E7E8FA' }

const BUILT_IN = new Map<string, Status>([
  ['OPEN', OPEN],
  ['IN_PROGRESS', { id: 'IN_PROGRESS', name: 'In Progress', type: 'ongoing', color: '#FF7162', lightColor: '#FFF1EF' }],
  ['RESOLVED', { id: 'RESOLVED', name: 'Resolved', type: 'terminal', color: '#0DCF82', lightColor: '#E7FAF2' }],
])

/** The status that was sent, completed from the built-in one of the same id. */
export function toStatus({ id, name, type, color, lightColor, svg, iconUrl }: Static<typeof StatusInput>): Status {
  const known = BUILT_IN.get(id)
  return {
    ...known,
    id,
    name: name ?? known?.name ?? id,
    type: type ?? known?.type ?? 'default',
    ...(color !== undefined && { color }),
    ...(lightColor !== undefined && { lightColor }),
    ...(svg !== undefined && { svg }),
    ...(iconUrl !== undefined && { iconUrl }),
  }
}

/** A priority as sent. */
export const PriorityInput = Type.Object({
  id: identifier('Id of the priority.'),
  name: Type.Optional(text('Default: the id.')),
  ...fields,
})

/** A priority as stored and returned. */
export const Priority = Type.Object({ id: Type.String(), name: Type.String(), ...fields })
export type Priority = Static<typeof Priority>

/** The priority that was sent, with its name. */
export function toPriority({ id, name = id, color, lightColor, svg, iconUrl }: Static<typeof PriorityInput>): Priority {
  return {
    id,
    name,
    ...(color !== undefined && { color }),
    ...(lightColor !== undefined && { lightColor }),
    ...(svg !== undefined && { svg }),
    ...(iconUrl !== undefined && { iconUrl }),
  }
}
