import { operation } from '../../platform/operation.ts'
import { Type } from '../../platform/schema.ts'

/** Writes all data of the installation as lines of JSON, from one moment, while the service runs. */
export const createBackup = operation({
  path: '/console/api/backup/create',
  auth: 'none',
  access: 'read',
  administers: true,
  summary: 'Back up all data',
  description: 'The master keys are not in it. `precedent backup` stores it, and `precedent restore` reads it.',
  input: Type.Object({}),
  output: null,
  errors: ['UNAUTHENTICATED', 'PERMISSION_DENIED'],
  message: 'Backup created.',
  stream: ['application/x-ndjson'],
}).run(async ({ exportAll }) => {
  const { readable, writable } = new TransformStream<string, string>()
  const writer = writable.getWriter()
  // A reader that goes away makes the next write fail, and that ends the export.
  exportAll((lines) => writer.write(lines))
    .then(
      () => writer.close(),
      (error: unknown) => writer.abort(error),
    )
    .catch(() => {})
  return { contentType: 'application/x-ndjson; charset=utf-8', chunks: readable }
})
