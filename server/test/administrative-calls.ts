import { AUDIT_COLUMNS, type AuditRecord } from '../src/areas/audit/audit.ts'
import { type Db, sql } from '../src/platform/db/db.ts'
import type { Service, TestWorkspace } from './running-service.ts'

/** Secrets that the calls send, which no record may show. */
export const SECRETS = {
  mail: 'SG.mail-secret-1',
  webhookToken: 'token-secret-2',
  urlPath: 'path-secret-3',
  model: 'sk-model-secret-4',
  file: '- content of the file 5',
}

type Call = () => Promise<{ status: number; body: unknown }>

const WEBHOOKS = '/v2/workspace/advancedwebhook'

/**
 * A call of each operation of the API that administers, in an order in which all of them succeed. The workspace needs
 * the organization `acme` with the user `ada`, who has an address.
 */
export function administrativeCalls(service: Service, ws: TestWorkspace, url: string): Record<string, Call> {
  return { ...ofKeys(service, ws), ...ofSettings(ws, url), ...ofWebhooks(service, ws, url), ...ofData(service, ws) }
}

const dataOf = (answer: { body: unknown }) => (answer.body as { result: { data: Record<string, unknown> } }).result.data

function ofKeys(service: Service, ws: TestWorkspace): Record<string, Call> {
  const asWorkspace = (path: string, data: object) => service.call(path, data, ws.workspaceHeaders)
  let apiKey: unknown
  return {
    '/v2/workspace/create': () => service.call('/v2/workspace/create', { ownerEmail: 'audit@example.com' }),
    '/v2/workspace/apikey/create': async () => {
      const answer = await asWorkspace('/v2/workspace/apikey/create', { ownerEmail: 'a@example.com', type: 'testing' })
      apiKey = dataOf(answer).apiKey
      return answer
    },
    '/v2/workspace/apikey/update': () =>
      asWorkspace('/v2/workspace/apikey/update', { apiKey, apiKeyName: 'Renamed', disabled: true }),
    '/v2/workspace/authtokens/get': () => asWorkspace('/v2/workspace/authtokens/get', { apiKey: ws.apiKey }),
    '/v2/workspace/authtoken/reset': () => asWorkspace('/v2/workspace/authtoken/reset', { apiKey }),
    '/v2/workspace/apikey/delete': () => asWorkspace('/v2/workspace/apikey/delete', { apiKey }),
    '/v2/workspace/audit/export': () => asWorkspace('/v2/workspace/audit/export', { format: 'csv' }),
  }
}

const ofSettings = ({ call }: TestWorkspace, url: string): Record<string, Call> => ({
  '/v2/workspace/apikeyconfig/update': () =>
    call('/v2/workspace/apikeyconfig/update', {
      advancedQueries: false,
      aiModelApiKey: [{ provider: 'openai', customerApiKey: SECRETS.model }],
    }),
  '/v2/workspace/domains/add': () => call('/v2/workspace/domains/add', { domains: ['a.example.com', 'b.example.com'] }),
  '/v2/workspace/domains/delete': () => call('/v2/workspace/domains/delete', { domains: ['a.example.com'] }),
  '/v2/workspace/emails/test': () => call('/v2/workspace/emails/test', { organizationId: 'acme', userId: 'ada' }),
  '/v2/workspace/emailconfig/update': () =>
    call('/v2/workspace/emailconfig/update', {
      useEmailService: true,
      emailServiceConfig: { apiKey: SECRETS.mail, fromEmail: 'from@example.com' },
    }),
  '/v2/workspace/webhookconfig/update': () =>
    call('/v2/workspace/webhookconfig/update', {
      useWebhookService: true,
      webhookServiceConfig: { authToken: SECRETS.webhookToken, rawNotificationUrl: url },
    }),
  '/v2/workspace/activityconfig/update': () =>
    call('/v2/workspace/activityconfig/update', { activityServiceConfig: { isEnabled: true } }),
  '/v2/workspace/notificationconfig/update': () =>
    call('/v2/workspace/notificationconfig/update', { useNotificationService: true }),
  '/v2/workspace/permissionproviderconfig/update': () =>
    call('/v2/workspace/permissionproviderconfig/update', { permissionProviderConfig: {} }),
  '/v2/workspace/advancedwebhookconfig/update': () =>
    call('/v2/workspace/advancedwebhookconfig/update', { isEnabled: true }),
  '/v2/memory/alerts/config/update': () =>
    call('/v2/memory/alerts/config/update', { config: { enabled: true, severityThreshold: 'high' } }),
})

