import { createHash, randomUUID } from 'node:crypto'
import type { ApiKeyTenant } from '../../platform/context.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Issue, invalidField } from '../../platform/errors.ts'
import { operation } from '../../platform/operation.ts'
import { oneOf, requiredText, type Static, Type } from '../../platform/schema.ts'
import { placeIssues } from '../memory/judgment/scope.ts'
import { MIME_TYPES } from './reading/reading.ts'
import { looksLike } from './reading/sniff.ts'
import { addSource, markDuplicate } from './source/add-source.ts'
import { storePart } from './source/file-parts.ts'
import { MimeTypeField, placeInput } from './source/source.ts'
import { takeUpload } from './source/take-upload.ts'

/** As base64 it must fit into a request of 5 MiB. */
const MOST_INLINE_BYTES = 3.5 * 1024 * 1024

const Input = Type.Object({
  source: oneOf(
    ['inline', 'fileRef'],
    '`inline`: the file is in the request, and `file` is required; `fileRef`: it was uploaded before, and `fileRef` is required.',
  ),
  file: Type.Optional(
    Type.Object({
      base64: Type.String({ description: 'The bytes of the file.', minLength: 1 }),
      mimeType: MimeTypeField,
      fileName: requiredText('Name of the file.', 255),
      fileSize: Type.Integer({ minimum: 1, maximum: MOST_INLINE_BYTES, description: 'Its size in bytes.' }),
    }),
  ),
  fileRef: Type.Optional(Type.String({ maxLength: 256, description: 'As `knowledge/upload-url` returned it.' })),
  mimeType: Type.Optional(
    oneOf(Object.values(MIME_TYPES), 'The type of an upload, as `knowledge/upload-url` was told it. Default: that.'),
  ),
  ...placeInput,
})
type Input = Static<typeof Input>

/** Takes a file with policies or rules to decide by. A worker reads it. */
export const ingestKnowledge = operation({
  path: '/v2/memory/knowledge/ingest',
  auth: 'apiKey',
  access: 'write',
  administers: true,
  queues: true,
  summary: 'Add a file with rules to decide by',
  description:
    'A file in the request has at most 3.5 MiB; a larger one is uploaded first (`knowledge/upload-url`). It is read in the background: `knowledge/ingest-status` tells when. A file with the same bytes, type and place as another is not read again.',
  input: Input,
  example: {
    source: 'inline',
    file: {
      base64: 'LSBFdmVyeSBwaWN0dXJlIGhhcyBhbiBhbHQgdGV4dC4K',
      mimeType: 'text/plain',
      fileName: 'guideline.txt',
      fileSize: 33,
    },
    organizationId: 'example',
  },
  output: Type.Object({
    status: oneOf(['processing'], 'The file will be read.'),
    sourceId: Type.String(),
    message: Type.String(),
  }),
  errors: ['NOT_FOUND', 'FAILED_PRECONDITION', 'PERMISSION_DENIED', 'RESOURCE_EXHAUSTED'],
  message: '',
  bare: true,
  check: issuesOf,
}).run(async ({ db, tenant, input }) => {
  const { source, file } = input
  const { sourceId, key } =
    source === 'inline' && file ? await addInline(db, tenant, input, file) : await takeUpload(db, tenant, input)
  await markDuplicate(db, tenant, key)
  return { status: 'processing' as const, sourceId, message: 'The file is being read.' }
})

const isText = (mimeType: string) => mimeType.startsWith('text/')

function issuesOf({ source, file, fileRef, ...ids }: Input): Issue[] {
  const needed = source === 'inline' ? { file } : { fileRef }
  return [
    ...Object.entries(needed).flatMap(([path, value]) =>
      value === undefined ? [{ path, message: 'is required' }] : [],
    ),
    ...placeIssues(ids),
  ]
}

async function addInline(db: Db, tenant: ApiKeyTenant, input: Input, file: NonNullable<Input['file']>) {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(file.base64)) throw invalidField('file.base64', 'must be base64')
  const bytes = Buffer.from(file.base64, 'base64')
  if (bytes.length !== file.fileSize)
    throw invalidField('file.fileSize', `must be the size of the file, ${bytes.length}`)
  if (!looksLike(file.mimeType, bytes))
    throw invalidField('file.mimeType', `must be the type of the bytes, which are no ${file.mimeType}`)
  if (isText(file.mimeType) && bytes.toString('latin1').trim() === '')
    throw invalidField('file.base64', 'must hold more than blanks')
  const parts = randomUUID()
  const added = await addSource(db, tenant, {
    sourceType: 'inline',
    status: 'processing',
    fileName: file.fileName,
    mimeType: file.mimeType,
    size: bytes.length,
    ...placeOf(input),
    sha256: createHash('sha256').update(bytes).digest(),
    file: parts,
    expiresAt: null,
  })
  await storePart(db, tenant, { key: added.key, file: parts, number: 0 }, bytes)
  return added
}

const placeOf = ({ organizationId, documentId }: Input) => ({
  ...(organizationId !== undefined && { organizationId }),
  ...(documentId !== undefined && { documentId }),
})
