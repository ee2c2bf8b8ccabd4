import { ApiError } from '../../platform/errors.ts'
import { operation } from '../../platform/operation.ts'
import { Type } from '../../platform/schema.ts'
import { findWorkspace, Workspace } from './workspace.ts'

/** The caller's workspace with its API keys. */
export const getWorkspace = operation({
  path: '/v2/workspace/get',
  auth: 'workspace',
  access: 'read',
  summary: 'Get the workspace',
  input: Type.Object({}),
  example: {},
  output: Workspace,
  errors: ['NOT_FOUND', 'UNAUTHENTICATED', 'RESOURCE_EXHAUSTED'],
  message: 'Workspace retrieved successfully',
  requiresData: true,
  rateLimit: {
    by: 'workspace',
    limit: (config) => config.rateLimitWorkspaceGet,
    message: 'Rate limit exceeded. Try again after 1 minute.',
  },
}).run(async ({ db, tenant, secrets }) => {
  const workspace = await findWorkspace(db, secrets, tenant.workspaceId)
  if (!workspace) throw new ApiError('NOT_FOUND', 'Workspace not found.')
  return workspace
})
