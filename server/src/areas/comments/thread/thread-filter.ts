import { join, type Sql, sql } from '../../../platform/db/db.ts'
import { narrowing } from '../../../platform/db/narrowing.ts'
import { keyOf } from '../../../platform/id.ts'
import { identifier, oneOf, type Static, Type, timestamp } from '../../../platform/schema.ts'
import { atLocations } from '../../locations/location.ts'
import { StatusType } from './status.ts'

const ids = (description: string) => Type.Optional(Type.Array(identifier(description)))

/** The filters that reading, updating and deleting threads share. A thread must match all that are given. */
export const commonFilter = {
  annotationIds: ids('Id of a thread.'),
  locationIds: Type.Optional(
    Type.Array(
      Type.Union([identifier('Id of a location.'), Type.Number()], {
        description: 'Id of a location, or its `locationId`.',
      }),
    ),
  ),
  userIds: ids('Id of a user who started threads.'),
}

/** The filters of reading threads. A thread must match all that are given. */
export const readFilter = {
  ...commonFilter,
  documentId: Type.Optional(identifier('Id of a document. Neither this nor documentIds: all documents.')),
  documentIds: ids('Id of a document.'),
  folderId: Type.Optional(identifier('Id of a folder; its documents.')),
  mentionedUserIds: ids('Id of a mentioned user.'),
  resolvedBy: Type.Optional(identifier('Id of the user who resolved threads.')),
  statusIds: ids('Id of a status.'),
  statusTypes: Type.Optional(Type.Array(StatusType)),
  agentId: Type.Optional(identifier('Id of the agent that started threads.')),
  executionId: Type.Optional(identifier('Id of the run in which an agent started threads.')),
  agentType: Type.Optional(oneOf(['built-in', 'custom', 'external'], 'Kind of the agent that started threads.')),
  agentSource: Type.Optional(Type.String({ description: 'Where the agent that started threads runs.' })),
  agentSuggestions: Type.Optional(Type.Boolean({ description: 'True: suggestions of agents.' })),
  agentComments: Type.Optional(Type.Boolean({ description: 'True: comments of agents.' })),
  updatedAfter: Type.Optional(timestamp('Last changed after this moment.')),
  updatedBefore: Type.Optional(timestamp('Last changed before this moment.')),
  createdAfter: Type.Optional(timestamp('Created after this moment.')),
  createdBefore: Type.Optional(timestamp('Created before this moment.')),
}
const ReadFilter = Type.Object(readFilter)
type ReadFilter = Static<typeof ReadFilter>

/** Makes the SQL condition on `comment_annotation as a`, within an organization of a tenant. */
export function conditionOf(apiKey: string, organizationKey: string, filter: ReadFilter): Sql {
  return join(
    [
      sql`true`,
      ...[...columnConditions(filter), ...timeConditions(filter)].map(narrowing(filter.annotationIds)),
      ...tableConditions(apiKey, organizationKey, filter),
      ...agentConditions(filter),
      ...given(filter.annotationIds, (ids) => anyOf(sql`a.key`, ids)),
      ...given(filter.statusIds, anyStatus),
      ...given(filter.statusTypes, anyStatusType),
    ],
    ' and ',
  )
}

/** Those on columns that have an index. */
const columnConditions = (filter: ReadFilter) => [
  ...given(filter.documentId, (id) => sql`a.document_key = ${keyOf(id)}`),
  ...given(filter.documentIds, (ids) => anyOf(sql`a.document_key`, ids)),
  ...given(filter.locationIds, (ids) => atLocations(sql`a.location_key`, ids)),
  ...given(filter.userIds, (ids) => anyOf(sql`a.from_key`, ids)),
  ...given(filter.resolvedBy, (id) => sql`a.resolved_by_key = ${keyOf(id)}`),
  ...given(filter.agentId, (id) => sql`a.agent_key = ${keyOf(id)}`),
  ...given(filter.executionId, (id) => sql`a.execution_key = ${keyOf(id)}`),
]

/** Those that other tables answer. */
const tableConditions = (apiKey: string, organizationKey: string, filter: ReadFilter) => [
  ...given(
    filter.folderId,
    (id) => sql`a.document_key in (
      select key
      from document
      where api_key = ${apiKey} and organization_key = ${organizationKey} and folder_key = ${keyOf(id)})`,
  ),
  ...given(
    filter.mentionedUserIds,
    (ids) => sql`a.key in (
      select p.annotation_key
      from comment_participant p
      where p.api_key = ${apiKey} and p.organization_key = ${organizationKey} and p.is_mentioned
        and ${anyOf(sql`p.user_key`, ids)})`,
  ),
]

const agentConditions = (filter: ReadFilter) => [
  ...given(filter.agentType, (type) => sql`a.agent_key is not null and a.record #>> '{agent,agentType}' = ${type}`),
  ...given(
    filter.agentSource,
    (source) => sql`a.agent_key is not null and a.record #>> '{agent,agentSource}' = ${source}`,
  ),
  ...given(
    filter.agentSuggestions || undefined,
    () => sql`a.agent_key is not null and a.record ->> 'type' = 'suggestion'`,
  ),
  ...given(filter.agentComments || undefined, () => sql`a.agent_key is not null and a.record ->> 'type' = 'comment'`),
]

const timeConditions = (filter: ReadFilter) => [
  ...given(filter.updatedAfter, (time) => sql`a.updated_at > ${time}`),
  ...given(filter.updatedBefore, (time) => sql`a.updated_at < ${time}`),
  // `updated_at` is never before `created_at`. The second condition lets the index on `updated_at` narrow the search.
  ...given(filter.createdAfter, (time) => sql`a.created_at > ${time} and a.updated_at > ${time}`),
  ...given(filter.createdBefore, (time) => sql`a.created_at < ${time}`),
]

const given = <Value>(value: Value | undefined, condition: (value: Value) => Sql): Sql[] =>
  value === undefined ? [] : [condition(value)]

// A single value is compared by equality: then the index returns rows in order, and reading stops at the page's end.
function anyOf(column: Sql, ids: string[]): Sql {
  const [key, ...more] = new Set(ids.map(keyOf))
  return more.length === 0 && key !== undefined
    ? sql`${column} = ${key}`
    : sql`${column} = any(${[...(key === undefined ? [] : [key]), ...more]}::uuid[])`
}

function anyStatus(ids: string[]): Sql {
  const [id, ...more] = ids
  return id !== undefined && more.length === 0 ? sql`a.status_id = ${id}` : sql`a.status_id = any(${ids}::text[])`
}

/** The types of `comment_annotation as a`. The first condition is that of an index on the threads under review. */
export function anyStatusType(types: StatusType[]): Sql {
  const isAnyOf = sql`a.record #>> '{status,type}' = any(${types}::text[])`
  return types.includes('terminal') ? isAnyOf : sql`a.record #>> '{status,type}' <> 'terminal' and ${isAnyOf}`
}
