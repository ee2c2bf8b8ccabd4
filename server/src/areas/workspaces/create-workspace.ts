import { hash, timingSafeEqual } from 'node:crypto'
import type { Config } from '../../platform/config.ts'
import { type Db, isCancelled, isFull, isRetryable, sql } from '../../platform/db/db.ts'
import { ApiError, invalidField } from '../../platform/errors.ts'
import type { Credentials } from '../../platform/http/authenticator.ts'
import { hexId, newAuthToken, newWorkspaceId } from '../../platform/id.ts'
import type { Context } from '../../platform/operation.ts'
import { operation } from '../../platform/operation.ts'
import { email, httpUrl, requiredText, type Static, Type } from '../../platform/schema.ts'
import { defaultApiKeyName, insertApiKey } from './api-key.ts'
import { isDisposable } from './disposable-email.ts'
import { findWorkspace, newWorkspaceState, Workspace, workspaceTokenContext } from './workspace.ts'

const MAX_WORKSPACES = 5

const Input = Type.Object({
  ownerEmail: email('Address of the owner. Disposable domains are refused.'),
  name: Type.Optional(requiredText("The owner's name; default: the address.", 200)),
  workspaceName: Type.Optional(requiredText('Default: the name (or address) followed by `workspace`.', 200)),
  avatar: Type.Optional(httpUrl('Picture of the owner, returned as `owner.avatar`; at most 2000 characters.')),
})

/** Creates a workspace with its first API key and auth token. An address owns at most five. */
export const createWorkspace = operation({
  path: '/v2/workspace/create',
  auth: 'none',
  access: 'write',
  administers: newWorkspaceState,
  summary: 'Create a workspace',
  input: Input,
  example: { ownerEmail: 'ada@example.com', name: 'Ada', workspaceName: 'Acme' },
  output: Workspace,
  description:
    "Where the server's `WORKSPACE_CREATE` is `token`, send the operator's token as `Authorization: Bearer`.",
  errors: ['RESOURCE_EXHAUSTED', 'PERMISSION_DENIED', 'ALREADY_EXISTS', 'INTERNAL'],
  message: 'Workspace created successfully',
  gate: assertMayCreate,
  rateLimit: {
    by: 'clientAddress',
    limit: (config) => config.rateLimitWorkspaceCreate,
    message: 'Rate limit exceeded for this endpoint. Try again later.',
  },
}).run(async (context) => {
  const { input, config } = context
  if (isDisposable(input.ownerEmail, config))
    throw invalidField('ownerEmail', 'has an email domain that is not supported')
  try {
    return await create(context)
  } catch (error) {
    // These errors have statuses of their own; any other counts as a failed creation.
    if (error instanceof ApiError || isCancelled(error) || isFull(error) || isRetryable(error)) throw error
    throw new ApiError('INTERNAL', 'Failed to create workspace.', { cause: error })
  }
})

/** PERMISSION_DENIED unless the server lets this caller create workspaces. */
function assertMayCreate({ bearer = '' }: Credentials, { workspaceCreate, operatorToken }: Config): void {
  if (workspaceCreate === 'open') return
  if (workspaceCreate === 'off') {
    throw new ApiError('PERMISSION_DENIED', 'This server does not let callers create workspaces.')
  }
  const digest = (token: string) => hash('sha256', token, 'buffer')
  if (operatorToken !== undefined && timingSafeEqual(digest(bearer), digest(operatorToken))) return
  throw new ApiError('PERMISSION_DENIED', "Creating a workspace needs the operator's token as Authorization: Bearer.")
}

async function create({ db, input, secrets }: Context<'none', 'write', Static<typeof Input>>) {
  const ownerName = input.name ?? input.ownerEmail
  const name = input.workspaceName ?? `${ownerName} workspace`
  await assertMayOwn(db, input.ownerEmail, name)
  const id = newWorkspaceId()
  const token = newAuthToken()
  await db.query(sql`
    insert into workspace (id, name, owner_id, owner_email, owner_name, owner_avatar, token_hash, token_sealed)
    values (
      ${id}, ${name}, ${hexId('owner', '', input.ownerEmail.toLowerCase())}, ${input.ownerEmail}, ${ownerName},
      ${input.avatar ?? null}, ${secrets.hash(token)}, ${secrets.seal(token, workspaceTokenContext(id))})`)
  const apiKey = { workspaceId: id, ownerEmail: input.ownerEmail, type: 'testing', withToken: true } as const
  await insertApiKey(db, secrets, { ...apiKey, name: defaultApiKeyName(input.ownerEmail, apiKey.type) })
  const workspace = await findWorkspace(db, secrets, id)
  if (!workspace) throw new Error('The workspace just written cannot be read.')
  return workspace
}

/**
 * How many workspaces an owner has, whether one is paid for, and whether one has the name: the first of these rules
 * that is broken is the error. Creations for one address run one after another.
 */
async function assertMayOwn(db: Db, ownerEmail: string, name: string): Promise<void> {
  await db.query(sql`select pg_advisory_xact_lock(hashtextextended(lower(${ownerEmail}), 0))`)
  const owned = await db.query<{ name: string; on_paid_plan: boolean }>(sql`
    select w.name, exists (select from api_key k where k.workspace_id = w.id and k.type = 'production') as on_paid_plan
    from workspace w
    where lower(w.owner_email) = lower(${ownerEmail})
    order by w.created_at, w.id`)
  if (owned.length >= MAX_WORKSPACES) {
    throw new ApiError(
      'RESOURCE_EXHAUSTED',
      `This email address already owns the maximum of ${MAX_WORKSPACES} workspaces.`,
    )
  }
  if (owned[0] && !owned[0].on_paid_plan) {
    throw new ApiError(
      'PERMISSION_DENIED',
      'Creating an additional workspace requires your root workspace to be on a paid plan (a production API key).',
    )
  }
  if (owned.some((workspace) => workspace.name === name)) {
    throw new ApiError('ALREADY_EXISTS', 'A workspace of this name already exists for this email address.')
  }
}
