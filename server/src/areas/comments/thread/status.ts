import type { Issue } from '../../../platform/errors.ts'
import { identifier, oneOf, type Static, Type, text } from '../../../platform/schema.ts'

const fields = {
  color: Type.Optional(text('Color of the status.')),
  lightColor: Type.Optional(text('Color behind the status.')),
  svg: Type.Optional(text('An icon, as SVG.')),
  iconUrl: Type.Optional(text('Address of an icon.')),
}
const ENDS = 'A `terminal` status ends the review of the thread.'
const typeOf = (description: string) => oneOf(['default', 'ongoing', 'terminal'], description)

/** What a status means for the review of its thread. */
export const StatusType = typeOf('Type of a status.')
export type StatusType = Static<typeof StatusType>

/** A status as sent: OPEN, IN_PROGRESS, RESOLVED, one of the caller's own, or a type alone for its default status. */
export const StatusInput = Type.Object({
  id: Type.Optional(
    identifier(
      'OPEN, IN_PROGRESS, RESOLVED or an id of your own. Omitted: the default status of `type`; one of the two is required.',
    ),
  ),
  name: Type.Optional(text('Default: the name of a built-in status, else the id.')),
  type: Type.Optional(typeOf(`${ENDS} Default: that of the built-in status, \`default\` for one of your own.`)),
  ...fields,
})

/** A status as stored and returned. */
export const Status = Type.Object({ id: Type.String(), name: Type.String(), type: typeOf(ENDS), ...fields })
export type Status = Static<typeof Status>

/** The status of a new thread. */
export const OPEN: Status = { id: 'OPEN', name: 'Open', type: 'default', color: '#625DF5', lightColor: '#E7E8FA' }

const BUILT_IN = new Map<string, Status>([
  ['OPEN', OPEN],
  ['IN_PROGRESS', { id: 'IN_PROGRESS', name: 'In Progress', type: 'ongoing', color: '#FF7162', lightColor: '#FFF1EF' }],
  ['RESOLVED', { id: 'RESOLVED', name: 'Resolved', type: 'terminal', color: '#0DCF82', lightColor: '#E7FAF2' }],
])

/** Reports a status that has neither id nor type. */
export const statusIssues = (path: string, status: Static<typeof StatusInput> | undefined): Issue[] =>
  status && status.id === undefined && status.type === undefined ? [{ path: `${path}.id`, message: 'is required' }] : []

/** Completes a status from the built-in one of the same id; without an id, of the same type. */
export function toStatus(sent: Static<typeof StatusInput>): Status {
  const { name, type, color, lightColor, svg, iconUrl } = sent
  const known = sent.id === undefined ? defaultOf(type) : BUILT_IN.get(sent.id)
  const id = sent.id ?? known?.id ?? OPEN.id
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

const defaultOf = (type: Status['type'] | undefined) => [...BUILT_IN.values()].find((status) => status.type === type)

/** A priority as sent. */
export const PriorityInput = Type.Object({
  id: identifier('Id of the priority.'),
  name: Type.Optional(text('Default: the id.')),
  ...fields,
})

/** A priority as stored and returned. */
export const Priority = Type.Object({ id: Type.String(), name: Type.String(), ...fields })
export type Priority = Static<typeof Priority>

/** Completes a priority with its name. */
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
