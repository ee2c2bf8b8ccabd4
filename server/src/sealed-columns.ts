import * as webhooks from './areas/webhooks/sealed-columns.ts'
import * as workspaces from './areas/workspaces/sealed-columns.ts'
import type { SealedColumn } from './platform/keys/rotation.ts'
import { storedKeyContext } from './platform/keys/stored-key.ts'

/** Every encrypted column. A test compares the list with the schema. */
export const sealedColumns: SealedColumn[] = [
  {
    table: 'idempotency_key',
    key: { owner: 'text', operation: 'text', key: 'bytea' },
    column: 'answer',
    context: ({ owner, operation }) => `idempotency:${owner}:${operation}`,
  },
  {
    table: 'signing_key',
    key: { id: 'text' },
    column: 'private_sealed',
    context: ({ id }) => `signing-key:${id}`,
  },
  {
    table: 'stored_key',
    key: { name: 'text' },
    column: 'sealed',
    context: ({ name = '' }) => storedKeyContext(name),
  },
  ...workspaces.sealedColumns,
  ...webhooks.sealedColumns,
]
