import { refusalOf } from '../../../../client/src/errors.ts'
import type { Api } from '../../../../client/src/index.ts'
import { base } from '../../door/door.ts'
import { t } from '../../strings.ts'
import { withoutEmpty } from '../../ui/filters.tsx'

type MimeType = Parameters<Api['knowledge']['createKnowledgeUpload']>[0]['mimeType']

/** By the ending of the name, because browsers do not agree on the types of these files. */
const TYPES: Record<string, MimeType> = {
  pdf: 'application/pdf',
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  txt: 'text/plain',
  md: 'text/plain',
}

const MOST_BYTES = 30 * 1024 * 1024

/** What a file input offers. */
export const ACCEPTED = Object.keys(TYPES)
  .map((ending) => `.${ending}`)
  .join(',')

/** The organization or document that a source holds for; empty for all. */
export interface Place {
  organizationId?: string
  documentId?: string
}

/** Uploads a file and has it read. Throws if its name has no ending of a type that is read, or by its size. */
export async function addKnowledge(api: Api, file: File, { organizationId, documentId }: Place): Promise<void> {
  const mimeType = TYPES[file.name.split('.').at(-1)?.toLowerCase() ?? '']
  if (mimeType === undefined) throw new Error(t.knowledge.wrongType)
  if (file.size === 0) throw new Error(t.knowledge.emptyFile)
  if (file.size > MOST_BYTES) throw new Error(t.knowledge.tooLarge)
  const place = withoutEmpty({ organizationId, documentId })
  const upload = { mimeType, fileName: file.name, fileSize: file.size, ...place }
  const { uploadUrl, fileRef } = await api.knowledge.createKnowledgeUpload(upload)
  const response = await fetch(ownAddress(uploadUrl), {
    method: 'PUT',
    headers: { 'content-type': mimeType },
    body: file,
  })
  if (!response.ok) throw refusalOf(response, await response.json().catch(() => undefined))
  await api.knowledge.ingestKnowledge({ source: 'fileRef', fileRef, mimeType, ...place })
}

/** The address of a file as this page reaches it: the service may be known to others by another name or path. */
export function ownAddress(address: string): URL {
  const { pathname, search } = new URL(address)
  return new URL(`../knowledge/${pathname.split('/').at(-1)}${search}`, base)
}