function ofWebhooks(service: Service, { call, ok }: TestWorkspace, url: string): Record<string, Call> {
  let [endpointId, deliveryId]: unknown[] = []
  return {
    [`${WEBHOOKS}/endpoints/create`]: async () => {
      const answer = await call(`${WEBHOOKS}/endpoints/create`, { url })
      endpointId = dataOf(answer).id
      return answer
    },
    [`${WEBHOOKS}/endpoints/update`]: () =>
      call(`${WEBHOOKS}/endpoints/update`, { endpointId, description: 'changed' }),
    [`${WEBHOOKS}/endpoints/secret/get`]: () => call(`${WEBHOOKS}/endpoints/secret/get`, { endpointId }),
    [`${WEBHOOKS}/endpoints/secret/rotate`]: () => call(`${WEBHOOKS}/endpoints/secret/rotate`, { endpointId }),
    [`${WEBHOOKS}/endpoints/test`]: async () => {
      const answer = await call(`${WEBHOOKS}/endpoints/test`, { endpointId, eventType: 'comment.add' })
      await service.drainJobs()
      const [delivery] = (await ok('/v2/workspace/advancedwebhook/deliveries/list', {})).data
      deliveryId = delivery?.id
      return answer
    },
    [`${WEBHOOKS}/deliveries/resend`]: () => call(`${WEBHOOKS}/deliveries/resend`, { deliveryId }),
    [`${WEBHOOKS}/deliveries/replay`]: () =>
      call(`${WEBHOOKS}/deliveries/replay`, {
        endpointId,
        dateRange: { start: Date.now() - 3_600_000, end: Date.now() },
      }),
    [`${WEBHOOKS}/endpoints/delete`]: () => call(`${WEBHOOKS}/endpoints/delete`, { endpointId }),
  }
}

function ofData(service: Service, ws: TestWorkspace): Record<string, Call> {
  const inAcme = { organizationId: 'acme' }
  const { 'x-service-auth-token': authToken } = ws.keyHeaders
  const file = { mimeType: 'text/plain', fileName: 'rules.txt' }
  const base64 = Buffer.from(SECRETS.file).toString('base64')
  let sourceId: string | undefined
  const calls: Record<string, object> = {
    '/v2/organizations/access/disablestate/update': { organizationIds: ['acme'], disabled: false },
    '/v2/organizations/documents/access/disablestate/update': { ...inAcme, documentIds: ['d'], disabled: false },
    '/v2/organizations/documents/access/update': { ...inAcme, documentIds: ['d'], accessType: 'restricted' },
    '/v2/organizations/folders/access/update': { ...inAcme, folderIds: ['f'], accessType: 'restricted' },
    '/v2/organizations/documents/migrate': { ...inAcme, documentId: 'd', newDocumentId: 'renamed' },
    '/v1/organizations/documents/locations/data/delete': {
      ...inAcme,
      apiKey: ws.apiKey,
      authToken,
      documentId: 'e',
      location: { id: 'l' },
    },
    '/v2/organizations/documents/delete': { ...inAcme, documentIds: ['e'] },
    '/v2/organizations/folders/delete': { ...inAcme, folderId: 'f' },
    '/v2/organizations/usergroups/delete': { ...inAcme, organizationUserGroupIds: ['g'] },
    '/v2/activities/export': { ...inAcme, format: 'csv' },
    '/v2/activities/delete': { ...inAcme, activityIds: ['a'] },
    '/v2/memory/judgments/export': inAcme,
    '/v2/memory/judgments/delete': { recordIds: ['j'] },
    '/v2/users/data/get': { ...inAcme, userId: 'ada' },
    '/v2/users/data/delete': { organizationIds: ['acme'], userIds: ['ada'] },
    '/v2/users/delete': { ...inAcme, userIds: ['ada'] },
    '/v2/organizations/delete': { organizationIds: ['acme'] },
  }
  return {
    '/v2/memory/knowledge/ingest': async () => {
      const data = { source: 'inline', file: { ...file, base64, fileSize: SECRETS.file.length } }
      const answer = await ws.call('/v2/memory/knowledge/ingest', data)
      ;({ sourceId } = (answer.body as { result: { sourceId: string } }).result)
      await service.drainJobs()
      return answer
    },
    '/v2/memory/knowledge/update': () => ws.call('/v2/memory/knowledge/update', { sourceId, newContent: '- A rule.' }),
    '/v2/memory/knowledge/delete': () => ws.call('/v2/memory/knowledge/delete', { sourceId }),
    ...Object.fromEntries(Object.entries(calls).map(([path, data]) => [path, () => ws.call(path, data)])),
  }
}

interface Wanted {
  workspaceId?: string | null
  actor?: string | null
  /** Only records that were written after that of this number. */
  after?: number
}

/** The stored audit records of a workspace or of an actor, or all, the newest first. */
export const auditRecords = (
  db: Db,
  { workspaceId = null, actor = null, after = 0 }: Wanted = {},
): Promise<AuditRecord[]> =>
  db.query<AuditRecord>(sql`
    select ${AUDIT_COLUMNS}
    from audit_record
    where (${workspaceId}::text is null or workspace_id = ${workspaceId})
      and (${actor}::text is null or actor = ${actor}) and seq > ${after}::bigint
    order by seq desc`)
