import { timingSafeEqual } from 'node:crypto'
import type { ApiKeyTenant, Clock } from '../../../platform/context.ts'
import type { Db } from '../../../platform/db/db.ts'
import { scanJson } from '../../../platform/http/body/scan-json.ts'
import { keyOf } from '../../../platform/id.ts'
import { isObject } from '../../../platform/json-value.ts'
import type { Metrics } from '../../../platform/metrics/metrics.ts'
import { isSuccess, type Outbound } from '../../../platform/outbound/outbound.ts'
import type { Static } from '../../../platform/schema.ts'
import type { Secrets } from '../../../platform/secret.ts'
import { expiryOf, type ResourceType, type Role } from '../access/grant.ts'
import type { PermissionProviderConfig } from './permission-provider.ts'
import { signPermissions } from './permission-signature.ts'

/** May this user have this resource of the organization? */
export interface Question {
  organizationId: string
  userId: string
  type: ResourceType
  id: string
  /** The folder of a document; undefined at the top level. */
  parentFolderId: string | undefined
}

/** What the provider says; null: it gave no valid answer, which denies. */
export type ProviderAnswer = { hasAccess: boolean; role: Role } | null

interface Asking {
  db: Db
  tenant: ApiKeyTenant
  /** The organization of all questions. */
  organizationId: string
  provider: Static<typeof PermissionProviderConfig>
}

declare module '../../../platform/context.ts' {
  interface Services {
    providerAnswers: ProviderAnswers
  }
}

const TIMEOUT_MS = 5_000
const KIBIBYTE = 1024
/** How many bytes of an answer are read. A caller chooses the provider, and may have many requests in progress. */
const mostBytes = (questions: number) => Math.min(2048, 64 + 4 * questions) * KIBIBYTE
/**
 * How many values an answer may hold: those of an entry are eight or so. More would hold the process while it is read.
 */
const mostValues = (questions: number) => Math.max(10_000, 50 * questions)
/** How long an answer without an end is kept. */
const KEPT_MS = 60_000
const MAX_KEPT = 20_000

interface Dependencies {
  outbound: Outbound
  secrets: Secrets
  clock: Clock
  metrics: Metrics
}

/** Asks permission providers, and keeps at most 20,000 of their answers, the latest. */
export class ProviderAnswers {
  readonly #kept = new Map<string, { answer: ProviderAnswer; until: number }>()
  readonly #with: Dependencies

  constructor(dependencies: Dependencies) {
    this.#with = dependencies
  }

