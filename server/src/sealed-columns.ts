import * as webhooks from './areas/webhooks/sealed-columns.ts'
import * as workspaces from './areas/workspaces/sealed-columns.ts'
import type { SealedColumn } from './platform/rotation.ts'

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
  ...workspaces.sealedColumns,
  ...webhooks.sealedColumns,
]
