import { DESCRIBED, registry } from '../server/src/operations.ts'
import { configurationMarkdown, readConfig } from '../server/src/platform/config.ts'
import { openEmbedded } from '../server/src/platform/db/embedded.ts'
import { openapiDocument } from '../server/src/platform/http/openapi.ts'
import { migrate } from '../server/src/platform/migrate.ts'
import { listOperations } from '../server/src/platform/operation.ts'
import { fieldsSource } from './cli-fields.ts'
import { clientSource } from './client-types.ts'
import { schemaDump } from './schema-dump.ts'
import { compiledVectorKernel } from './vector-kernel.ts'
import { webhookSource } from './webhook-types.ts'

/** The generated files of the repository: by path, the content that their sources give. */
export async function generatedFiles(): Promise<Record<string, string>> {
  const operations = listOperations(registry)
  const database = await openEmbedded({ dataDir: 'memory' })
  await migrate(database)
  const schema = await schemaDump(database)
  await database.close()
  return {
    'docs/openapi.json': `${JSON.stringify(openapiDocument(operations, { ...readConfig({}), ...DESCRIBED }), null, 2)}\n`,
    'docs/configuration.md': configurationMarkdown(),
    'client/src/api.ts': clientSource(operations),
    'client/src/webhook-event.ts': webhookSource(),
    'cli/src/call/fields.ts': fieldsSource(operations),
    'server/schema.sql': schema,
    'server/src/areas/memory/vectors/vector-kernel-wasm.ts': await compiledVectorKernel(),
  }
}
