import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, type Sql, sql } from '../../../platform/db/db.ts'
import { ApiError } from '../../../platform/errors.ts'
import { keyOf } from '../../../platform/id.ts'
import { identifier, nullable, oneOf, type Static, Type, text } from '../../../platform/schema.ts'
import { MIME_TYPES, type MimeType } from '../reading/reading.ts'

export const MimeTypeField = oneOf(Object.values(MIME_TYPES), 'The type of the file.')
export const SourceIdField = identifier('Id of the source.')

/** The place that a source holds for. */
export const placeInput = {
  organizationId: Type.Optional(identifier('The source holds for this organization only.')),
  documentId: Type.Optional(identifier('The source holds for this document only; requires `organizationId`.')),
}

/** How far a source is, as callers see it. */
export const SourceStatus = oneOf(['processing', 'completed', 'failed'], 'How far reading the file is.')

const FAILURES =
  '`unsupported-mime-detected-post-validation`: the bytes are not of the type; `file-unreadable`; `no-text`: it holds blanks or pictures only; `file-too-large`: too much text, or it inflates too far; `reading-timed-out`.'

/** What a list and the status of a source share. */
export const Described = {
  mimeType: Type.String(),
  dedupOf: Type.Optional(Type.String({ description: 'Id of the source with the same bytes; this one mirrors it.' })),
  failureReason: Type.Optional(Type.String({ description: FAILURES })),
  originalDownloadUrl: Type.Optional(Type.String({ description: 'Loads the file, for 15 minutes.' })),
  canonicalMdDownloadUrl: Type.Optional(Type.String({ description: 'Loads its text as Markdown, for 15 minutes.' })),
  metadata: Type.Optional(
    Type.Object({
      usedRawFallback: Type.Boolean({ description: 'The structure of the file was not understood, only its text.' }),
      version: Type.Integer({ description: 'Counts up with each `knowledge/update`.' }),
    }),
  ),
}

/** A rule as `knowledge/rules` lists it. */
export const Rule = Type.Object({
  id: Type.String({ description: 'It stays while the text of the rule stays.' }),
  content: text('The list item, or the paragraph below a heading.'),
  category: nullable(Type.String({ description: 'The heading that it stands under.' })),
  index: Type.Integer({ description: 'Its place among the rules of the source, from 0.' }),
})
export type Rule = Static<typeof Rule>

/** A source with the state of the one that it duplicates, if any. `of` is the key that its entries stand under. */
export interface Source {
  key: string
  of: string
  sourceId: string
  sourceType: 'inline' | 'fileRef'
  fileName: string
  mimeType: MimeType
  sha256: string | null
  dedupOf: string | null
  status: 'awaited' | 'uploaded' | 'processing' | 'completed' | 'failed'
  failureReason: string | null
  usedRawFallback: boolean
  version: number
  ruleCount: number
  chunkCount: number
  uploadedAt: number
  updatedAt: number
}

const columns = sql`
  s.key, w.key as of, s.source_id as "sourceId", s.source_type as "sourceType", s.file_name as "fileName",
  s.mime_type as "mimeType", encode(s.sha256, 'hex') as sha256,
  case when w.key <> s.key then w.source_id end as "dedupOf", w.status, w.failure_reason as "failureReason",
  w.used_raw_fallback as "usedRawFallback", w.version, w.rule_count as "ruleCount", w.chunk_count as "chunkCount",
  s.uploaded_at as "uploadedAt", greatest(s.updated_at, w.updated_at) as "updatedAt"`

/** Reads sources that meet a condition over `knowledge_source s`. */
export const readSources = (
  db: Db,
  { apiKey }: ApiKeyTenant,
  { condition, rest }: { condition: Sql; rest: Sql },
): Promise<Source[]> =>
  db.query<Source>(sql`
    select ${columns}
    from knowledge_source s
    join knowledge_source w on w.api_key = ${apiKey} and w.key = coalesce(s.dedup_of, s.key)
    where s.api_key = ${apiKey} and ${condition}
    ${rest}`)

/** SQL: what was ingested; an upload that is awaited is no source yet. */
export const ingested = sql`s.status not in ('awaited', 'uploaded')`

/** Reads a source; throws NOT_FOUND if there is none. */
export async function findSource(db: Db, tenant: ApiKeyTenant, sourceId: string): Promise<Source> {
  const source = await findSourceIfAny(db, tenant, sourceId)
  if (!source) throw new ApiError('NOT_FOUND', 'There is no knowledge source with this id.')
  return source
}

/** The same, locked until the transaction ends. */
export async function lockSource(db: Db, tenant: ApiKeyTenant, sourceId: string): Promise<Source> {
  // First: a statement that waits for the lock would answer what it read of the source before.
  await db.query(sql`
    select from knowledge_source where api_key = ${tenant.apiKey} and key = ${keyOf(sourceId)}::uuid for update`)
  return findSource(db, tenant, sourceId)
}

/** The same; undefined if there is none. */
export async function findSourceIfAny(db: Db, tenant: ApiKeyTenant, sourceId: string): Promise<Source | undefined> {
  const condition = sql`s.key = ${keyOf(sourceId)}::uuid and ${ingested}`
  const [source] = await readSources(db, tenant, { condition, rest: sql`limit 1` })
  return source
}

/** What is answered of a source besides what is particular to an operation. */
export function described({ mimeType, dedupOf, failureReason, status, usedRawFallback, version }: Source) {
  return {
    mimeType,
    ...(dedupOf !== null && { dedupOf }),
    ...(failureReason !== null && { failureReason }),
    ...(status === 'completed' && { metadata: { usedRawFallback, version } }),
  }
}

/** The status of a source, which is never that of an upload. */
export function statusOf({ status }: Source): Static<typeof SourceStatus> {
  return status === 'awaited' || status === 'uploaded' ? 'processing' : status
}
