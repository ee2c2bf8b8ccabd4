import type { SealedColumn } from '../../platform/keys/rotation.ts'
import { authTokenContext } from './api-key.ts'
import { settingContext } from './setting/setting.ts'
import { workspaceTokenContext } from './workspace.ts'

/** The encrypted columns of this area. */
export const sealedColumns: SealedColumn[] = [
  {
    table: 'workspace',
    key: { id: 'text' },
    column: 'token_sealed',
    hash: 'token_hash',
    context: ({ id = '' }) => workspaceTokenContext(id),
  },
  {
    table: 'auth_token',
    key: { api_key: 'text', name: 'text' },
    column: 'sealed',
    hash: 'hash',
    context: ({ api_key = '' }) => authTokenContext(api_key),
  },
  {
    table: 'setting',
    key: { api_key: 'text', name: 'text' },
    column: 'sealed',
    context: ({ api_key = '', name = '' }) => settingContext(api_key, name),
  },
]
