import { isObject } from '../../platform/json-value.ts'
import { type Cell, csvRow } from './csv.ts'
import { displayMessage } from './display-message.ts'
import type { StoredEntry } from './log/stored-entry.ts'

/**
 * An entry as a line of NDJSON: the fields that its hash covers, and the values and salts that open its commitments.
 */
export function jsonOf({ hash, actor, content, commitments, ...entry }: StoredEntry) {
  const { position, kind, at, id, documentId, timestamp, origin, supersedes, record, erasedBy } = entry
  return {
    position,
    kind,
    at,
    id,
    documentId,
    timestamp,
    origin,
    supersedes,
    record,
    actor,
    content,
    commitments,
    ...(erasedBy !== null && { erasedBy }),
    hash,
  }
}

/** An entry, or the head of the log written as one. */
type CsvEntry = Partial<Omit<StoredEntry, 'kind'>> & { kind: StoredEntry['kind'] | 'head' }

const COLUMNS: Record<string, (entry: CsvEntry, actor: Values, content: Values) => Cell> = {
  position: ({ position }) => position,
  kind: ({ kind }) => kind,
  at: ({ at }) => timeOf(at),
  id: ({ id }) => id,
  documentId: ({ documentId }) => documentId,
  timestamp: ({ timestamp }) => timeOf(timestamp),
  featureType: ({ record }) => textOf(record?.featureType),
  actionType: ({ record }) => textOf(record?.actionType),
  userId: (_, actor) => textOf(actor.userId),
  userName: (_, actor) => textOf(actor.name),
  targetEntityId: ({ record }) => textOf(record?.targetEntityId),
  targetSubEntityId: ({ record }) => textOf(record?.targetSubEntityId),
  message: (_, actor, { displayMessageTemplate: template, displayMessageTemplateData: data }) =>
    typeof template === 'string' ? displayMessage(template, data, actor) : undefined,
  changes: (_entry, _actor, { changes }) => textOf(changes),
  entityData: (_entry, _actor, { entityData }) => textOf(entityData),
  hash: ({ hash }) => hash,
}

/** The header row. */
export const CSV_HEADER = csvRow(Object.keys(COLUMNS))

/** An entry as a row of CSV; times in ISO-8601. */
export function csvOf(entry: CsvEntry): string {
  const [actor, content] = [valuesOf(entry.actor?.value), valuesOf(entry.content?.value)]
  return csvRow(Object.values(COLUMNS).map((column) => column(entry, actor, content)))
}

type Values = Record<string, unknown>

const valuesOf = (value: unknown): Values => (isObject(value) ? value : {})

const timeOf = (time: number | null | undefined) =>
  time === null || time === undefined ? undefined : new Date(time).toISOString()

const textOf = (value: unknown) =>
  value === undefined || typeof value === 'string' ? (value as string | undefined) : JSON.stringify(value)