  /**
   * Asks all questions that no kept answer settles, in one request of at most 5 s, without a retry. Returns the answers
   * in the order of the questions. Must not be called inside a transaction.
   */
  async ask(asking: Asking, questions: Question[]): Promise<ProviderAnswer[]> {
    const { tenant, provider } = asking
    const now = this.#with.clock.now()
    const keys = questions.map((question) => keyOf(JSON.stringify([tenant.apiKey, provider, question])))
    const answers = new Map<string, ProviderAnswer>()
    const open = new Map<string, Question>()
    for (const [index, question] of questions.entries()) {
      const key = keys[index] ?? ''
      const kept = this.#kept.get(key)
      if (kept && kept.until > now) answers.set(key, kept.answer)
      else open.set(key, question)
    }
    if (open.size > 0) for (const [key, answer] of await this.#askProvider(asking, open, now)) answers.set(key, answer)
    return keys.map((key) => answers.get(key) ?? null)
  }

  /** Returns, and keeps, what the provider answers to questions, by their keys. */
  async #askProvider(
    asking: Asking,
    open: ReadonlyMap<string, Question>,
    now: number,
  ): Promise<Map<string, ProviderAnswer>> {
    const answers = new Map<string, ProviderAnswer>()
    const entries = bySubject(await this.#request(asking, [...open.values()]), asking.organizationId)
    for (const [key, question] of open) {
      const entry = entries.get(subjectOf({ ...question, resourceId: question.id }))
      if (!entry) continue
      const answer = { hasAccess: entry.hasAccess && (entry.expiresAt ?? Infinity) > now, role: entry.role }
      answers.set(key, answer)
      this.#keep(key, answer, entry.expiresAt ?? now + KEPT_MS)
    }
    return answers
  }

  #keep(key: string, answer: ProviderAnswer, until: number): void {
    this.#kept.delete(key)
    this.#kept.set(key, { answer, until })
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MAX_KEPT) return
      this.#kept.delete(oldest)
    }
  }

  /** The entries of the answer; none if the provider fails, answers no list, or signs it wrongly. */
  async #request({ db, tenant, provider }: Asking, questions: Question[]): Promise<unknown[]> {
    const { outbound, secrets, metrics } = this.#with
    try {
      const response = await outbound.request({
        url: provider.permissionProviderUrl,
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${provider.authToken}` },
        body: JSON.stringify({ data: { requests: questions.map(toRequest) } }),
        timeoutMs: TIMEOUT_MS,
        maxResponseBytes: mostBytes(questions.length),
      })
      scanJson(response.body, mostValues(questions.length))
      const { data, signature } = readResponse(response)
      if (signature !== undefined && !isSame(signature, await signPermissions(db, tenant, secrets, data)))
        throw new Error('wrong signature')
      metrics.permissionProviderRequests.inc({ outcome: 'answered' })
      return data
    } catch {
      metrics.permissionProviderRequests.inc({ outcome: 'failed' })
      return []
    }
  }
}

const toRequest = ({ organizationId, userId, type, id, parentFolderId }: Question) => ({
  userId,
  resource: { id, type, source: 'identify', organizationId, ...(parentFolderId !== undefined && { parentFolderId }) },
})

/** The entries of a response, and its signature if it has one; throws unless it says that it succeeded. */
function readResponse({ status, body }: { status: number; body: Buffer }): { data: unknown[]; signature: unknown } {
  const said: unknown = JSON.parse(body.toString('utf8'))
  if (!isSuccess(status) || !isObject(said)) throw new Error('no answer')
  if (said.success === false || !isSuccess(said.statusCode ?? 200)) throw new Error('an answer that says it failed')
  if (!Array.isArray(said.data)) throw new Error('no data')
  return { data: said.data, signature: said.signature }
}

interface Entry {
  hasAccess: boolean
  role: Role
  expiresAt: number | undefined
}

/**
 * The valid entries by user and resource. Of several, what all of them allow counts. One that names no organization, as
 * the permissions that `generate_signature` takes, is about the one that was asked about.
 */
function bySubject(data: unknown[], organizationId: string): Map<string, Entry> {
  const entries = new Map<string, Entry>()
  for (const said of data) {
    if (!isObject(said)) continue
    const entry = entryOf(said)
    if (!entry) continue
    const subject = subjectOf({ ...said, organizationId: said.organizationId ?? organizationId })
    const other = entries.get(subject)
    entries.set(subject, other ? narrower(other, entry) : entry)
  }
  return entries
}

/** What both of two entries allow, for as long as both do. */
const narrower = (one: Entry, other: Entry): Entry => ({
  hasAccess: one.hasAccess && other.hasAccess,
  role: one.role === 'viewer' ? 'viewer' : other.role,
  expiresAt: one.expiresAt === undefined ? other.expiresAt : Math.min(one.expiresAt, other.expiresAt ?? Infinity),
})

function entryOf({ hasAccess, accessRole = null, expiresAt = null }: Record<string, unknown>): Entry | undefined {
  const isKnownRole = accessRole === null || accessRole === 'viewer' || accessRole === 'editor'
  const isKnownEnd = expiresAt === null || typeof expiresAt === 'number'
  if (typeof hasAccess !== 'boolean' || !isKnownRole || !isKnownEnd) return undefined
  return { hasAccess, role: accessRole ?? 'editor', expiresAt: expiryOf(expiresAt ?? undefined) ?? undefined }
}

const subjectOf = ({ organizationId, userId, type, resourceId }: Record<string, unknown>) =>
  JSON.stringify([organizationId, userId, type, resourceId])

const isSame = (given: unknown, expected: string): boolean =>
  typeof given === 'string' &&
  given.length === expected.length &&
  timingSafeEqual(Buffer.from(given), Buffer.from(expected))
