import { refusalOf } from '../../../client/src/errors.ts'
import type { Api } from '../../../client/src/index.ts'
import { ask, askData, post } from './door.ts'
import type { Role, Workspace } from './session.ts'
import type { Page } from './tenant.tsx'

export const ROLES: Role[] = ['operator', 'admin', 'developer', 'reviewer', 'viewer']

/** Somebody who may sign in to the console. */
export interface Operator {
  id: string
  email: string
  name: string
  role: Role
  /** Null: all workspaces. */
  workspaceId: string | null
  hasPassword: boolean
  sessions: number
  createdAt: number
}

/** One administrative change. */
export type AuditRecord = Awaited<ReturnType<Api['audit']['getAuditRecords']>>['data'][number]

/** What the check of the audit found; `brokenAt` is the first record that does not fit. */
export type Verdict = Awaited<ReturnType<Api['audit']['verifyAudit']>>['data']

export interface ListedWorkspace extends Workspace {
  ownerEmail: string
  createdAt: number
}

interface Listed<Row> {
  data: Row[]
  nextPageToken?: string | null
}

const readPage = async <Row>(path: string, input: object, signal?: AbortSignal): Promise<Page<Row>> => {
  const { data, nextPageToken } = await ask<Listed<Row>>(path, input, signal)
  return { rows: data, next: nextPageToken }
}

const PAGE_SIZE = 50

export const readWorkspaces = (input: { search?: string; pageToken?: string }, signal?: AbortSignal) =>
  readPage<ListedWorkspace>('workspaces/list', { pageSize: PAGE_SIZE, ...input }, signal)

export interface AuditFilters {
  actor?: string
  action?: string
  workspaceId?: string
  apiKey?: string
  /** Epoch milliseconds. */
  from?: number
  /** Epoch milliseconds, exclusive. */
  to?: number
}

export const readAudit = (
  input: { filters: AuditFilters; pageToken?: string; pageSize?: number },
  signal?: AbortSignal,
) => readPage<AuditRecord>('audit/list', { pageSize: PAGE_SIZE, ...input }, signal)

/** Checks the chain of a workspace, or every chain. */
export const verifyAudit = (chain?: string) => askData<Verdict>('audit/verify', chain === undefined ? {} : { chain })

/** The records that match as a file, and their number. The last line counts them; without it the file is incomplete. */
export async function exportAudit(filters: AuditFilters, format: 'ndjson' | 'csv') {
  const response = await post('audit/export', { format, filters })
  if (!response.ok) throw refusalOf(response, await response.json().catch(() => undefined))
  const text = await response.text()
  const [, count] = /(?:"records":|"end",)(\d+)\}?\s*$/.exec(text) ?? []
  if (count === undefined) throw new Error('The export broke off. Start it again.')
  return { text, count: Number(count) }
}

export const readOperators = (signal?: AbortSignal) => askData<Operator[]>('operators/list', {}, signal)

interface Invitation {
  email: string
  role: Role
  name?: string
  workspaceId?: string
}

/** Returns the one-time link to hand over. */
export const inviteOperator = async (invitation: Invitation) =>
  (await askData<{ link: string }>('operators/invite', invitation)).link

interface Change {
  id: string
  role?: Role
  endSessions?: boolean
  newLink?: boolean
}

/** Returns the new link where one was asked for. */
export const updateOperator = async (change: Change) =>
  (await askData<{ link?: string }>('operators/update', change)).link

export const removeOperator = (id: string) => ask<unknown>('operators/remove', { id })
