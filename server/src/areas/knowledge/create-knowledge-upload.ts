import { operation } from '../../platform/operation.ts'
import { requiredText, Type } from '../../platform/schema.ts'
import { placeIssues } from '../memory/judgment/scope.ts'
import { addSource } from './source/add-source.ts'
import { fileUrl, LINK_MS } from './source/file-links.ts'
import { MimeTypeField, placeInput } from './source/source.ts'

const MOST_UPLOADED_BYTES = 30 * 1024 * 1024

/** Returns an address of this service to which one file can be sent. */
export const createKnowledgeUpload = operation({
  path: '/v2/memory/knowledge/upload-url',
  auth: 'apiKey',
  access: 'write',
  summary: 'Get an address to upload a file with rules',
  description:
    'Send the bytes to `uploadUrl` within 15 minutes, by PUT with the `Content-Type` that was named and no further credentials. Then call `knowledge/ingest` with `fileRef`. At most 50 uploads may be outstanding.',
  input: Type.Object({
    mimeType: MimeTypeField,
    fileSize: Type.Integer({ minimum: 1, maximum: MOST_UPLOADED_BYTES, description: 'The size of the file in bytes.' }),
    fileName: Type.Optional(requiredText('Name of the file.', 255)),
    ...placeInput,
  }),
  example: { mimeType: 'application/pdf', fileSize: 48000, fileName: 'guideline.pdf' },
  output: Type.Object({
    uploadUrl: Type.String(),
    fileRef: Type.String(),
    expiresAt: Type.Integer({ description: 'Epoch milliseconds.' }),
  }),
  errors: ['NOT_FOUND', 'RESOURCE_EXHAUSTED'],
  message: '',
  bare: true,
  check: (ids) => placeIssues(ids),
}).run(async ({ db, tenant, input, secrets, config, clock }) => {
  const { mimeType, fileSize, fileName = 'upload', ...place } = input
  const expiresAt = clock.now() + LINK_MS
  const { sourceId, key } = await addSource(db, tenant, {
    sourceType: 'fileRef',
    status: 'awaited',
    fileName,
    mimeType,
    size: fileSize,
    ...place,
    sha256: null,
    file: null,
    expiresAt,
  })
  const link = { apiKey: tenant.apiKey, key, what: 'upload', expiresAt } as const
  return { uploadUrl: fileUrl(link, { secrets, config }), fileRef: sourceId, expiresAt }
})
