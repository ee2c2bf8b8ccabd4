import type { SealedColumn } from '../../platform/keys/rotation.ts'
import { endpointSecretContext } from './endpoint/endpoint-secret.ts'

/** The encrypted columns of this area. */
export const sealedColumns: SealedColumn[] = [
  {
    table: 'webhook_secret',
    key: { api_key: 'text', endpoint_id: 'text', seq: 'bigint' },
    column: 'sealed',
    context: ({ api_key = '', endpoint_id = '' }) => endpointSecretContext(api_key, endpoint_id),
  },
]
