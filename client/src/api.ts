// Generated from the operations by `npm run generate`. Do not edit.
import type { CallOptions } from './call-options.ts'
import type { GroupingOperation, PagedOperation } from './pages.ts'

/** The status of an error that the service returns. */
export type ErrorStatus = 'INVALID_ARGUMENT' | 'FAILED_PRECONDITION' | 'UNAUTHENTICATED' | 'PERMISSION_DENIED' | 'NOT_FOUND' | 'ALREADY_EXISTS' | 'ABORTED' | 'RESOURCE_EXHAUSTED' | 'INTERNAL' | 'UNAVAILABLE' | 'DEADLINE_EXCEEDED'

/** The type of an event that an advanced webhook endpoint can receive. */
export type EventType =
  | 'comment_annotation.add'
  | 'comment_annotation.assign'
  | 'comment_annotation.status_change'
  | 'comment_annotation.priority_change'
  | 'comment_annotation.custom_list_change'
  | 'comment_annotation.subscribe'
  | 'comment_annotation.unsubscribe'
  | 'comment_annotation.accept'
  | 'comment_annotation.reject'
  | 'comment_annotation.approve'
  | 'comment_annotation.suggestion_accept'
  | 'comment_annotation.suggestion_reject'
  | 'comment.add'
  | 'comment.update'
  | 'comment.delete'
  | 'comment.reaction_add'
  | 'comment.reaction_delete'
  | 'huddle.create'
  | 'huddle.join'
  | 'crdt.update_data'
  | 'recorder.done'
  | 'execution.dispatched'
  | 'execution.completed'
  | 'execution.failed'
  | 'execution.cancelled'
  | 'step.awaiting-approval'
  | 'step.completed'
  | 'step.failed'
  | 'step.breached'
  | 'step.cancelled'
  | 'group.quorum-met'
  | 'loop.iteration-started'
  | 'loop.exhausted'
  | 'endpoint.disabled'
  | 'message.attempt.exhausted'

/** Every operation by area and name: what the client must know to call it. */
export const OPERATIONS = {
  workspaces: {
    addDomains: { path: '/v2/workspace/domains/add', auth: 'apiKey', access: 'write' },
    createApiKey: { path: '/v2/workspace/apikey/create', auth: 'workspace', access: 'write' },
    createWorkspace: { path: '/v2/workspace/create', auth: 'none', access: 'write' },
    deleteApiKey: { path: '/v2/workspace/apikey/delete', auth: 'workspace', access: 'write', reachesAll: true },
    deleteDomains: { path: '/v2/workspace/domains/delete', auth: 'apiKey', access: 'write', reachesAll: true },
    getApiKeyConfig: { path: '/v2/workspace/apikeyconfig/get', auth: 'apiKey', access: 'read' },
    getApiKeys: { path: '/v2/workspace/apikeys/get', auth: 'workspace', access: 'read', page: 'nextPageToken' },
    getAuthTokens: { path: '/v2/workspace/authtokens/get', auth: 'workspace', access: 'read' },
    getDomains: { path: '/v2/workspace/domains/get', auth: 'apiKey', access: 'read' },
    getWorkspace: { path: '/v2/workspace/get', auth: 'workspace', access: 'read' },
    listRequests: { path: '/v2/workspace/requests/list', auth: 'apiKey', access: 'read', page: 'pageToken' },
    resetAuthToken: { path: '/v2/workspace/authtoken/reset', auth: 'workspace', access: 'write' },
    updateApiKey: { path: '/v2/workspace/apikey/update', auth: 'workspace', access: 'write' },
    updateApiKeyConfig: { path: '/v2/workspace/apikeyconfig/update', auth: 'apiKey', access: 'write' },
  },
  organizations: {
    addOrganizations: { path: '/v2/organizations/add', auth: 'apiKey', access: 'write' },
    deleteOrganizations: { path: '/v2/organizations/delete', auth: 'apiKey', access: 'write', reachesAll: true },
    getOrganizationDeletions: { path: '/v2/organizations/delete/status', auth: 'apiKey', access: 'read' },
    getOrganizations: { path: '/v2/organizations/get', auth: 'apiKey', access: 'read', page: 'nextPageToken' },
    searchOrganizations: { path: '/v2/organizations/search', auth: 'apiKey', access: 'read', page: 'nextPageToken' },
    updateOrganizations: { path: '/v2/organizations/update', auth: 'apiKey', access: 'write' },
    updateOrganizationsDisableState: { path: '/v2/organizations/access/disablestate/update', auth: 'apiKey', access: 'write' },
  },
  folders: {
    addFolders: { path: '/v2/organizations/folders/add', auth: 'apiKey', access: 'write' },
    deleteFolder: { path: '/v2/organizations/folders/delete', auth: 'apiKey', access: 'write', reachesAll: true },
    getFolders: { path: '/v2/organizations/folders/get', auth: 'apiKey', access: 'read', page: 'pageToken' },
    updateFolders: { path: '/v2/organizations/folders/update', auth: 'apiKey', access: 'write' },
    updateFoldersAccess: { path: '/v2/organizations/folders/access/update', auth: 'apiKey', access: 'write' },
  },
  documents: {
    addDocuments: { path: '/v2/organizations/documents/add', auth: 'apiKey', access: 'write' },
    countDocuments: { path: '/v2/organizations/documents/count', auth: 'apiKey', access: 'read' },
    deleteDocuments: { path: '/v2/organizations/documents/delete', auth: 'apiKey', access: 'write', reachesAll: true },
    getDocuments: { path: '/v2/organizations/documents/get', auth: 'apiKey', access: 'read', page: 'pageToken' },
    getDocumentsV1: { path: '/v1/organizations/documents/get', auth: 'apiKey', access: 'read' },
    getMigrationStatus: { path: '/v2/organizations/documents/migrate/status', auth: 'apiKey', access: 'read' },
    migrateDocument: { path: '/v2/organizations/documents/migrate', auth: 'apiKey', access: 'write' },
    moveDocuments: { path: '/v2/organizations/documents/move', auth: 'apiKey', access: 'write' },
    updateDocuments: { path: '/v2/organizations/documents/update', auth: 'apiKey', access: 'write' },
    updateDocumentsAccess: { path: '/v2/organizations/documents/access/update', auth: 'apiKey', access: 'write' },
    updateDocumentsDisableState: { path: '/v2/organizations/documents/access/disablestate/update', auth: 'apiKey', access: 'write' },
  },
  permissions: {
    addPermissions: { path: '/v2/auth/permissions/add', auth: 'apiKey', access: 'write' },
    checkPermissions: { path: '/v2/auth/permissions/check', auth: 'apiKey', access: 'read' },
    generateSignature: { path: '/v2/auth/generate_signature', auth: 'apiKey', access: 'read' },
    generateToken: { path: '/v2/auth/generate_token', auth: 'apiKey', access: 'write' },
    getAuthToken: { path: '/v2/auth/token/get', auth: 'none', access: 'write' },
    getPermissionProviderConfig: { path: '/v2/workspace/permissionproviderconfig/get', auth: 'apiKey', access: 'read' },
    getPermissions: { path: '/v2/auth/permissions/get', auth: 'apiKey', access: 'read' },
    removePermissions: { path: '/v2/auth/permissions/remove', auth: 'apiKey', access: 'write' },
    updatePermissionProviderConfig: { path: '/v2/workspace/permissionproviderconfig/update', auth: 'apiKey', access: 'write' },
  },
  users: {
    addUsers: { path: '/v2/users/add', auth: 'apiKey', access: 'write' },
    addUsersV1: { path: '/v1/users/add', auth: 'apiKey', access: 'write' },
    countUsers: { path: '/v2/users/count', auth: 'apiKey', access: 'read' },
    deleteUsers: { path: '/v2/users/delete', auth: 'apiKey', access: 'write', reachesAll: true },
    getUsers: { path: '/v2/users/get', auth: 'apiKey', access: 'read', page: 'nextPageToken' },
    searchUsers: { path: '/v2/users/search', auth: 'apiKey', access: 'read', page: 'nextPageToken' },
    updateUsers: { path: '/v2/users/update', auth: 'apiKey', access: 'write' },
    updateUsersV1: { path: '/v1/users/update', auth: 'apiKey', access: 'write' },
  },
  userGroups: {
    addGroupUsers: { path: '/v2/organizations/usergroups/users/add', auth: 'apiKey', access: 'write' },
    addUserGroups: { path: '/v2/organizations/usergroups/add', auth: 'apiKey', access: 'write' },
    deleteGroupUsers: { path: '/v2/organizations/usergroups/users/delete', auth: 'apiKey', access: 'write', reachesAll: true },
    deleteUserGroups: { path: '/v2/organizations/usergroups/delete', auth: 'apiKey', access: 'write', reachesAll: true },
    getUserGroups: { path: '/v2/organizations/usergroups/get', auth: 'apiKey', access: 'read', page: 'nextPageToken' },
    updateUserGroups: { path: '/v2/organizations/usergroups/update', auth: 'apiKey', access: 'write' },
  },
  locations: {
    deleteLocationData: { path: '/v1/organizations/documents/locations/data/delete', auth: 'apiKey', access: 'write', reachesAll: true },
    updateLocation: { path: '/v1/organizations/documents/locations/update', auth: 'apiKey', access: 'write' },
  },
  comments: {
    addCommentAnnotations: { path: '/v2/commentannotations/add', auth: 'apiKey', access: 'write' },
    addComments: { path: '/v2/commentannotations/comments/add', auth: 'apiKey', access: 'write' },
    countCommentAnnotations: { path: '/v2/commentannotations/count/get', auth: 'apiKey', access: 'read' },
    deleteCommentAnnotations: { path: '/v2/commentannotations/delete', auth: 'apiKey', access: 'write', reachesAll: true },
    deleteComments: { path: '/v2/commentannotations/comments/delete', auth: 'apiKey', access: 'write', reachesAll: true },
    getCommentAnnotations: { path: '/v2/commentannotations/get', auth: 'apiKey', access: 'read', page: 'nextPageToken' },
    getComments: { path: '/v2/commentannotations/comments/get', auth: 'apiKey', access: 'read', page: 'nextPageToken' },
    updateCommentAnnotations: { path: '/v2/commentannotations/update', auth: 'apiKey', access: 'write', reachesAll: true },
    updateComments: { path: '/v2/commentannotations/comments/update', auth: 'apiKey', access: 'write' },
  },
  reactions: {
    addReactions: { path: '/v2/reactions/add', auth: 'apiKey', access: 'write' },
    deleteReactions: { path: '/v2/reactions/delete', auth: 'apiKey', access: 'write', reachesAll: true },
    getReactions: { path: '/v2/reactions/get', auth: 'apiKey', access: 'read', page: 'pageToken' },
  },
  recordings: {
    addRecordings: { path: '/v2/recordings/add', auth: 'apiKey', access: 'write' },
    deleteRecordings: { path: '/v2/recordings/delete', auth: 'apiKey', access: 'write', reachesAll: true },
    getRecordings: { path: '/v2/recordings/get', auth: 'apiKey', access: 'read', page: 'pageToken' },
    updateRecordings: { path: '/v2/recordings/update', auth: 'apiKey', access: 'write' },
  },
  activities: {
    addActivities: { path: '/v2/activities/add', auth: 'apiKey', access: 'write' },
    deleteActivities: { path: '/v2/activities/delete', auth: 'apiKey', access: 'write', reachesAll: true },
    exportActivities: { path: '/v2/activities/export', auth: 'apiKey', access: 'read', stream: true },
    getActivities: { path: '/v2/activities/get', auth: 'apiKey', access: 'read', page: 'pageToken' },
    getActivityConfig: { path: '/v2/workspace/activityconfig/get', auth: 'apiKey', access: 'read' },
    updateActivities: { path: '/v2/activities/update', auth: 'apiKey', access: 'write' },
    updateActivityConfig: { path: '/v2/workspace/activityconfig/update', auth: 'apiKey', access: 'write' },
    verifyActivities: { path: '/v2/activities/verify', auth: 'apiKey', access: 'read' },
  },
  notifications: {
    addNotifications: { path: '/v2/notifications/add', auth: 'apiKey', access: 'write' },
    countNotifications: { path: '/v2/notifications/count/get', auth: 'apiKey', access: 'read' },
    deleteNotifications: { path: '/v2/notifications/delete', auth: 'apiKey', access: 'write', reachesAll: true },
    getNotificationConfig: { path: '/v2/workspace/notificationconfig/get', auth: 'apiKey', access: 'read' },
    getNotifications: { path: '/v2/notifications/get', auth: 'apiKey', access: 'read', page: 'pageToken' },
    getUserNotificationConfig: { path: '/v2/notifications/config/get', auth: 'apiKey', access: 'read' },
    setUserNotificationConfig: { path: '/v2/notifications/config/set', auth: 'apiKey', access: 'write' },
    updateNotificationConfig: { path: '/v2/workspace/notificationconfig/update', auth: 'apiKey', access: 'write' },
    updateNotifications: { path: '/v2/notifications/update', auth: 'apiKey', access: 'write' },
  },
  email: {
    getEmailConfig: { path: '/v2/workspace/emailconfig/get', auth: 'apiKey', access: 'read' },
    listEmails: { path: '/v2/workspace/emails/list', auth: 'apiKey', access: 'read', page: 'pageToken' },
    previewEmail: { path: '/v2/workspace/emails/preview', auth: 'apiKey', access: 'read' },
    sendTestEmail: { path: '/v2/workspace/emails/test', auth: 'apiKey', access: 'write' },
    updateEmailConfig: { path: '/v2/workspace/emailconfig/update', auth: 'apiKey', access: 'write' },
  },
  webhooks: {
    createEndpoint: { path: '/v2/workspace/advancedwebhook/endpoints/create', auth: 'apiKey', access: 'write' },
    deleteEndpoint: { path: '/v2/workspace/advancedwebhook/endpoints/delete', auth: 'apiKey', access: 'write', reachesAll: true },
    getAdvancedWebhookConfig: { path: '/v2/workspace/advancedwebhookconfig/get', auth: 'apiKey', access: 'read' },
    getDelivery: { path: '/v2/workspace/advancedwebhook/deliveries/get', auth: 'apiKey', access: 'read' },
    getEndpointSecret: { path: '/v2/workspace/advancedwebhook/endpoints/secret/get', auth: 'apiKey', access: 'read' },
    getEndpoints: { path: '/v2/workspace/advancedwebhook/endpoints/get', auth: 'apiKey', access: 'read', page: 'iterator' },
    getWebhookConfig: { path: '/v2/workspace/webhookconfig/get', auth: 'apiKey', access: 'read' },
    listDeliveries: { path: '/v2/workspace/advancedwebhook/deliveries/list', auth: 'apiKey', access: 'read', page: 'pageToken' },
    replayDeliveries: { path: '/v2/workspace/advancedwebhook/deliveries/replay', auth: 'apiKey', access: 'write' },
    resendDelivery: { path: '/v2/workspace/advancedwebhook/deliveries/resend', auth: 'apiKey', access: 'write' },
    rotateEndpointSecret: { path: '/v2/workspace/advancedwebhook/endpoints/secret/rotate', auth: 'apiKey', access: 'write' },
    testEndpoint: { path: '/v2/workspace/advancedwebhook/endpoints/test', auth: 'apiKey', access: 'write' },
    updateAdvancedWebhookConfig: { path: '/v2/workspace/advancedwebhookconfig/update', auth: 'apiKey', access: 'write' },
    updateEndpoint: { path: '/v2/workspace/advancedwebhook/endpoints/update', auth: 'apiKey', access: 'write' },
    updateWebhookConfig: { path: '/v2/workspace/webhookconfig/update', auth: 'apiKey', access: 'write' },
  },
  memory: {
    addJudgments: { path: '/v2/memory/judgments/add', auth: 'apiKey', access: 'write' },
    deleteJudgments: { path: '/v2/memory/judgments/delete', auth: 'apiKey', access: 'write', reachesAll: true },
    evaluateMemory: { path: '/v2/memory/evaluate', auth: 'apiKey', access: 'write' },
    exportJudgments: { path: '/v2/memory/judgments/export', auth: 'apiKey', access: 'read', stream: true },
    getEvaluations: { path: '/v2/memory/evaluations/get', auth: 'apiKey', access: 'read' },
    getMemoryStats: { path: '/v2/memory/stats/get', auth: 'apiKey', access: 'read' },
    queryJudgments: { path: '/v2/memory/judgments/query', auth: 'apiKey', access: 'read' },
    searchJudgments: { path: '/v2/memory/search', auth: 'apiKey', access: 'read' },
    suggestDecision: { path: '/v2/memory/suggest', auth: 'apiKey', access: 'read' },
  },
  insights: {
    askMemory: { path: '/v2/memory/ask', auth: 'apiKey', access: 'read' },
    dismissAlert: { path: '/v2/memory/alerts/dismiss', auth: 'apiKey', access: 'write' },
    getAlertConfig: { path: '/v2/memory/alerts/config/get', auth: 'apiKey', access: 'read' },
    getPatterns: { path: '/v2/memory/patterns/get', auth: 'apiKey', access: 'read' },
    getProfile: { path: '/v2/memory/profiles/get', auth: 'apiKey', access: 'read' },
    listAlerts: { path: '/v2/memory/alerts/list', auth: 'apiKey', access: 'read' },
    markAlertDone: { path: '/v2/memory/alerts/action', auth: 'apiKey', access: 'write' },
    updateAlertConfig: { path: '/v2/memory/alerts/config/update', auth: 'apiKey', access: 'write' },
  },
  knowledge: {
    createKnowledgeUpload: { path: '/v2/memory/knowledge/upload-url', auth: 'apiKey', access: 'write' },
    deleteKnowledge: { path: '/v2/memory/knowledge/delete', auth: 'apiKey', access: 'write', reachesAll: true },
    downloadKnowledge: { path: '/v2/memory/knowledge/download', auth: 'apiKey', access: 'read' },
    getKnowledgeStatus: { path: '/v2/memory/knowledge/ingest-status', auth: 'apiKey', access: 'read' },
    ingestKnowledge: { path: '/v2/memory/knowledge/ingest', auth: 'apiKey', access: 'write' },
    listKnowledge: { path: '/v2/memory/knowledge/list', auth: 'apiKey', access: 'read' },
    listKnowledgeRules: { path: '/v2/memory/knowledge/rules', auth: 'apiKey', access: 'read' },
    searchKnowledgeSources: { path: '/v2/memory/knowledge/search', auth: 'apiKey', access: 'read' },
    updateKnowledge: { path: '/v2/memory/knowledge/update', auth: 'apiKey', access: 'write' },
  },
  userData: {
    deleteUserData: { path: '/v2/users/data/delete', auth: 'apiKey', access: 'write', reachesAll: true },
    getUserData: { path: '/v2/users/data/get', auth: 'apiKey', access: 'read', page: 'nextPageToken' },
    getUserDataDeletionStatus: { path: '/v2/users/data/delete/status', auth: 'apiKey', access: 'read' },
  },
  audit: {
    exportAudit: { path: '/v2/workspace/audit/export', auth: 'workspace', access: 'read', stream: true },
    getAuditRecords: { path: '/v2/workspace/audit/get', auth: 'workspace', access: 'read', page: 'nextPageToken' },
    verifyAudit: { path: '/v2/workspace/audit/verify', auth: 'workspace', access: 'read' },
  },
} as const

/**
 * The typed operations, area by area. Each resolves with the `result` of the response. It rejects with a
 * PrecedentError if the service refuses the call, and with a ConnectionError if no response arrives.
 */
export interface Api {
  workspaces: {
    /**
     * Add allowed domains. POST /v2/workspace/domains/add
     *
     * @example
     * await client.workspaces.addDomains({ domains: ['app.example.com'] })
     */
    addDomains(data: {
      /** Hosts whose pages may call; protocol and `www.` are stripped, `*.host` covers every subdomain. */
      domains: Array<string>
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      data: {
        domainsAdded: Array<string>
        /** Domains that were listed already. */
        skippedDomains: Array<string>
        /** One result per domain, as it is listed. */
        results: Record<string, {
          success: boolean
          message: string
        }>
      }
    }>
    /**
     * Create an API key. POST /v2/workspace/apikey/create
     *
     * `/v2/workspace/authtokens/get` returns its auth token.
     *
     * @example
     * await client.workspaces.createApiKey({
     *   ownerEmail: 'ada@example.com',
     *   type: 'testing',
     *   apiKeyName: 'Staging',
     *   createAuthToken: true,
     * })
     */
    createApiKey(data: {
      /** Address of whom the key is for. */
      ownerEmail: string
      /** The kind of key. */
      type: "testing" | "production"
      /** Default: made from the local part of `ownerEmail`. */
      apiKeyName?: string | undefined
      /** Whether the key gets its auth token at once; default true. */
      createAuthToken?: boolean | undefined
      /** Hosts whose pages may call; protocol and `www.` are stripped, `*.host` covers every subdomain. */
      allowedDomains?: Array<string> | undefined
      /** Adds `localhost` and `127.0.0.1` to the allowed domains. */
      addLocalHostToAllowedDomains?: boolean | undefined
      /** See the options of the key. */
      requireAutoOrgUser?: boolean | undefined
      /** See the options of the key. */
      enablePrivateComments?: boolean | undefined
      /** Switches emails on. */
      useEmailService?: boolean | undefined
      /** Stores the standard email triggers even while emails are off. */
      setDefaultEmailTriggers?: boolean | undefined
      emailServiceConfig?: {
        /** Who sends: the operator's SMTP server, SendGrid, or SendGrid with templates of your own. */
        type?: "default" | "sendgrid" | "custom" | undefined
        /** The key of the mail provider. */
        apiKey?: string | undefined
        /** The sender. */
        fromEmail?: "" | string | undefined
        /** The name beside the sender. */
        fromCompany?: string | undefined
        /** The provider's template for comments. */
        commentTemplateId?: string | undefined
        /** The provider's template for mentions. */
        tagTemplateId?: string | undefined
        /** Switches by event type (or short name), flat or under one level of groups; a flat key beats a grouped one. */
        triggers?: Record<string, boolean | Record<string, boolean>> | undefined
      } | undefined
      /** Switches notifications on. */
      useNotificationService?: boolean | undefined
      /** Stores the standard notification triggers even while notifications are off. */
      setDefaultNotificationTriggers?: boolean | undefined
      /** Switches basic webhooks on. */
      useWebhookService?: boolean | undefined
      webhookServiceConfig?: {
        /** Sent with each request as `Authorization: Basic <authToken>`: visible ASCII characters and spaces. */
        authToken?: string | undefined
        /** Receives every event as it is. */
        rawNotificationUrl?: "" | string | undefined
        /** Receives every event prepared for display. */
        processedNotificationUrl?: "" | string | undefined
      } | undefined
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      data: {
        apiKey: string
      }
    }>
    /**
     * Create a workspace. POST /v2/workspace/create
     *
     * Where the server's `WORKSPACE_CREATE` is `token`, send the operator's token as `Authorization: Bearer`.
     *
     * @example
     * await client.workspaces.createWorkspace({ ownerEmail: 'ada@example.com', name: 'Ada', workspaceName: 'Acme' })
     */
    createWorkspace(data: {
      /** Address of the owner. Disposable domains are refused. */
      ownerEmail: string
      /** The owner's name; default: the address. */
      name?: string | undefined
      /** Default: the name (or address) followed by `workspace`. */
      workspaceName?: string | undefined
      /** Picture of the owner, returned as `owner.avatar`; at most 2000 characters. */
      avatar?: string | undefined
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      data: {
        /** Workspace id. */
        id: string
        /** Name of the workspace. */
        name: string
        owner: {
          email: string
          id: string
          name: string
          /** URL of a picture; empty when none was given. */
          avatar: string
        }
        /** Auth token of the workspace level. */
        authToken: string
        /** API keys by their id. */
        apiKeyList: Record<string, {
          apiKeyName: string
          id: string
          type: string
          /** True while the key is disabled; otherwise absent. */
          disabled?: boolean
        }>
      }
    }>
    /**
     * Delete an API key with all its data. POST /v2/workspace/apikey/delete
     *
     * The key must be disabled. It cannot be restored. Its data is removed in the background.
     *
     * @example
     * await client.workspaces.deleteApiKey({ apiKey: 'aBcDeFgHiJkLmNoPqRsT' })
     */
    deleteApiKey(data: {
      /** The API key. */
      apiKey: string
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      data: null
    }>
    /**
     * Delete allowed domains. POST /v2/workspace/domains/delete
     *
     * @example
     * await client.workspaces.deleteDomains({ domains: ['app.example.com'] })
     */
    deleteDomains(data: {
      /** Hosts whose pages may call; protocol and `www.` are stripped, `*.host` covers every subdomain. */
      domains: Array<string>
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      data: {
        domainsRemoved: Array<string>
        /** Domains that were not listed. */
        skippedDomains: Array<string>
        /** One result per domain, as it was listed. */
        results: Record<string, {
          success: boolean
          message: string
        }>
      }
    }>
    /**
     * Get the options of the API key. POST /v2/workspace/apikeyconfig/get
     *
     * @example
     * await client.workspaces.getApiKeyConfig()
     */
    getApiKeyConfig(data?: Record<string, unknown>, options?: CallOptions): Promise<{
      status: "success"
      message: string
      data: {
        ownerEmail: string
        planInfo: {
          /** `sdk test` or `sdk production`, by the type of the key. */
          type: string
        }
        /** Whether folders can be queried. */
        advancedQueries: boolean
        /** The access type that new documents and folders at the top level get where none is sent. */
        defaultDocumentAccessType: "public" | "restricted" | "organizationPrivate"
        /** Whether comments may be private. */
        isPrivateCommentsEnabled: boolean
        /** Whether browser clients must sign in with a JWT. */
        requireJwtToken: boolean
        /** Whether browser clients add users to the organization by themselves. */
        requireAutoOrgUser: boolean
        /** The keys for providers of AI models that are set. */
        aiModelsConfig?: Record<string, {
          /** The last four characters of the key behind dots. */
          displayText: string
        }>
      }
    }>
    /**
     * Get the API keys. POST /v2/workspace/apikeys/get
     *
     * @example
     * await client.workspaces.getApiKeys({ pageSize: 20 })
     */
    getApiKeys: PagedOperation<[data?: {
      /** Omitted: all. */
      apiKeys?: Array<string> | undefined
      /** How many API keys a page has at most. Default: 100. */
      pageSize?: number | undefined
      /** The `nextPageToken` of the page before. */
      pageToken?: string | undefined
    }, options?: CallOptions], {
      status: "success"
      message: string
      data: Array<{
        id: string
        apiKeyName: string
        /** testing or production. */
        type: string
        /** True while the key is disabled; otherwise absent. */
        disabled?: boolean
      }>
      nextPageToken: string | null
    }>
    /**
     * Get the auth tokens of an API key. POST /v2/workspace/authtokens/get
     *
     * @example
     * await client.workspaces.getAuthTokens({ apiKey: 'aBcDeFgHiJkLmNoPqRsT' })
     */
    getAuthTokens(data: {
      /** The API key. */
      apiKey: string
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      data: {
        apiKey: string
        authTokens: Array<{
          token: string
          name: string
          /** Always empty: tokens are not bound to domains. */
          domains: Array<string>
        }>
      }
    }>
    /**
     * Get the allowed domains. POST /v2/workspace/domains/get
     *
     * @example
     * await client.workspaces.getDomains()
     */
    getDomains(data?: Record<string, unknown>, options?: CallOptions): Promise<{
      status: "success"
      message: string
      data: {
        allowedDomains: Array<string>
      }
    }>
    /**
     * Get the workspace. POST /v2/workspace/get
     *
     * @example
     * await client.workspaces.getWorkspace()
     */
    getWorkspace(data?: Record<string, unknown>, options?: CallOptions): Promise<{
      status: "success"
      message: string
      data: {
        /** Workspace id. */
        id: string
        /** Name of the workspace. */
        name: string
        owner: {
          email: string
          id: string
          name: string
          /** URL of a picture; empty when none was given. */
          avatar: string
        }
        /** Auth token of the workspace level. */
        authToken: string
        /** API keys by their id. */
        apiKeyList: Record<string, {
          apiKeyName: string
          id: string
          type: string
          /** True while the key is disabled; otherwise absent. */
          disabled?: boolean
        }>
      }
    }>
    /**
     * List the latest requests of an API key. POST /v2/workspace/requests/list
     *
     * A sample: of each process, every two seconds up to 10 requests that succeeded and 10 that failed. At most 500 of the last hour are kept, without bodies. They appear within about two seconds.
     *
     * @example
     * await client.workspaces.listRequests({ outcome: 'failed', pageSize: 20 })
     */
    listRequests: PagedOperation<[data?: {
      /** Only requests that ended so. */
      outcome?: "succeeded" | "failed" | undefined
      /** Only of this operation, by its path. */
      operation?: string | undefined
      /** Default: 100. */
      pageSize?: number | undefined
      /** From the previous page. */
      pageToken?: string | undefined
    }, options?: CallOptions], {
      status: "success"
      message: string
      data: Array<{
        /** When it was answered. Epoch milliseconds. */
        time: number
        /** Path of the operation. */
        operation: string
        /** HTTP status of the answer. */
        status: number
        /** From its arrival to the end of the answer. */
        durationMs: number
        /** The `x-request-id` of the answer. */
        requestId: string
        /** Error status; null after a success. */
        errorStatus: string | null
        /** Error message, which names the first bad field; null after a success. */
        message: string | null
      }>
      pageToken: string | null
    }>
    /**
     * Reset the auth token of an API key or of the workspace. POST /v2/workspace/authtoken/reset
     *
     * @example
     * await client.workspaces.resetAuthToken({ apiKey: 'aBcDeFgHiJkLmNoPqRsT' })
     */
    resetAuthToken(data?: {
      /** The API key whose token is reset. */
      apiKey?: string | undefined
      /** Resets the workspace's own token instead. */
      workspace?: true | undefined
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      data: {
        apiKey: string
        newAuthToken: {
          token: string
          name: string
          /** Always empty: tokens are not bound to domains. */
          domains: Array<string>
        }
      } | {
        workspaceId: string
        newAuthToken: {
          token: string
        }
      }
    }>
    /**
     * Rename, disable or enable an API key. POST /v2/workspace/apikey/update
     *
     * @example
     * await client.workspaces.updateApiKey({ apiKey: 'aBcDeFgHiJkLmNoPqRsT', disabled: true })
     */
    updateApiKey(data: {
      /** The API key. */
      apiKey: string
      /** Its new name. */
      apiKeyName?: string | undefined
      /** True: calls with the key are PERMISSION_DENIED; false: they work again. */
      disabled?: boolean | undefined
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      data: null
    }>
    /**
     * Update the options of the API key. POST /v2/workspace/apikeyconfig/update
     *
     * @example
     * await client.workspaces.updateApiKeyConfig({ enablePrivateComments: true })
     */
    updateApiKeyConfig(data?: {
      /** Whether comments may be private. */
      enablePrivateComments?: boolean | undefined
      /** Whether folders can be queried. */
      advancedQueries?: boolean | undefined
      /** The access type that new documents and folders at the top level get where none is sent. */
      defaultDocumentAccessType?: "public" | "restricted" | "organizationPrivate" | undefined
      /** Whether browser clients must sign in with a JWT. */
      requireJwtToken?: boolean | undefined
      /** Whether browser clients add users to the organization by themselves. */
      requireAutoOrgUser?: boolean | undefined
      /** Keys of your own for AI models. */
      aiModelApiKey?: Array<{
        /** Whose models. The key for `openai` is sent to the embeddings service of the operator. */
        provider: "openai" | "anthropic" | "gemini"
        /** The key, which is kept encrypted and never shown again; empty: none any more. */
        customerApiKey: string
      }> | undefined
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      data: {
        /** Whether comments may be private. */
        enablePrivateComments?: boolean
        /** Whether folders can be queried. */
        advancedQueries?: boolean
        /** The access type that new documents and folders at the top level get where none is sent. */
        defaultDocumentAccessType?: "public" | "restricted" | "organizationPrivate"
        /** Whether browser clients must sign in with a JWT. */
        requireJwtToken?: boolean
        /** Whether browser clients add users to the organization by themselves. */
        requireAutoOrgUser?: boolean
        /** The keys for providers of AI models that are set. */
        aiModelsConfig?: Record<string, {
          /** The last four characters of the key behind dots. */
          displayText: string
        }>
      }
    }>
  }
  organizations: {
    /**
     * Add organizations. POST /v2/organizations/add
     *
     * @example
     * await client.organizations.addOrganizations({ organizations: [{ organizationId: 'acme', organizationName: 'Acme' }] })
     */
    addOrganizations(data: {
      /** Fields of your own are kept and given back; at most 256 KiB of JSON. */
      organizations: Array<{
        /** Your id of the organization. */
        organizationId: string
        /** Its name. */
        organizationName?: string | undefined
        [key: string]: unknown
      }>
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      /** One result per organization id. */
      data: Record<string, {
        success: boolean
        message: string
        id?: string
      }>
    }>
    /**
     * Delete organizations. POST /v2/organizations/delete
     *
     * Nobody sees them afterwards, and their ids are free. The smallest ones are removed at once, with about 1,000 threads, or 10,000 of another record, in all. What is in others is removed after the answer; `/v2/organizations/delete/status` tells how far that is.
     *
     * @example
     * await client.organizations.deleteOrganizations({ organizationIds: ['acme'] })
     */
    deleteOrganizations(data: {
      /** Id of an organization. */
      organizationIds: Array<string>
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      /** One result per organization id. */
      data: Record<string, {
        success: boolean
        message: string
      }>
    }>
    /**
     * Get the progress of deletions of organizations. POST /v2/organizations/delete/status
     *
     * Lists deleted organizations, oldest first, that still hold records which nobody sees. One that is not listed is removed. An id that was deleted more than once may be listed as often. There are at most 100.
     *
     * @example
     * await client.organizations.getOrganizationDeletions({ organizationIds: ['acme'] })
     */
    getOrganizationDeletions(data?: {
      /** Default: all. */
      organizationIds?: Array<string> | undefined
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      data: Array<{
        organizationId: string
        /** Epoch milliseconds. Since then nobody sees the organization. */
        deletedAt: number
        /** How many threads it held. */
        threads: number
        /** How many of them are removed and announced to webhooks. */
        threadsRemoved: number
      }>
    }>
    /**
     * Get organizations. POST /v2/organizations/get
     *
     * @example
     * await client.organizations.getOrganizations({ organizationIds: ['example'] })
     */
    getOrganizations: PagedOperation<[data?: {
      /** Omitted: all. */
      organizationIds?: Array<string> | undefined
      /** Default: 1000. */
      pageSize?: number | undefined
      /** From the page before. */
      pageToken?: string | undefined
    }, options?: CallOptions], {
      status: "success"
      message: string
      /** Each with its custom metadata. */
      data: Array<{
        id: string
        organizationName: string
        disabled: boolean
        [key: string]: unknown
      }>
      nextPageToken: string | null
    }>
    /**
     * Search organizations by name. POST /v2/organizations/search
     *
     * `prefix` finds organizations whose name begins with the query (the id, where there is no name), then the one whose id it is. `contains` looks into name and id and reads at most 20,000 organizations a call: a page may be short or empty though `nextPageToken` says that there are others.
     *
     * @example
     * await client.organizations.searchOrganizations({ query: 'lark', match: 'prefix' })
     */
    searchOrganizations: PagedOperation<[data: {
      /** What to look for, in upper or lower case. */
      query: string
      /** Default: `prefix`. */
      match?: "prefix" | "contains" | undefined
      /** Default: 20. */
      pageSize?: number | undefined
      /** From the previous page. */
      pageToken?: string | undefined
    }, options?: CallOptions], {
      status: "success"
      message: string
      data: Array<{
        organizationId: string
        organizationName?: string
        disabled: boolean
      }>
      nextPageToken: string | null
    }>
    /**
     * Update organizations. POST /v2/organizations/update
     *
     * @example
     * await client.organizations.updateOrganizations({ organizations: [{ organizationId: 'acme', organizationName: 'Acme Limited' }] })
     */
    updateOrganizations(data: {
      /** What changes; afterwards at most 256 KiB of JSON. Null clears a field of your own. */
      organizations: Array<{
        /** Your id of the organization. */
        organizationId: string
        /** Its name; null clears it. */
        organizationName?: string | null | undefined
        [key: string]: unknown
      }>
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      /** One result per organization id. */
      data: Record<string, {
        success: boolean
        message: string
      }>
    }>
    /**
     * Disable or enable organizations. POST /v2/organizations/access/disablestate/update
     *
     * @example
     * await client.organizations.updateOrganizationsDisableState({ organizationIds: ['acme'], disabled: true })
     */
    updateOrganizationsDisableState(data: {
      /** Id of an organization. */
      organizationIds: Array<string>
      /** True: nobody reads or writes its documents. */
      disabled: boolean
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      /** One result per organization id. */
      data: Record<string, {
        success: boolean
        message: string
      }>
    }>
  }
  folders: {
    /**
     * Add folders. POST /v2/organizations/folders/add
     *
     * A folder inside another inherits its access type unless it is given one. One at the top level gets the `defaultDocumentAccessType` of the API key.
     *
     * @example
     * await client.folders.addFolders({
     *   organizationId: 'example',
     *   folders: [{ folderId: 'autumn', folderName: 'Autumn', parentFolderId: 'campaigns' }],
     * })
     */
    addFolders(data: {
      /** Id of the organization. */
      organizationId: string
      /** Create the organization if it does not exist. */
      createOrganization?: boolean | undefined
      /** Fields of your own are kept and given back; at most 256 KiB of JSON. */
      folders: Array<{
        /** Your id of the folder. */
        folderId: string
        /** Its name. */
        folderName?: string | undefined
        /** The folder that it is in; `root`: none. */
        parentFolderId?: string | undefined
        /** public: anyone; restricted: only those who were given access to it or to a folder above it; organizationPrivate: the users of the organization. */
        accessType?: "public" | "restricted" | "organizationPrivate" | undefined
        [key: string]: unknown
      }>
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      /** One result per folder id. */
      data: Record<string, {
        success: boolean
        message: string
        id?: string
      }>
    }>
    /**
     * Delete a folder. POST /v2/organizations/folders/delete
     *
     * @example
     * await client.folders.deleteFolder({ organizationId: 'example', folderId: 'autumn' })
     */
    deleteFolder(data: {
      /** Id of the organization. */
      organizationId: string
      /** Id of the folder. */
      folderId: string
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      data: null
    }>
    /**
     * Get folders. POST /v2/organizations/folders/get
     *
     * Without `folderId` all folders, flat; with it that folder, its `subFolders` nested to `maxDepth`.
     *
     * @example
     * await client.folders.getFolders({ organizationId: 'example', folderId: 'campaigns', maxDepth: 2 })
     */
    getFolders: PagedOperation<[data: {
      /** Id of the organization. */
      organizationId: string
      /** One folder. */
      folderId?: string | undefined
      /** Levels of `subFolders`; default 1. */
      maxDepth?: number | undefined
      /** Without `folderId`: top-level folders only. */
      rootFoldersOnly?: boolean | undefined
      /** Without `folderId`: only folders whose name or id contains this text, in upper or lower case, at any level. */
      searchKey?: string | undefined
      /** Default: all on one page. */
      pageSize?: number | undefined
      /** From the page before. */
      pageToken?: string | undefined
    }, options?: CallOptions], {
      status: "success"
      message: string
      data: Array<{
        folderId: string
        folderName: string
        organizationId: string
        /** `root` for a top-level folder. */
        parentFolderId: string
        apiKey: string
        /** Epoch milliseconds. */
        createdAt: number
        /** Epoch milliseconds. */
        lastUpdated: number
        /** Chain of parents, from `root` to the direct parent. */
        ancestors: Array<string>
        /** public: anyone; restricted: only those who were given access to it or to a folder above it; organizationPrivate: the users of the organization. */
        accessType: "public" | "restricted" | "organizationPrivate"
        inheritAccessFromParent: boolean
        /** Nested to the requested depth; absent where there are none. */
        subFolders?: Array<{
          folderId: string
          folderName: string
          organizationId: string
          /** `root` for a top-level folder. */
          parentFolderId: string
          apiKey: string
          /** Epoch milliseconds. */
          createdAt: number
          /** Epoch milliseconds. */
          lastUpdated: number
          /** Chain of parents, from `root` to the direct parent. */
          ancestors: Array<string>
          /** public: anyone; restricted: only those who were given access to it or to a folder above it; organizationPrivate: the users of the organization. */
          accessType: "public" | "restricted" | "organizationPrivate"
          inheritAccessFromParent: boolean
          [key: string]: unknown
        }>
        [key: string]: unknown
      }>
      pageToken: string | null
    }>
    /**
     * Update or move folders. POST /v2/organizations/folders/update
     *
     * A `parentFolderId` moves the folder with everything in it; a move into itself is refused. A folder that was never given an `accessType` inherits that of the folder it is moved into.
     *
     * @example
     * await client.folders.updateFolders({
     *   organizationId: 'example',
     *   folders: [{ folderId: 'autumn', folderName: 'Autumn campaign' }],
     * })
     */
    updateFolders(data: {
      /** Id of the organization. */
      organizationId: string
      /** What changes; afterwards at most 256 KiB of JSON. Null clears a field of your own. */
      folders: Array<{
        /** Your id of the folder. */
        folderId: string
        /** Its name; null clears it. */
        folderName?: string | null | undefined
        /** The folder that it is in; `root`: none. */
        parentFolderId?: string | undefined
        /** public: anyone; restricted: only those who were given access to it or to a folder above it; organizationPrivate: the users of the organization. */
        accessType?: "public" | "restricted" | "organizationPrivate" | undefined
        [key: string]: unknown
      }>
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      /** One result per folder id. */
      data: Record<string, {
        success: boolean
        message: string
      }>
    }>
    /**
     * Set the access type of folders. POST /v2/organizations/folders/access/update
     *
     * Setting `accessType` ends the inheritance. `inheritFromParent: true` takes the own access type away; a folder at the top level then has the `defaultDocumentAccessType` of the API key. `inheritFromParent: false` alone keeps the access type that the folder inherited as its own.
     *
     * @example
     * await client.folders.updateFoldersAccess({ organizationId: 'example', folderIds: ['autumn'], accessType: 'restricted' })
     */
    updateFoldersAccess(data: {
      /** Id of the organization. */
      organizationId: string
      /** Id of a folder. */
      folderIds: Array<string>
      /** public: anyone; restricted: only those who were given access to it or to a folder above it; organizationPrivate: the users of the organization. */
      accessType?: "public" | "restricted" | "organizationPrivate" | undefined
      /** When true, `accessType` does not matter; without it, `accessType` is required. */
      inheritFromParent?: boolean | undefined
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      /** One result per folder id. */
      data: Record<string, {
        success: boolean
        message: string
        /** public: anyone; restricted: only those who were given access to it or to a folder above it; organizationPrivate: the users of the organization. */
        accessType?: "public" | "restricted" | "organizationPrivate" | null
        inheritFromParent?: boolean
      }>
    }>
  }
  documents: {
    /**
     * Add documents. POST /v2/organizations/documents/add
     *
     * A document in a folder has the access type of the folder unless it is given one. One at the top level gets the `defaultDocumentAccessType` of the API key.
     *
     * @example
     * await client.documents.addDocuments({
     *   organizationId: 'example',
     *   folderId: 'website',
     *   documents: [{ documentId: 'landing-page', documentName: 'Landing page' }],
     * })
     */
    addDocuments(data: {
      /** Id of the organization. */
      organizationId: string
      /** Create the organization if it does not exist. */
      createOrganization?: boolean | undefined
      /** Fields of your own are kept and given back; at most 256 KiB of JSON. */
      documents: Array<{
        /** Your id of the document. */
        documentId: string
        /** Its name. */
        documentName?: string | undefined
        /** public: anyone; restricted: only those who were given access to it or to a folder above it; organizationPrivate: the users of the organization. */
        accessType?: "public" | "restricted" | "organizationPrivate" | undefined
        [key: string]: unknown
      }>
      /** The folder that they go into. */
      folderId?: string | undefined
      /** Create the folder if it does not exist. */
      createFolder?: boolean | undefined
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      /** One result per document id. */
      data: Record<string, {
        success: boolean
        message: string
        id?: string
      }>
    }>
    /**
     * Count documents. POST /v2/organizations/documents/count
     *
     * @example
     * await client.documents.countDocuments({ organizationId: 'example', folderId: 'website' })
     */
    countDocuments(data: {
      /** Id of the organization. */
      organizationId: string
      /** Only documents directly in this folder; `root`: in none. */
      folderId?: string | undefined
      /** True: only documents that are in no folder. Not together with `filters`. */
      excludeFolderDocs?: boolean | undefined
      /** All must hold. */
      filters?: Array<{
        /** A field of the custom metadata, `documentName` or `id`. */
        key: string
        /** `in`: `value` is a list. */
        operator: "==" | "in"
        /** What the field is, or a list of what it may be. */
        value: unknown
      }> | undefined
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      data: {
        count: number
        /** True where `filters` were given. */
        filtersApplied?: boolean
      }
    }>
    /**
     * Delete documents. POST /v2/organizations/documents/delete
     *
     * @example
     * await client.documents.deleteDocuments({ organizationId: 'example', documentIds: ['landing-page'] })
     */
    deleteDocuments(data: {
      /** Id of the organization. */
      organizationId: string
      /** Id of a document. */
      documentIds: Array<string>
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      /** One result per document id. */
      data: Record<string, {
        success: boolean
        message: string
      }>
    }>
    /**
     * Get documents. POST /v2/organizations/documents/get
     *
     * @example
     * await client.documents.getDocuments({ organizationId: 'example', folderId: 'website', pageSize: 20 })
     */
    getDocuments: PagedOperation<[data: {
      /** Id of the organization. */
      organizationId: string
      /** Omitted: all. */
      documentIds?: Array<string> | undefined
      /** Only documents directly in this folder; `root`: in none. */
      folderId?: string | undefined
      /** All must hold. */
      filters?: Array<{
        /** A field of the custom metadata, `documentName` or `id`. */
        key: string
        /** `in`: `value` is a list. */
        operator: "==" | "in"
        /** What the field is, or a list of what it may be. */
        value: unknown
      }> | undefined
      /** Only documents whose name or id contains this text, in upper or lower case. */
      searchKey?: string | undefined
      /** Default: 1000. */
      pageSize?: number | undefined
      /** From the page before. */
      pageToken?: string | undefined
    }, options?: CallOptions], {
      status: "success"
      message: string
      /** Each with its custom metadata. */
      data: Array<{
        id: string
        documentName: string
        disabled: boolean
        /** public: anyone; restricted: only those who were given access to it or to a folder above it; organizationPrivate: the users of the organization. */
        accessType: "public" | "restricted" | "organizationPrivate"
        /** The folder that it is in; absent at the top level. */
        folderId?: string
        [key: string]: unknown
      }>
      pageToken: string | null
    }>
    /**
     * Get documents (v1). POST /v1/organizations/documents/get
     *
     * @example
     * await client.documents.getDocumentsV1({ organizationId: 'example', documentIds: ['home-page', 'checkout'] })
     */
    getDocumentsV1(data: {
      /** Id of the organization. */
      organizationId: string
      /** Omitted: all. */
      documentIds?: Array<string> | undefined
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      /** Each with its custom metadata. */
      data: Array<{
        id: string
        documentName: string
        disabled: boolean
        /** public: anyone; restricted: only those who were given access to it or to a folder above it; organizationPrivate: the users of the organization. */
        accessType: "public" | "restricted" | "organizationPrivate"
        /** The folder that it is in; absent at the top level. */
        folderId?: string
        [key: string]: unknown
      }>
    }>
    /**
     * Get the status of a change of a document's id. POST /v2/organizations/documents/migrate/status
     *
     * @example
     * await client.documents.getMigrationStatus({ organizationId: 'example', migrationId: 'the migrationId of the migration' })
     */
    getMigrationStatus(data: {
      /** Id of the organization. */
      organizationId: string
      /** From the answer of documents/migrate. */
      migrationId: string
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      data: {
        migrationId: string
        /** pending: it has not begun; completed: everything is under the new id; failed: nothing has changed, as a document has taken the new id, or the old one is gone or has grown too large. */
        status: "pending" | "completed" | "failed"
      }
    }>
    /**
     * Change the id of a document. POST /v2/organizations/documents/migrate
     *
     * Everything in the document comes along in one step: readers see it under the old id or under the new one, never under both. Afterwards the old id names no document. `documents/migrate/status` says when it is done. Payloads of events from before keep the old id. A document with more than 100,000 records of one kind is refused.
     *
     * @example
     * await client.documents.migrateDocument({ organizationId: 'example', documentId: 'help-page', newDocumentId: 'help' })
     */
    migrateDocument(data: {
      /** Id of the organization. */
      organizationId: string
      /** Id of the document. */
      documentId: string
      /** Its new id, which names no document yet. */
      newDocumentId: string
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      data: {
        migrationId: string
      }
    }>
    /**
     * Move documents. POST /v2/organizations/documents/move
     *
     * A document without an access type of its own takes that of the new place. Where that is more open, the document keeps what it had as its own.
     *
     * @example
     * await client.documents.moveDocuments({ organizationId: 'example', documentIds: ['landing-page'], folderId: 'campaigns' })
     */
    moveDocuments(data: {
      /** Id of the organization. */
      organizationId: string
      /** Id of a document. */
      documentIds: Array<string>
      /** The folder that they go into; `root`: none. */
      folderId: string
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      /** One result per document id. */
      data: Record<string, {
        success: boolean
        message: string
      }>
    }>
    /**
     * Update documents. POST /v2/organizations/documents/update
     *
     * @example
     * await client.documents.updateDocuments({
     *   organizationId: 'example',
     *   documents: [{ documentId: 'landing-page', documentName: 'Landing page for autumn' }],
     * })
     */
    updateDocuments(data: {
      /** Id of the organization. */
      organizationId: string
      /** What changes; afterwards at most 256 KiB of JSON. Null clears a field of your own. */
      documents: Array<{
        /** Your id of the document. */
        documentId: string
        /** Its name; null clears it. */
        documentName?: string | null | undefined
        /** public: anyone; restricted: only those who were given access to it or to a folder above it; organizationPrivate: the users of the organization. */
        accessType?: "public" | "restricted" | "organizationPrivate" | undefined
        [key: string]: unknown
      }>
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      /** One result per document id. */
      data: Record<string, {
        success: boolean
        message: string
      }>
    }>
    /**
     * Set the access type of documents. POST /v2/organizations/documents/access/update
     *
     * @example
     * await client.documents.updateDocumentsAccess({ organizationId: 'example', documentIds: ['landing-page'], accessType: 'restricted' })
     */
    updateDocumentsAccess(data: {
      /** Id of the organization. */
      organizationId: string
      /** Id of a document. */
      documentIds: Array<string>
      /** public: anyone; restricted: only those who were given access to it or to a folder above it; organizationPrivate: the users of the organization. */
      accessType: "public" | "restricted" | "organizationPrivate"
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      /** One result per document id. */
      data: Record<string, {
        success: boolean
        message: string
        /** public: anyone; restricted: only those who were given access to it or to a folder above it; organizationPrivate: the users of the organization. */
        accessType?: "public" | "restricted" | "organizationPrivate"
      }>
    }>
    /**
     * Disable or enable documents. POST /v2/organizations/documents/access/disablestate/update
     *
     * @example
     * await client.documents.updateDocumentsDisableState({ organizationId: 'example', documentIds: ['landing-page'], disabled: true })
     */
    updateDocumentsDisableState(data: {
      /** Id of the organization. */
      organizationId: string
      /** Id of a document. */
      documentIds: Array<string>
      /** True: nobody reads or writes in it. */
      disabled: boolean
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      /** One result per document id. */
      data: Record<string, {
        success: boolean
        message: string
        disabled?: boolean
      }>
    }>
  }
  permissions: {
    /**
     * Give a user access to resources. POST /v2/auth/permissions/add
     *
     * All resources must exist; a user that does not is added. Access for good is never shortened by access that ends.
     *
     * @example
     * await client.permissions.addPermissions({
     *   user: { userId: 'iris' },
     *   permissions: {
     *     resources: [{ type: 'document', id: 'poster', organizationId: 'example', accessRole: 'viewer' }],
     *   },
     * })
     */
    addPermissions(data: {
      user: {
        /** Id of the user. */
        userId: string
      }
      permissions: {
        resources: Array<{
          /** What kind of thing it is. */
          type: "organization" | "document" | "folder"
          /** Id of the organization, document or folder. */
          id: string
          /** The organization that it is in; required for a document or a folder. */
          organizationId?: string | undefined
          /** `viewer` reads (and comments), `editor` reads and writes. Default: `editor`, also for who is a viewer there. */
          accessRole?: "viewer" | "editor" | undefined
          /** When the access ends, in epoch milliseconds; a value below 10^11 is in seconds. Omitted: never. */
          expiresAt?: number | undefined
          /** The access fields that the user has there, each as `key:value`; they replace those given before. A thread or notification with a `context.access` is shown only to users who have each of its fields. */
          accessFields?: Array<string> | undefined
        }>
      }
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
    }>
    /**
     * Check what users may do. POST /v2/auth/permissions/check
     *
     * The nearest grant that has not ended decides the role: on the document, then on its folders upward, then on the
     * organization. A `public` resource admits anyone, as an editor where no grant says otherwise; `organizationPrivate`
     * admits the users of the organization and those with a grant below it; `restricted` only those with a grant on the
     * document or on a folder above it. A disabled document or organization admits nobody. While a permission provider is on,
     * it decides instead of the stored grants.
     *
     * Reasons: `grant` (a grant admits), `public` (no grant is needed), `viewer` (the role does not include editing),
     * `expired` (the grant has ended), `restricted` and `organization_private` (the access type asks for a grant that is
     * not there), `not_a_member` (of the organization asked for), `removed` (from the organization, and not added
     * again), `provider` (the permission provider decided), `provider_unavailable` (it gave no valid answer, which
     * denies), `disabled`, `unknown_user`, `unknown_resource`.
     *
     * @example
     * await client.permissions.checkPermissions({
     *   organizationId: 'example',
     *   checks: [
     *     { userId: 'owen', resource: { type: 'document', id: 'poster' }, action: 'edit' },
     *     { userId: 'iris', resource: { type: 'document', id: 'poster' }, action: 'view' },
     *   ],
     * })
     */
    checkPermissions(data: {
      /** The organization. */
      organizationId: string
      checks: Array<{
        /** Who. */
        userId: string
        resource: {
          /** What kind of thing it is. */
          type: "organization" | "document" | "folder"
          /** Id of the document, folder or organization. */
          id: string
        }
        /** What the user wants to do. A viewer may view and comment. */
        action: "view" | "comment" | "edit"
      }>
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      /** One answer per check, in their order. */
      data: Array<{
        allowed: boolean
        /** The effective role; null: no access. */
        accessRole: "viewer" | "editor" | null
        /** What decided. */
        reason: "grant" | "public" | "viewer" | "expired" | "restricted" | "organization_private" | "not_a_member" | "removed" | "disabled" | "provider" | "provider_unavailable" | "unknown_user" | "unknown_resource"
        /** The nearest grant and the level that it was given at. One that has ended is named when none lives. */
        via: {
          /** What kind of thing it is. */
          type: "organization" | "document" | "folder"
          id: string
          expiresAt: number | null
        } | null
        /** The effective access type; null for an organization, which has none. */
        accessType: "public" | "restricted" | "organizationPrivate" | null
      }>
    }>
    /**
     * Sign permissions. POST /v2/auth/generate_signature
     *
     * For backends only. The signature is the lower-case hex HMAC-SHA256, keyed by the auth token of the API key, over the canonical JSON (RFC 8785) of `permissions` as sent: unknown fields, units and the order of the list count.
     *
     * @example
     * await client.permissions.generateSignature({
     *   permissions: [
     *     {
     *       userId: 'iris',
     *       resourceId: 'poster',
     *       type: 'document',
     *       hasAccess: true,
     *       accessRole: 'viewer',
     *     },
     *   ],
     * })
     */
    generateSignature(data: {
      permissions: Array<{
        /** Id of the user. */
        userId: string
        /** Id of the document, folder or organization. */
        resourceId: string
        /** What kind of thing it is. */
        type: "organization" | "document" | "folder"
        /** Whether the user has access. */
        hasAccess: boolean
        /** `viewer` reads (and comments), `editor` reads and writes. */
        accessRole?: "viewer" | "editor" | null | undefined
        /** Epoch milliseconds, after which access is validated again. */
        expiresAt?: number | null | undefined
      }>
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      data: {
        signature: string
      }
    }>
    /**
     * Issue a token to a user and give it access. POST /v2/auth/generate_token
     *
     * Whoever checks the token must check `aud`: it is the API key.
     *
     * @example
     * await client.permissions.generateToken({
     *   userId: 'iris',
     *   userProperties: { name: 'Iris Holm' },
     *   permissions: { resources: [{ type: 'organization', id: 'example' }] },
     * })
     */
    generateToken(data: {
      /** Id of the user. */
      userId: string
      userProperties: {
        /** Name of the user. */
        name: string
        /** Address of the user. */
        email?: string | undefined
        /** Whether the user is an administrator. */
        isAdmin?: boolean | undefined
      }
      permissions: {
        resources: Array<{
          /** What kind of thing it is. */
          type: "organization" | "document" | "folder"
          /** Id of the organization, document or folder. */
          id: string
          /** The organization that it is in; required for a document or a folder. */
          organizationId?: string | undefined
          /** `viewer` reads (and comments), `editor` reads and writes. Default: `editor`, also for who is a viewer there. */
          accessRole?: "viewer" | "editor" | undefined
          /** When the access ends, in epoch milliseconds; a value below 10^11 is in seconds. Omitted: never. */
          expiresAt?: number | undefined
          /** The access fields that the user has there, each as `key:value`; they replace those given before. A thread or notification with a `context.access` is shown only to users who have each of its fields. */
          accessFields?: Array<string> | undefined
        }>
      }
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      data: {
        /** A JWT (RS256) for 48 hours; its public key is published at /.well-known/jwks.json. Its audience (`aud`) is the API key. */
        token: string
      }
    }>
    /**
     * Issue a token to a user. POST /v2/auth/token/get
     *
     * For backends only. `apiKey` and `authToken` in the body are checked as the headers would be. Each may be left out where its header is sent; where both are given, they must be equal. Whoever checks the token must check `aud`: it is the API key, because one signing key serves every API key.
     *
     * @example
     * await client.permissions.getAuthToken({
     *   apiKey: 'aBcDeFgHiJkLmNoPqRsT',
     *   authToken: 'the auth token of the API key',
     *   userId: 'iris',
     *   userProperties: { organizationId: 'example' },
     * })
     */
    getAuthToken(data: {
      /** The API key; default: the header. */
      apiKey?: string | undefined
      /** The auth token of that key; default: the header. */
      authToken?: string | undefined
      /** Id of the user. */
      userId: string
      userProperties?: {
        /** The organization that the user signs in to. */
        organizationId: string
        /** Whether the user is an administrator. */
        isAdmin?: boolean | undefined
        /** Address of the user. */
        email?: string | undefined
      } | undefined
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      data: {
        /** A JWT (RS256) for 48 hours; its public key is published at /.well-known/jwks.json. Its audience (`aud`) is the API key. */
        token: string
      }
    }>
    /**
     * Get the permission provider configuration. POST /v2/workspace/permissionproviderconfig/get
     *
     * @example
     * await client.permissions.getPermissionProviderConfig()
     */
    getPermissionProviderConfig(data?: Record<string, unknown>, options?: CallOptions): Promise<{
      status: "success"
      message: string
      data: {
        usePermissionProvider: boolean
        permissionProviderConfig: {
          /** An http(s) URL, or empty for none. */
          permissionProviderUrl: "" | string
          /** The token sent to the permission provider. */
          authToken: string
        }
      }
    }>
    /**
     * Get the permissions of users. POST /v2/auth/permissions/get
     *
     * Without `folderIds` and `documentIds`: everything in the organization that the users were given access to. An entry holds the effective role and access type, or an error where the user has no access; access that has expired is no access. One call answers at most 10000 pairs of a user and a resource.
     *
     * @example
     * await client.permissions.getPermissions({ organizationId: 'example', userIds: ['owen', 'iris'], documentIds: ['poster'] })
     */
    getPermissions(data: {
      /** The organization. */
      organizationId: string
      /** Id of a user. */
      userIds: Array<string>
      /** Id of a folder. */
      folderIds?: Array<string> | undefined
      /** Id of a document. */
      documentIds?: Array<string> | undefined
      /** True: what does not exist is an error in its entry, not of the call. */
      skipResourceExistenceValidation?: boolean | undefined
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      /** Permissions by user id. */
      data: Record<string, {
        context?: {
          /** Those given anywhere in the organization. */
          accessFields: Array<string>
        }
        /** By organization id. */
        organization: Record<string, {
          /** `viewer` reads (and comments), `editor` reads and writes. */
          accessRole?: "viewer" | "editor"
          /** public: anyone; restricted: only those who were given access to it or to a folder above it; organizationPrivate: the users of the organization. */
          accessType?: "public" | "restricted" | "organizationPrivate"
          /** When the access ends, in epoch milliseconds. */
          expiresAt?: number
          error?: string
          /** Why there is no access. */
          errorCode?: "permission_denied" | "does_not_exist"
        }>
        /** By folder id. */
        folders: Record<string, {
          /** `viewer` reads (and comments), `editor` reads and writes. */
          accessRole?: "viewer" | "editor"
          /** public: anyone; restricted: only those who were given access to it or to a folder above it; organizationPrivate: the users of the organization. */
          accessType?: "public" | "restricted" | "organizationPrivate"
          /** When the access ends, in epoch milliseconds. */
          expiresAt?: number
          error?: string
          /** Why there is no access. */
          errorCode?: "permission_denied" | "does_not_exist"
        }>
        /** By document id. */
        documents: Record<string, {
          /** `viewer` reads (and comments), `editor` reads and writes. */
          accessRole?: "viewer" | "editor"
          /** public: anyone; restricted: only those who were given access to it or to a folder above it; organizationPrivate: the users of the organization. */
          accessType?: "public" | "restricted" | "organizationPrivate"
          /** When the access ends, in epoch milliseconds. */
          expiresAt?: number
          error?: string
          /** Why there is no access. */
          errorCode?: "permission_denied" | "does_not_exist"
        }>
      }>
    }>
    /**
     * Take a user's access to resources. POST /v2/auth/permissions/remove
     *
     * Access that is not there counts as taken. A folder without `organizationId` is any folder of that id.
     *
     * @example
     * await client.permissions.removePermissions({
     *   userId: 'iris',
     *   permissions: { resources: [{ type: 'document', id: 'poster', organizationId: 'example' }] },
     * })
     */
    removePermissions(data: {
      /** Id of the user. */
      userId: string
      permissions: {
        resources: Array<{
          /** What kind of thing it is. */
          type: "organization" | "document" | "folder"
          /** Id of the organization, document or folder. */
          id: string
          /** The organization that it is in; required for a document. */
          organizationId?: string | undefined
        }>
      }
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
    }>
    /**
     * Update the permission provider configuration. POST /v2/workspace/permissionproviderconfig/update
     *
     * @example
     * await client.permissions.updatePermissionProviderConfig({
     *   usePermissionProvider: false,
     *   permissionProviderConfig: { permissionProviderUrl: 'https://app.example.com/permissions' },
     * })
     */
    updatePermissionProviderConfig(data?: {
      /** Switches the service on or off. */
      usePermissionProvider?: boolean | undefined
      permissionProviderConfig?: {
        /** An http(s) URL, or empty for none. */
        permissionProviderUrl?: "" | string | null | undefined
        /** The token sent to the permission provider. */
        authToken?: string | null | undefined
      } | undefined
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      data: {
        usePermissionProvider: boolean
        permissionProviderConfig: {
          /** An http(s) URL, or empty for none. */
          permissionProviderUrl: "" | string
          /** The token sent to the permission provider. */
          authToken: string
        }
      }
    }>
  }
  users: {
    /**
     * Add users to an organization, a document or a folder. POST /v2/users/add
     *
     * With `documentId` users get access to that document only, with `folderId` to all documents in that folder, with neither to all documents of the organization except restricted ones. A user that exists is updated, in all organizations; fields that are left out stay as they are.
     *
     * @example
     * await client.users.addUsers({
     *   organizationId: 'example',
     *   users: [{ userId: 'sam', name: 'Sam Reed', email: 'sam@larkwing.example' }],
     * })
     */
    addUsers(data: {
      /** The organization. */
      organizationId: string
      /** The level is this document. */
      documentId?: string | undefined
      /** The level is this folder. Not together with `documentId`. */
      folderId?: string | undefined
      /** Whether to create the organization if it does not exist. Default: true. */
      createOrganization?: boolean | undefined
      /** Whether to create the document if it does not exist. */
      createDocument?: boolean | undefined
      /** Whether to create the folder if it does not exist. */
      createFolder?: boolean | undefined
      /** A user; at most 256 KiB of JSON. */
      users: Array<{
        /** Id of the user, chosen by the caller. */
        userId: string
        /** Default: the stored name, then the id. */
        name?: string | undefined
        /** Address of the user. */
        email?: string | undefined
        /** Default: the first letters of the first and the last word of the name. */
        initial?: string | undefined
        /** `viewer` reads (and comments), `editor` reads and writes. Default: the role that the user has at this level, else `editor`. */
        accessRole?: "viewer" | "editor" | undefined
        /** The access fields that the user has there, each as `key:value`; they replace those given before. A thread or notification with a `context.access` is shown only to users who have each of its fields. */
        accessFields?: Array<string> | undefined
        /** Where a picture of the user is, kept as sent. */
        photoUrl?: string | undefined
        /** The color that stands for the user. */
        color?: string | undefined
        /** The color of text upon `color`. */
        textColor?: string | undefined
        /** Whether the user is an administrator, for the clients. */
        isAdmin?: boolean | undefined
        /** The plan of the user, for the clients. */
        plan?: string | undefined
        /** The kind of the user, for the clients. */
        type?: string | undefined
        /** Whether clients let the user only read. */
        isReadOnly?: boolean | undefined
        /** Whether the user is a guest, for the clients. */
        isGuest?: boolean | undefined
        /** The contacts of the user, for the clients. Only lists of users give them back. */
        contacts?: Array<Record<string, unknown>> | undefined
      }>
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      /** One result per user id. */
      data: Record<string, {
        success: boolean
        message: string
        /** A stable id of the user, 32 hex digits. */
        id: string
      }>
    }>
    /**
     * Add users to an organization, a document or a folder (v1). POST /v1/users/add
     *
     * As v2, but for `accessRole`, which is ignored: a new user is an editor, one that exists keeps its role.
     *
     * @example
     * await client.users.addUsersV1({
     *   organizationId: 'example',
     *   users: [{ userId: 'sam', name: 'Sam Reed', email: 'sam@larkwing.example' }],
     * })
     */
    addUsersV1(data: {
      /** The organization. */
      organizationId: string
      /** The level is this document. */
      documentId?: string | undefined
      /** The level is this folder. Not together with `documentId`. */
      folderId?: string | undefined
      /** Whether to create the organization if it does not exist. Default: true. */
      createOrganization?: boolean | undefined
      /** Whether to create the document if it does not exist. */
      createDocument?: boolean | undefined
      /** Whether to create the folder if it does not exist. */
      createFolder?: boolean | undefined
      users: Array<{
        /** Id of the user, chosen by the caller. */
        userId: string
        /** Default: the stored name, then the id. */
        name?: string | undefined
        /** Address of the user. */
        email?: string | undefined
        /** Default: the first letters of the first and the last word of the name. */
        initial?: string | undefined
        /** Where a picture of the user is, kept as sent. */
        photoUrl?: string | undefined
        /** The color that stands for the user. */
        color?: string | undefined
        /** The color of text upon `color`. */
        textColor?: string | undefined
        /** Whether the user is an administrator, for the clients. */
        isAdmin?: boolean | undefined
        /** The plan of the user, for the clients. */
        plan?: string | undefined
        /** The kind of the user, for the clients. */
        type?: string | undefined
        /** Whether clients let the user only read. */
        isReadOnly?: boolean | undefined
        /** Whether the user is a guest, for the clients. */
        isGuest?: boolean | undefined
        /** The contacts of the user, for the clients. Only lists of users give them back. */
        contacts?: Array<Record<string, unknown>> | undefined
      }>
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      /** One result per user id. */
      data: Record<string, {
        success: boolean
        message: string
        /** A stable id of the user, 32 hex digits. */
        id: string
      }>
    }>
    /**
     * Count users of an organization, a document or a folder. POST /v2/users/count
     *
     * Without `documentId` and `folderId`: the contact list. Access that has expired does not count.
     *
     * @example
     * await client.users.countUsers({ organizationId: 'example' })
     */
    countUsers(data: {
      /** The organization. */
      organizationId: string
      /** The level is this document. */
      documentId?: string | undefined
      /** The level is this folder. Not together with `documentId`. */
      folderId?: string | undefined
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      data: {
        count: number
      }
    }>
    /**
     * Remove users from an organization, a document or a folder. POST /v2/users/delete
     *
     * With `documentId` or `folderId` only the access to it is taken. Without either, users lose the membership, their access to everything in the organization, public resources included, and their places in its user groups. They get no notification and no email of it until they are added again.
     *
     * @example
     * await client.users.deleteUsers({ organizationId: 'example', userIds: ['sam'] })
     */
    deleteUsers(data: {
      /** The organization. */
      organizationId: string
      /** The level is this document. */
      documentId?: string
      /** The level is this folder. Not together with `documentId`. */
      folderId?: string
      /** Id of a user. */
      userIds: Array<string>
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      /** One result per user id. */
      data: Record<string, {
        success: boolean
        message: string
      }>
    }>
    /**
     * Get users of an organization, a document or a folder. POST /v2/users/get
     *
     * Without `documentId`, `folderId` and `allDocuments`: the contact list of the organization. `accessRole` is the role at the level. Access that has expired does not count.
     *
     * @example
     * await client.users.getUsers({ organizationId: 'example', documentId: 'poster', pageSize: 20 })
     */
    getUsers: GroupingOperation<{
      /** The organization. */
      organizationId: string
      /** The level is this document. */
      documentId?: string | undefined
      /** The level is this folder. Not together with `documentId`. */
      folderId?: string | undefined
      /** Id of a user. */
      userIds?: Array<string> | undefined
      /** Users of any of these groups. */
      organizationUserGroupIds?: Array<string> | undefined
      /** True: the users of any document, each once. */
      allDocuments?: boolean | undefined
      /** With `allDocuments`: the answer is a map from document ids to their users. */
      groupByDocumentId?: boolean | undefined
      /** Only users whose name, address or id contains this text, in upper or lower case. */
      searchKey?: string | undefined
      /** Not built: true is refused. */
      includeInvolvedDocuments?: false | undefined
      /** How many users a page has at most. Default: 1000. */
      pageSize?: number | undefined
      /** From the previous page. */
      pageToken?: string | undefined
    }, {
      status: "success"
      message: string
      data: Array<{
        userId: string
        name: string
        email?: string
        initial: string
        photoUrl?: string
        color?: string
        textColor?: string
        isAdmin?: boolean
        plan?: string
        type?: string
        isReadOnly?: boolean
        isGuest?: boolean
        /** The contacts of the user, for the clients. Only lists of users give them back. */
        contacts?: Array<Record<string, unknown>>
        /** `viewer` reads (and comments), `editor` reads and writes. */
        accessRole?: "viewer" | "editor"
        /** The access fields given at this level. */
        accessFields?: Array<string>
      }>
      nextPageToken: string | null
    }, {
      status: "success"
      message: string
      /** Users by document id. */
      data: Record<string, Array<{
        userId: string
        name: string
        email?: string
        initial: string
        photoUrl?: string
        color?: string
        textColor?: string
        isAdmin?: boolean
        plan?: string
        type?: string
        isReadOnly?: boolean
        isGuest?: boolean
        /** The contacts of the user, for the clients. Only lists of users give them back. */
        contacts?: Array<Record<string, unknown>>
        /** `viewer` reads (and comments), `editor` reads and writes. */
        accessRole?: "viewer" | "editor"
        /** The access fields given at this level. */
        accessFields?: Array<string>
      }>>
      nextPageToken: string | null
    }>
    /**
     * Search users by name or address. POST /v2/users/search
     *
     * `prefix` finds users whose name begins with the query, then those whose address does, then the one whose id it is. `contains` looks into name, address and id and reads at most 20,000 users a call: a page may be short or empty though `nextPageToken` says that there are others.
     *
     * @example
     * await client.users.searchUsers({ query: 'nad', match: 'prefix' })
     */
    searchUsers: PagedOperation<[data: {
      /** What to look for, in upper or lower case. */
      query: string
      /** Default: `prefix`. */
      match?: "prefix" | "contains" | undefined
      /** Default: 20. */
      pageSize?: number | undefined
      /** From the previous page. */
      pageToken?: string | undefined
    }, options?: CallOptions], {
      status: "success"
      message: string
      data: Array<{
        userId: string
        /** The id, if no name was ever given. */
        name: string
        email?: string
        /** Up to 20 of the organizations the user belongs to. */
        organizationIds: Array<string>
      }>
      nextPageToken: string | null
    }>
    /**
     * Update users of an organization, a document or a folder. POST /v2/users/update
     *
     * Fields that are left out stay as they are. `accessRole` is the role at the level that the call names.
     *
     * @example
     * await client.users.updateUsers({ organizationId: 'example', users: [{ userId: 'sam', name: 'Samuel Reed' }] })
     */
    updateUsers(data: {
      /** The organization. */
      organizationId: string
      /** The level is this document. */
      documentId?: string | undefined
      /** The level is this folder. Not together with `documentId`. */
      folderId?: string | undefined
      /** What changes; at most 256 KiB of JSON. Null clears a field. */
      users: Array<{
        /** Id of the user, chosen by the caller. */
        userId: string
        /** Default: the stored name, then the id. */
        name?: string | null | undefined
        /** Address of the user. Null: no email is sent, not even to an address named in passing. */
        email?: string | null | undefined
        /** Default: the first letters of the first and the last word of the name. */
        initial?: string | null | undefined
        /** `viewer` reads (and comments), `editor` reads and writes. Default: the role that the user has at this level, else `editor`. */
        accessRole?: "viewer" | "editor" | undefined
        /** The access fields that the user has there, each as `key:value`; they replace those given before. A thread or notification with a `context.access` is shown only to users who have each of its fields. */
        accessFields?: Array<string> | null | undefined
        /** Where a picture of the user is, kept as sent. */
        photoUrl?: string | null | undefined
        /** The color that stands for the user. */
        color?: string | null | undefined
        /** The color of text upon `color`. */
        textColor?: string | null | undefined
        /** Whether the user is an administrator, for the clients. */
        isAdmin?: boolean | null | undefined
        /** The plan of the user, for the clients. */
        plan?: string | null | undefined
        /** The kind of the user, for the clients. */
        type?: string | null | undefined
        /** Whether clients let the user only read. */
        isReadOnly?: boolean | null | undefined
        /** Whether the user is a guest, for the clients. */
        isGuest?: boolean | null | undefined
        /** The contacts of the user, for the clients. Only lists of users give them back. */
        contacts?: Array<Record<string, unknown>> | null | undefined
      }>
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      /** One result per user id. */
      data: Record<string, {
        success: boolean
        message: string
        id?: string
      }>
    }>
    /**
     * Update users of an organization, a document or a folder (v1). POST /v1/users/update
     *
     * As v2, but for `accessRole`, which is ignored.
     *
     * @example
     * await client.users.updateUsersV1({ organizationId: 'example', users: [{ userId: 'sam', name: 'Samuel Reed' }] })
     */
    updateUsersV1(data: {
      /** The organization. */
      organizationId: string
      /** The level is this document. */
      documentId?: string | undefined
      /** The level is this folder. Not together with `documentId`. */
      folderId?: string | undefined
      users: Array<{
        /** Id of the user, chosen by the caller. */
        userId: string
        /** Default: the stored name, then the id. */
        name?: string | null | undefined
        /** Address of the user. Null: no email is sent, not even to an address named in passing. */
        email?: string | null | undefined
        /** Default: the first letters of the first and the last word of the name. */
        initial?: string | null | undefined
        /** Where a picture of the user is, kept as sent. */
        photoUrl?: string | null | undefined
        /** The color that stands for the user. */
        color?: string | null | undefined
        /** The color of text upon `color`. */
        textColor?: string | null | undefined
        /** Whether the user is an administrator, for the clients. */
        isAdmin?: boolean | null | undefined
        /** The plan of the user, for the clients. */
        plan?: string | null | undefined
        /** The kind of the user, for the clients. */
        type?: string | null | undefined
        /** Whether clients let the user only read. */
        isReadOnly?: boolean | null | undefined
        /** Whether the user is a guest, for the clients. */
        isGuest?: boolean | null | undefined
        /** The contacts of the user, for the clients. Only lists of users give them back. */
        contacts?: Array<Record<string, unknown>> | null | undefined
      }>
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      /** One result per user id. */
      data: Record<string, {
        success: boolean
        message: string
        id?: string
      }>
    }>
  }
  userGroups: {
    /**
     * Add users to a user group. POST /v2/organizations/usergroups/users/add
     *
     * Only users of the organization can be in its groups. One that is in the group already stays in it.
     *
     * @example
     * await client.userGroups.addGroupUsers({ organizationId: 'example', organizationUserGroupId: 'designers', userIds: ['sam'] })
     */
    addGroupUsers(data: {
      /** The organization. */
      organizationId: string
      /** The group. */
      organizationUserGroupId: string
      /** Id of a user. */
      userIds: Array<string>
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      /** One result per user id. */
      data: Record<string, {
        success: boolean
        organizationUserGroupId: string
        message: string
      }>
    }>
    /**
     * Add user groups to an organization. POST /v2/organizations/usergroups/add
     *
     * @example
     * await client.userGroups.addUserGroups({
     *   organizationId: 'example',
     *   organizationUserGroups: [{ groupId: 'writers', groupName: 'Writers' }],
     * })
     */
    addUserGroups(data: {
      /** The organization. */
      organizationId: string
      /** Whether to create the organization if it does not exist. */
      createOrganization?: boolean | undefined
      organizationUserGroups: Array<{
        /** Id of the group, chosen by the caller. */
        groupId: string
        /** Its name. */
        groupName?: string | undefined
      }>
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      /** One result per group id. */
      data: Record<string, {
        success: boolean
        message: string
        id?: string
      }>
    }>
    /**
     * Remove users from a user group. POST /v2/organizations/usergroups/users/delete
     *
     * Give either `userIds` or `deleteAll: true`. One call removes at most 10000 users.
     *
     * @example
     * await client.userGroups.deleteGroupUsers({ organizationId: 'example', organizationUserGroupId: 'designers', userIds: ['sam'] })
     */
    deleteGroupUsers(data: {
      /** The organization. */
      organizationId: string
      /** The group. */
      organizationUserGroupId: string
      /** Either these users, */
      userIds?: Array<string>
      /** or, when true, all users of the group. */
      deleteAll?: boolean
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      /** One result per user id. */
      data: Record<string, {
        success: boolean
        organizationUserGroupId: string
        message: string
      }>
    }>
    /**
     * Delete user groups of an organization. POST /v2/organizations/usergroups/delete
     *
     * The users of a group stay in the organization.
     *
     * @example
     * await client.userGroups.deleteUserGroups({ organizationId: 'example', organizationUserGroupIds: ['writers'] })
     */
    deleteUserGroups(data: {
      /** The organization. */
      organizationId: string
      /** Id of a group. */
      organizationUserGroupIds: Array<string>
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      /** One result per group id. */
      data: Record<string, {
        success: boolean
        message: string
      }>
    }>
    /**
     * Get the user groups of an organization. POST /v2/organizations/usergroups/get
     *
     * The users of a group are listed by `users/get` with `organizationUserGroupIds`.
     *
     * @example
     * await client.userGroups.getUserGroups({ organizationId: 'example', organizationUserGroupIds: ['designers'] })
     */
    getUserGroups: PagedOperation<[data: {
      /** The organization. */
      organizationId: string
      /** Omitted: all. */
      organizationUserGroupIds?: Array<string> | undefined
      /** Default: 1000. */
      pageSize?: number | undefined
      /** From the page before. */
      pageToken?: string | undefined
    }, options?: CallOptions], {
      status: "success"
      message: string
      data: Array<{
        /** A stable id of the group, 32 hex digits. */
        id: string
        groupId: string
        groupName?: string
        /** How many users are in it, those included whose membership has expired. */
        usersCount: number
      }>
      nextPageToken: string | null
    }>
    /**
     * Update user groups of an organization. POST /v2/organizations/usergroups/update
     *
     * @example
     * await client.userGroups.updateUserGroups({
     *   organizationId: 'example',
     *   organizationUserGroups: [{ groupId: 'writers', groupName: 'Writers and translators' }],
     * })
     */
    updateUserGroups(data: {
      /** The organization. */
      organizationId: string
      organizationUserGroups: Array<{
        /** Id of the group. */
        groupId: string
        /** Its name; null takes it away. */
        groupName?: string | null | undefined
      }>
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      /** One result per group id. */
      data: Record<string, {
        success: boolean
        message: string
      }>
    }>
  }
  locations: {
    /**
     * Delete the data of a location. POST /v1/organizations/documents/locations/data/delete
     *
     * Covers the document of that id in every organization of the API key, unless `organizationId` narrows it.
     *
     * @example
     * await client.locations.deleteLocationData({
     *   apiKey: 'aBcDeFgHiJkLmNoPqRsT',
     *   authToken: 'the auth token of the API key',
     *   organizationId: 'example',
     *   documentId: 'landing-page',
     *   location: { id: 'footer' },
     * })
     */
    deleteLocationData(data: {
      /** As in the headers. */
      apiKey: string
      /** As in the headers. */
      authToken: string
      /** Only this organization. */
      organizationId?: string
      /** Id of the document. */
      documentId: string
      /** A location in the document, with any fields of your own. */
      location: {
        /** Identifies the location; 0 is one. */
        id?: string | number | undefined
        /** Name; identifies the location when it has no id. */
        locationName?: string | undefined
        [key: string]: unknown
      }
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      data: null
    }>
    /**
     * Update a location. POST /v1/organizations/documents/locations/update
     *
     * Covers the document of that id in every organization of the API key, unless `organizationId` narrows it.
     *
     * @example
     * await client.locations.updateLocation({
     *   apiKey: 'aBcDeFgHiJkLmNoPqRsT',
     *   authToken: 'the auth token of the API key',
     *   organizationId: 'example',
     *   documentId: 'landing-page',
     *   migrate: { oldLocation: { id: 'headline' }, newLocation: { id: 'footer' } },
     * })
     */
    updateLocation(data: {
      /** As in the headers. */
      apiKey: string
      /** As in the headers. */
      authToken: string
      /** Only this organization. */
      organizationId?: string | undefined
      /** Id of the document. */
      documentId: string
      migrate: {
        /** A location in the document, with any fields of your own. */
        oldLocation: {
          /** Identifies the location; 0 is one. */
          id?: string | number | undefined
          /** Name; identifies the location when it has no id. */
          locationName?: string | undefined
          [key: string]: unknown
        }
        /** A location in the document, with any fields of your own. */
        newLocation: {
          /** Identifies the location; 0 is one. */
          id?: string | number | undefined
          /** Name; identifies the location when it has no id. */
          locationName?: string | undefined
          [key: string]: unknown
        }
      }
      /** True: fields of the old location that the new one does not name are kept, where both together hold at most 256 KiB of JSON; default: false. */
      merge?: boolean | undefined
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      data: null
    }>
  }
  comments: {
    /**
     * Add comment annotations. POST /v2/commentannotations/add
     *
     * Each is a thread. Its first comment is announced by `comment_annotation.add`, every other by `comment.add`. The threads of one request have at most 1,000 comments in total.
     *
     * @example
     * await client.comments.addCommentAnnotations({
     *   organizationId: 'example',
     *   documentId: 'landing-page',
     *   createDocument: true,
     *   commentAnnotations: [
     *     {
     *       annotationId: 'headline-length',
     *       location: { id: 'headline', locationName: 'Headline' },
     *       commentData: [
     *         {
     *           commentId: 1,
     *           commentText: 'The headline has two lines on a phone. Can it be shorter, {{iris}}?',
     *           from: { userId: 'nadia', name: 'Nadia Quist' },
     *         },
     *       ],
     *     },
     *   ],
     * })
     */
    addCommentAnnotations(data: {
      /** Id of the organization. */
      organizationId: string
      /** Id of the document. */
      documentId: string
      /** Create the organization if it does not exist. */
      createOrganization?: boolean | undefined
      /** Create the document if it does not exist. */
      createDocument?: boolean | undefined
      /** True: refuse what users write who have no access to the document. */
      verifyUserPermissions?: boolean | undefined
      /** A thread; without its comments, at most 256 KiB of JSON. */
      commentAnnotations: Array<{
        /** Your id of the thread; default: a new one. */
        annotationId?: string | undefined
        /** A location in the document, with any fields of your own. */
        location?: {
          /** Identifies the location; 0 is one. */
          id?: string | number | undefined
          /** Name; identifies the location when it has no id. */
          locationName?: string | undefined
          [key: string]: unknown
        } | undefined
        /** What the thread points at: elementId, targetText, occurrence, … */
        targetElement?: Record<string, unknown> | undefined
        status?: {
          /** OPEN, IN_PROGRESS, RESOLVED or an id of your own. Omitted: the default status of `type`; one of the two is required. */
          id?: string | undefined
          /** Default: the name of a built-in status, else the id. */
          name?: string | undefined
          /** A `terminal` status ends the review of the thread. Default: that of the built-in status, `default` for one of your own. */
          type?: "default" | "ongoing" | "terminal" | undefined
          /** Color of the status. */
          color?: string | undefined
          /** Color behind the status. */
          lightColor?: string | undefined
          /** An icon, as SVG. */
          svg?: string | undefined
          /** Address of an icon. */
          iconUrl?: string | undefined
        } | undefined
        assignedTo?: {
          /** Id of the user. */
          userId: string
          /** Default: the stored name, then the id. */
          name?: string | undefined
          /** Address of the user. */
          email?: string | undefined
          /** Default: the first letters of the first and the last word of the name. */
          initial?: string | undefined
          /** Where a picture of the user is, kept as sent. */
          photoUrl?: string | undefined
          /** The color that stands for the user. */
          color?: string | undefined
          /** The color of text upon `color`. */
          textColor?: string | undefined
        } | undefined
        priority?: {
          /** Id of the priority. */
          id: string
          /** Default: the id. */
          name?: string | undefined
          /** Color of the status. */
          color?: string | undefined
          /** Color behind the status. */
          lightColor?: string | undefined
          /** An icon, as SVG. */
          svg?: string | undefined
          /** Address of an icon. */
          iconUrl?: string | undefined
        } | undefined
        /** Data of your own; `access` says whom it is shown to. */
        context?: {
          /** The access fields that it takes to see it. */
          access?: Record<string, string | number | boolean> | undefined
          [key: string]: unknown
        } | undefined
        /** An item `{ id, label }` of a list of your own. */
        customList?: Array<Record<string, unknown>> | undefined
        /** The page that the thread is on: url, title, deviceInfo, … Emails lead to its `url`, with the id of the thread as `scommentId`; without one they have no link. */
        pageInfo?: Record<string, unknown> | undefined
        /** The color of the thread, for the clients. */
        color?: string | undefined
        /** What it comes from, for the clients. */
        sourceType?: string | undefined
        /** Your id of its context. */
        contextId?: string | undefined
        suggestion?: {
          /** Id of what would change. */
          targetId?: string | undefined
          /** Kind of what would change. */
          targetType?: string | undefined
          /** The present value. */
          oldValue?: unknown
          /** The proposed value. */
          newValue?: unknown
          /** The change in words. */
          summary?: string | null | undefined
          /** Whether it was accepted or rejected. */
          status?: "pending" | "accepted" | "rejected" | "stale" | "apply_failed" | undefined
          /** Whether the target has changed since. */
          driftDetected?: boolean | undefined
          /** Why it was rejected. */
          rejectReason?: string | null | undefined
          /** Who decided. */
          resolvedBy?: Record<string, unknown> | null | undefined
          /** When it was decided, in epoch milliseconds. */
          resolvedAt?: number | null | undefined
          [key: string]: unknown
        } | undefined
        visibility?: {
          /** public: whoever sees the document; organizationPrivate: users of the organization; restricted: the listed users. */
          type: "public" | "organizationPrivate" | "restricted"
          /** The organization of a thread that is organizationPrivate. */
          organizationId?: string | undefined
          /** Who sees a restricted thread. */
          userIds?: Array<string> | undefined
        } | undefined
        /** The comments; the first one starts the thread. */
        commentData: Array<{
          /** Id of the comment, unique in its thread. */
          commentId?: number | undefined
          /** Default: text. */
          type?: "text" | "voice" | undefined
          from: {
            /** Id of the user. */
            userId: string
            /** Default: the stored name, then the id. */
            name?: string | undefined
            /** Address of the user. */
            email?: string | undefined
            /** Default: the first letters of the first and the last word of the name. */
            initial?: string | undefined
            /** Where a picture of the user is, kept as sent. */
            photoUrl?: string | undefined
            /** The color that stands for the user. */
            color?: string | undefined
            /** The color of text upon `color`. */
            textColor?: string | undefined
          }
          /** The text; `{{userId}}` mentions a user, at most 1,000 in one request. */
          commentText?: string | undefined
          /** The text as HTML. */
          commentHtml?: string | undefined
          /** Data of your own; `access` says whom it is shown to. */
          context?: {
            /** The access fields that it takes to see it. */
            access?: Record<string, string | number | boolean> | undefined
            [key: string]: unknown
          } | undefined
          /** Whether the text is kept by the caller alone. */
          isCommentResolverUsed?: boolean | undefined
          /** Whether there is a text. */
          isCommentTextAvailable?: boolean | undefined
          /** The mentioned users. */
          taggedUserContacts?: Array<{
            /** Id of the mentioned user. */
            userId: string
            /** The words of the comment that stand for the user. */
            text?: string | undefined
            contact?: {
              /** Id of the user. */
              userId?: string | undefined
              /** Default: the stored name, then the id. */
              name?: string | undefined
              /** Address of the user. */
              email?: string | undefined
              /** Default: the first letters of the first and the last word of the name. */
              initial?: string | undefined
              /** Where a picture of the user is, kept as sent. */
              photoUrl?: string | undefined
              /** The color that stands for the user. */
              color?: string | undefined
              /** The color of text upon `color`. */
              textColor?: string | undefined
            } | undefined
          }> | undefined
          /** Further fields are kept. */
          attachments?: Array<{
            /** Id of the attachment. Default: a new one. */
            attachmentId?: number | undefined
            /** Name of the file. */
            name?: string | undefined
            /** Address of the file. */
            url?: string | undefined
            /** Media type of the file. */
            mimeType?: string | undefined
            /** Kind of the file. */
            type?: string | undefined
            /** Size in bytes. */
            size?: number | undefined
            [key: string]: unknown
          }> | undefined
          /** Address of a spoken comment. */
          commentVoiceUrl?: string | undefined
          /** A recording in the comment. */
          recorders?: Array<Record<string, unknown>> | undefined
          /** An item `{ id, label }` of a list of your own. */
          customList?: Array<Record<string, unknown>> | undefined
          /** A mentioned user group, by `groupId`. Its users are notified. */
          toOrganizationUserGroup?: Array<Record<string, unknown>> | undefined
          /** Further fields are kept. */
          agent?: {
            /** Id of the agent. */
            agentId: string
            /** Where the agent runs. */
            agentSource?: string | undefined
            /** Default: external for the source `external`, else custom. */
            agentType?: "built-in" | "custom" | "external" | undefined
            /** Name of the agent. */
            agentName?: string | undefined
            /** Id of the run in which the agent wrote this. */
            executionId?: string | undefined
            /** The page that the agent reviewed. */
            url?: string | undefined
            /** What the agent found: title, description, severity, findingId, … */
            reason?: Record<string, unknown> | undefined
            /** What else is known of it. */
            agentFields?: Array<string> | undefined
            [key: string]: unknown
          } | undefined
          /** Default: now. Epoch milliseconds. */
          createdAt?: number | undefined
          /** Default: `createdAt`. Epoch milliseconds. */
          lastUpdated?: number | undefined
          /** False: no notification, email or webhook for this. Default: true. */
          triggerNotification?: boolean | undefined
          /** True: an activity record, whatever the triggers of the activity config say; false: none. Default: as they say. */
          triggerActivities?: boolean | undefined
        }>
        /** Default: comment, or suggestion when there is one. */
        type?: "comment" | "suggestion" | undefined
        /** Default: manual. */
        commentType?: string | undefined
        /** Default: now. Epoch milliseconds. */
        createdAt?: number | undefined
        /** Default: `createdAt`. Epoch milliseconds. */
        lastUpdated?: number | undefined
      }>
      /** False: no notification, email or webhook for this. Default: true. */
      triggerNotification?: boolean | undefined
      /** True: an activity record, whatever the triggers of the activity config say; false: none. Default: as they say. */
      triggerActivities?: boolean | undefined
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      /** One result per annotation id. */
      data: Record<string, {
        success: boolean
        message: string
        annotationId?: string
        /** Id of the comment, unique in its thread. */
        commentIds?: Array<number>
        /** What the agent called its finding. */
        findingId?: unknown
      }>
    }>
    /**
     * Add comments. POST /v2/commentannotations/comments/add
     *
     * A comment whose id the thread already has stays as it is, and its id is left out of the answer.
     *
     * @example
     * await client.comments.addComments({
     *   organizationId: 'example',
     *   documentId: 'landing-page',
     *   annotationId: 'headline-length',
     *   commentData: [
     *     {
     *       commentId: 2,
     *       commentText: 'It is one line now.',
     *       from: { userId: 'iris', name: 'Iris Holm' },
     *     },
     *   ],
     * })
     */
    addComments(data: {
      /** Id of the organization. */
      organizationId: string
      /** Id of the document. */
      documentId: string
      /** Id of the thread. */
      annotationId: string
      /** True: refuse what users write who have no access to the document. */
      verifyUserPermissions?: boolean | undefined
      /** A comment; at most 256 KiB of JSON. */
      commentData: Array<{
        /** Id of the comment, unique in its thread. */
        commentId?: number | undefined
        /** Default: text. */
        type?: "text" | "voice" | undefined
        from: {
          /** Id of the user. */
          userId: string
          /** Default: the stored name, then the id. */
          name?: string | undefined
          /** Address of the user. */
          email?: string | undefined
          /** Default: the first letters of the first and the last word of the name. */
          initial?: string | undefined
          /** Where a picture of the user is, kept as sent. */
          photoUrl?: string | undefined
          /** The color that stands for the user. */
          color?: string | undefined
          /** The color of text upon `color`. */
          textColor?: string | undefined
        }
        /** The text; `{{userId}}` mentions a user, at most 1,000 in one request. */
        commentText?: string | undefined
        /** The text as HTML. */
        commentHtml?: string | undefined
        /** Data of your own; `access` says whom it is shown to. */
        context?: {
          /** The access fields that it takes to see it. */
          access?: Record<string, string | number | boolean> | undefined
          [key: string]: unknown
        } | undefined
        /** Whether the text is kept by the caller alone. */
        isCommentResolverUsed?: boolean | undefined
        /** Whether there is a text. */
        isCommentTextAvailable?: boolean | undefined
        /** The mentioned users. */
        taggedUserContacts?: Array<{
          /** Id of the mentioned user. */
          userId: string
          /** The words of the comment that stand for the user. */
          text?: string | undefined
          contact?: {
            /** Id of the user. */
            userId?: string | undefined
            /** Default: the stored name, then the id. */
            name?: string | undefined
            /** Address of the user. */
            email?: string | undefined
            /** Default: the first letters of the first and the last word of the name. */
            initial?: string | undefined
            /** Where a picture of the user is, kept as sent. */
            photoUrl?: string | undefined
            /** The color that stands for the user. */
            color?: string | undefined
            /** The color of text upon `color`. */
            textColor?: string | undefined
          } | undefined
        }> | undefined
        /** Further fields are kept. */
        attachments?: Array<{
          /** Id of the attachment. Default: a new one. */
          attachmentId?: number | undefined
          /** Name of the file. */
          name?: string | undefined
          /** Address of the file. */
          url?: string | undefined
          /** Media type of the file. */
          mimeType?: string | undefined
          /** Kind of the file. */
          type?: string | undefined
          /** Size in bytes. */
          size?: number | undefined
          [key: string]: unknown
        }> | undefined
        /** Address of a spoken comment. */
        commentVoiceUrl?: string | undefined
        /** A recording in the comment. */
        recorders?: Array<Record<string, unknown>> | undefined
        /** An item `{ id, label }` of a list of your own. */
        customList?: Array<Record<string, unknown>> | undefined
        /** A mentioned user group, by `groupId`. Its users are notified. */
        toOrganizationUserGroup?: Array<Record<string, unknown>> | undefined
        /** Further fields are kept. */
        agent?: {
          /** Id of the agent. */
          agentId: string
          /** Where the agent runs. */
          agentSource?: string | undefined
          /** Default: external for the source `external`, else custom. */
          agentType?: "built-in" | "custom" | "external" | undefined
          /** Name of the agent. */
          agentName?: string | undefined
          /** Id of the run in which the agent wrote this. */
          executionId?: string | undefined
          /** The page that the agent reviewed. */
          url?: string | undefined
          /** What the agent found: title, description, severity, findingId, … */
          reason?: Record<string, unknown> | undefined
          /** What else is known of it. */
          agentFields?: Array<string> | undefined
          [key: string]: unknown
        } | undefined
        /** Default: now. Epoch milliseconds. */
        createdAt?: number | undefined
        /** Default: `createdAt`. Epoch milliseconds. */
        lastUpdated?: number | undefined
        /** False: no notification, email or webhook for this. Default: true. */
        triggerNotification?: boolean | undefined
        /** True: an activity record, whatever the triggers of the activity config say; false: none. Default: as they say. */
        triggerActivities?: boolean | undefined
      }>
      /** False: no notification, email or webhook for this. Default: true. */
      triggerNotification?: boolean | undefined
      /** True: an activity record, whatever the triggers of the activity config say; false: none. Default: as they say. */
      triggerActivities?: boolean | undefined
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      /** The ids of the comments that were added. */
      data: Array<number>
    }>
    /**
     * Count comment annotations. POST /v2/commentannotations/count/get
     *
     * @example
     * await client.comments.countCommentAnnotations({ organizationId: 'example', documentIds: ['home-page', 'checkout'], userId: 'nadia' })
     */
    countCommentAnnotations(data: {
      /** Id of the organization. */
      organizationId: string
      /** Id of a document. */
      documentIds: Array<string>
      /** Id of the user. */
      userId: string
      /** Id of a status. */
      statusIds?: Array<string> | undefined
      /** Type of a status. */
      statusTypes?: Array<"default" | "ongoing" | "terminal"> | undefined
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      /** By document id. */
      data: Record<string, {
        total: number
        unread: number
      }>
    }>
    /**
     * Delete comment annotations. POST /v2/commentannotations/delete
     *
     * @example
     * await client.comments.deleteCommentAnnotations({
     *   organizationId: 'example',
     *   documentId: 'landing-page',
     *   annotationIds: ['headline-length'],
     *   actionUser: { userId: 'nadia', name: 'Nadia Quist' },
     * })
     */
    deleteCommentAnnotations(data: {
      /** Id of the organization. Omitted: every organization of the API key; then `annotationIds` is required. */
      organizationId?: string
      /** Id of the document. */
      documentId: string
      /** Id of a thread. */
      annotationIds?: Array<string>
      /** Id of a location, or its `locationId`. */
      locationIds?: Array<string | number>
      /** Id of a user who started threads. */
      userIds?: Array<string>
      /** Id of the agent that started threads. */
      agentId?: string
      /** True: suggestions of agents. */
      agentSuggestions?: boolean
      /** A page that an agent reviewed. */
      agentUrls?: Array<string>
      actionUser?: {
        /** Id of the user. */
        userId: string
        /** Default: the stored name, then the id. */
        name?: string | undefined
        /** Address of the user. */
        email?: string | undefined
        /** Default: the first letters of the first and the last word of the name. */
        initial?: string | undefined
        /** Where a picture of the user is, kept as sent. */
        photoUrl?: string | undefined
        /** The color that stands for the user. */
        color?: string | undefined
        /** The color of text upon `color`. */
        textColor?: string | undefined
      }
      /** True: `actionUser` is required and must have access to the document. A viewer changes only what is the viewer's own, an editor everything. */
      verifyUserPermissions?: boolean
      /** False: no notification, email or webhook for this. Default: true. */
      triggerNotification?: boolean
      /** True: an activity record, whatever the triggers of the activity config say; false: none. Default: as they say. */
      triggerActivities?: boolean
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      /** One result per annotation id. */
      data: Record<string, {
        success: boolean
        message: string
        id: string
      }>
    }>
    /**
     * Delete comments. POST /v2/commentannotations/comments/delete
     *
     * The thread goes with its last comment.
     *
     * @example
     * await client.comments.deleteComments({
     *   organizationId: 'example',
     *   documentId: 'landing-page',
     *   annotationId: 'headline-length',
     *   commentIds: [2],
     * })
     */
    deleteComments(data: {
      /** Id of the organization. */
      organizationId: string
      /** Id of the document. */
      documentId: string
      /** Id of the thread. */
      annotationId: string
      /** Omitted: all. */
      commentIds?: Array<number>
      actionUser?: {
        /** Id of the user. */
        userId: string
        /** Default: the stored name, then the id. */
        name?: string | undefined
        /** Address of the user. */
        email?: string | undefined
        /** Default: the first letters of the first and the last word of the name. */
        initial?: string | undefined
        /** Where a picture of the user is, kept as sent. */
        photoUrl?: string | undefined
        /** The color that stands for the user. */
        color?: string | undefined
        /** The color of text upon `color`. */
        textColor?: string | undefined
      }
      /** True: `actionUser` is required and must have access to the document. A viewer changes only what is the viewer's own, an editor everything. */
      verifyUserPermissions?: boolean
      /** False: no notification, email or webhook for this. Default: true. */
      triggerNotification?: boolean
      /** True: an activity record, whatever the triggers of the activity config say; false: none. Default: as they say. */
      triggerActivities?: boolean
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      /** One result per comment id. */
      data: Record<string, {
        success: boolean
        message: string
        /** Id of the comment, unique in its thread. */
        id: number
      }>
    }>
    /**
     * Get comment annotations. POST /v2/commentannotations/get
     *
     * A page holds at most `pageSize` threads and `PAGE_LIMIT_BYTES` of records, so it may be shorter than asked for. A thread shows its first comment and its latest ones, at most 200 and within the same bytes.
     *
     * @example
     * await client.comments.getCommentAnnotations({ organizationId: 'example', documentId: 'home-page', pageSize: 20 })
     */
    getCommentAnnotations: GroupingOperation<{
      /** Id of the organization. */
      organizationId: string
      /** Id of a thread. */
      annotationIds?: Array<string> | undefined
      /** Id of a location, or its `locationId`. */
      locationIds?: Array<string | number> | undefined
      /** Id of a user who started threads. */
      userIds?: Array<string> | undefined
      /** Id of a document. Neither this nor documentIds: all documents. */
      documentId?: string | undefined
      /** Id of a document. */
      documentIds?: Array<string> | undefined
      /** Id of a folder; its documents. */
      folderId?: string | undefined
      /** Id of a mentioned user. */
      mentionedUserIds?: Array<string> | undefined
      /** Id of the user who resolved threads. */
      resolvedBy?: string | undefined
      /** Id of a status. */
      statusIds?: Array<string> | undefined
      /** Type of a status. */
      statusTypes?: Array<"default" | "ongoing" | "terminal"> | undefined
      /** Id of the agent that started threads. */
      agentId?: string | undefined
      /** Id of the run in which an agent started threads. */
      executionId?: string | undefined
      /** Kind of the agent that started threads. */
      agentType?: "built-in" | "custom" | "external" | undefined
      /** Where the agent that started threads runs. */
      agentSource?: string | undefined
      /** True: suggestions of agents. */
      agentSuggestions?: boolean | undefined
      /** True: comments of agents. */
      agentComments?: boolean | undefined
      /** Last changed after this moment. Epoch milliseconds. */
      updatedAfter?: number | undefined
      /** Last changed before this moment. Epoch milliseconds. */
      updatedBefore?: number | undefined
      /** Created after this moment. Epoch milliseconds. */
      createdAfter?: number | undefined
      /** Created before this moment. Epoch milliseconds. */
      createdBefore?: number | undefined
      /** Only threads that this user may see by their visibility and `context.access`, and in documents that a permission provider, if it is on, lets the user view; pages may be short then. Stored grants are not checked. */
      visibleToUserId?: string | undefined
      /** True: answer a map by document id. */
      groupByDocumentId?: boolean | undefined
      /** By the time of the last change; default: desc. */
      order?: "asc" | "desc" | undefined
      /** Default: 1000. */
      pageSize?: number | undefined
      /** From the page before. */
      pageToken?: string | undefined
    }, {
      status: "success"
      message: string
      /** Null for each unknown annotation id. */
      data: Array<{
        annotationId: string
        /** Which thread of its document it was, from 1 on. It stays. */
        annotationNumber: number
        /** The same. */
        annotationIndex: number
        /** A suggestion proposes a change. */
        type: "comment" | "suggestion"
        commentType: string
        from: {
          userId: string
          name: string
          email?: string
          initial: string
          photoUrl?: string
          color?: string
          textColor?: string
          isAdmin?: boolean
          plan?: string
          type?: string
          isReadOnly?: boolean
          isGuest?: boolean
        }
        assignedTo?: {
          userId: string
          name: string
          email?: string
          initial: string
          photoUrl?: string
          color?: string
          textColor?: string
          isAdmin?: boolean
          plan?: string
          type?: string
          isReadOnly?: boolean
          isGuest?: boolean
        }
        status: {
          id: string
          name: string
          /** A `terminal` status ends the review of the thread. */
          type: "default" | "ongoing" | "terminal"
          /** Color of the status. */
          color?: string
          /** Color behind the status. */
          lightColor?: string
          /** An icon, as SVG. */
          svg?: string
          /** Address of an icon. */
          iconUrl?: string
        }
        statusUpdatedByUserId?: string
        priority?: {
          id: string
          name: string
          /** Color of the status. */
          color?: string
          /** Color behind the status. */
          lightColor?: string
          /** An icon, as SVG. */
          svg?: string
          /** Address of an icon. */
          iconUrl?: string
        }
        resolvedByUserId?: string
        resolvedByUser?: {
          userId: string
          name: string
          email?: string
          initial: string
          photoUrl?: string
          color?: string
          textColor?: string
          isAdmin?: boolean
          plan?: string
          type?: string
          isReadOnly?: boolean
          isGuest?: boolean
        }
        /** A location in the document, with any fields of your own. */
        location?: {
          /** Identifies the location; 0 is one. */
          id?: string | number
          /** Name; identifies the location when it has no id. */
          locationName?: string
          [key: string]: unknown
        }
        /** What the thread points at. */
        targetElement?: Record<string, unknown>
        /** Data of the caller. */
        context?: Record<string, unknown>
        visibilityConfig: {
          /** public: whoever sees the document; organizationPrivate: users of the organization; restricted: the listed users. */
          type: "public" | "organizationPrivate" | "restricted"
          /** The organization of a thread that is organizationPrivate. */
          organizationId?: string
          /** Who sees a restricted thread. */
          userIds?: Array<string>
        }
        suggestion?: {
          /** Id of what would change. */
          targetId?: string
          /** Kind of what would change. */
          targetType?: string
          /** The present value. */
          oldValue?: unknown
          /** The proposed value. */
          newValue?: unknown
          /** The change in words. */
          summary?: string | null
          /** Whether it was accepted or rejected. */
          status?: "pending" | "accepted" | "rejected" | "stale" | "apply_failed"
          /** Whether the target has changed since. */
          driftDetected?: boolean
          /** Why it was rejected. */
          rejectReason?: string | null
          /** Who decided. */
          resolvedBy?: Record<string, unknown> | null
          /** When it was decided, in epoch milliseconds. */
          resolvedAt?: number | null
          [key: string]: unknown
        }
        /** Further fields are kept. */
        agent?: {
          /** Id of the agent. */
          agentId: string
          /** Where the agent runs. */
          agentSource?: string
          /** Default: external for the source `external`, else custom. */
          agentType?: "built-in" | "custom" | "external"
          /** Name of the agent. */
          agentName?: string
          /** Id of the run in which the agent wrote this. */
          executionId?: string
          /** The page that the agent reviewed. */
          url?: string
          /** What the agent found: title, description, severity, findingId, … */
          reason?: Record<string, unknown>
          /** What else is known of it. */
          agentFields?: Array<string>
          [key: string]: unknown
        }
        /** An item of a list of the caller. */
        customList: Array<Record<string, unknown>>
        /** The page that the thread is on. */
        pageInfo?: Record<string, unknown>
        color?: string
        sourceType?: string
        contextId?: string
        comments: Array<{
          commentId: number
          /** How it was said. */
          type: "text" | "voice"
          /** Whether it was changed since. */
          status: "added" | "updated"
          from: {
            userId: string
            name: string
            email?: string
            initial: string
            photoUrl?: string
            color?: string
            textColor?: string
            isAdmin?: boolean
            plan?: string
            type?: string
            isReadOnly?: boolean
            isGuest?: boolean
          }
          commentText?: string
          commentHtml?: string
          commentVoiceUrl?: string
          /** Data of the caller. */
          context?: Record<string, unknown>
          isCommentResolverUsed?: boolean
          isCommentTextAvailable: boolean
          isEdited?: boolean
          editedAt?: number
          attachments: Array<{
            attachmentId: number
            /** Name of the file. */
            name?: string
            /** Address of the file. */
            url?: string
            /** Media type of the file. */
            mimeType?: string
            /** Kind of the file. */
            type?: string
            /** Size in bytes. */
            size?: number
          }>
          /** A recording in the comment. */
          recorders: Array<Record<string, unknown>>
          /** An item of a list of the caller. */
          customList: Array<Record<string, unknown>>
          taggedUserContacts: Array<{
            userId: string
            text?: string
            contact: {
              userId: string
              name: string
              email?: string
              initial: string
              photoUrl?: string
              color?: string
              textColor?: string
              isAdmin?: boolean
              plan?: string
              type?: string
              isReadOnly?: boolean
              isGuest?: boolean
            }
          }>
          /** The mentioned users. */
          to: Array<{
            userId: string
            name: string
            email?: string
            initial: string
            photoUrl?: string
            color?: string
            textColor?: string
            isAdmin?: boolean
            plan?: string
            type?: string
            isReadOnly?: boolean
            isGuest?: boolean
          }>
          /** A mentioned user group. */
          toOrganizationUserGroup: Array<Record<string, unknown>>
          /** Further fields are kept. */
          agent?: {
            /** Id of the agent. */
            agentId: string
            /** Where the agent runs. */
            agentSource?: string
            /** Default: external for the source `external`, else custom. */
            agentType?: "built-in" | "custom" | "external"
            /** Name of the agent. */
            agentName?: string
            /** Id of the run in which the agent wrote this. */
            executionId?: string
            /** The page that the agent reviewed. */
            url?: string
            /** What the agent found: title, description, severity, findingId, … */
            reason?: Record<string, unknown>
            /** What else is known of it. */
            agentFields?: Array<string>
            [key: string]: unknown
          }
          /** Epoch milliseconds. */
          createdAt: number
          /** Epoch milliseconds. */
          lastUpdated: number
          /** Ids of the reactions to it. */
          reactionAnnotationIds: Array<string>
        }>
        /** Epoch milliseconds. */
        createdAt: number
        /** Epoch milliseconds. */
        lastUpdated: number
        locationId: number | null
        metadata: {
          apiKey: string
          documentId: string
          organizationId: string
        }
        /** By a hash of the user id. */
        subscribedUsers: Record<string, {
          user: {
            userId: string
            name: string
            email?: string
            initial: string
            photoUrl?: string
            color?: string
            textColor?: string
            isAdmin?: boolean
            plan?: string
            type?: string
            isReadOnly?: boolean
            isGuest?: boolean
          }
          /** By taking part, or by wish. */
          type: "auto" | "manual"
        }>
        /** By a hash of the user id. */
        unsubscribedUsers: Record<string, {
          user: {
            userId: string
            name: string
            email?: string
            initial: string
            photoUrl?: string
            color?: string
            textColor?: string
            isAdmin?: boolean
            plan?: string
            type?: string
            isReadOnly?: boolean
            isGuest?: boolean
          }
          /** By taking part, or by wish. */
          type: "auto" | "manual"
        }>
        /** Authors, mentioned and assigned users. */
        involvedUserIds: Array<string>
        mentionedUserIds: Array<string>
        viewedByUserIds: Array<string>
        /** Ids of the reactions to the thread as a whole. */
        reactionAnnotationIds: Array<string>
        /** How many comments the thread has. */
        commentsCount: number
        /** True: not all comments are shown; `commentannotations/comments/get` has them all. */
        commentsTruncated?: boolean
      } | null>
      nextPageToken: string | null
    }, {
      status: "success"
      message: string
      /** By document id, when groupByDocumentId is true. */
      data: Record<string, Array<{
        annotationId: string
        /** Which thread of its document it was, from 1 on. It stays. */
        annotationNumber: number
        /** The same. */
        annotationIndex: number
        /** A suggestion proposes a change. */
        type: "comment" | "suggestion"
        commentType: string
        from: {
          userId: string
          name: string
          email?: string
          initial: string
          photoUrl?: string
          color?: string
          textColor?: string
          isAdmin?: boolean
          plan?: string
          type?: string
          isReadOnly?: boolean
          isGuest?: boolean
        }
        assignedTo?: {
          userId: string
          name: string
          email?: string
          initial: string
          photoUrl?: string
          color?: string
          textColor?: string
          isAdmin?: boolean
          plan?: string
          type?: string
          isReadOnly?: boolean
          isGuest?: boolean
        }
        status: {
          id: string
          name: string
          /** A `terminal` status ends the review of the thread. */
          type: "default" | "ongoing" | "terminal"
          /** Color of the status. */
          color?: string
          /** Color behind the status. */
          lightColor?: string
          /** An icon, as SVG. */
          svg?: string
          /** Address of an icon. */
          iconUrl?: string
        }
        statusUpdatedByUserId?: string
        priority?: {
          id: string
          name: string
          /** Color of the status. */
          color?: string
          /** Color behind the status. */
          lightColor?: string
          /** An icon, as SVG. */
          svg?: string
          /** Address of an icon. */
          iconUrl?: string
        }
        resolvedByUserId?: string
        resolvedByUser?: {
          userId: string
          name: string
          email?: string
          initial: string
          photoUrl?: string
          color?: string
          textColor?: string
          isAdmin?: boolean
          plan?: string
          type?: string
          isReadOnly?: boolean
          isGuest?: boolean
        }
        /** A location in the document, with any fields of your own. */
        location?: {
          /** Identifies the location; 0 is one. */
          id?: string | number
          /** Name; identifies the location when it has no id. */
          locationName?: string
          [key: string]: unknown
        }
        /** What the thread points at. */
        targetElement?: Record<string, unknown>
        /** Data of the caller. */
        context?: Record<string, unknown>
        visibilityConfig: {
          /** public: whoever sees the document; organizationPrivate: users of the organization; restricted: the listed users. */
          type: "public" | "organizationPrivate" | "restricted"
          /** The organization of a thread that is organizationPrivate. */
          organizationId?: string
          /** Who sees a restricted thread. */
          userIds?: Array<string>
        }
        suggestion?: {
          /** Id of what would change. */
          targetId?: string
          /** Kind of what would change. */
          targetType?: string
          /** The present value. */
          oldValue?: unknown
          /** The proposed value. */
          newValue?: unknown
          /** The change in words. */
          summary?: string | null
          /** Whether it was accepted or rejected. */
          status?: "pending" | "accepted" | "rejected" | "stale" | "apply_failed"
          /** Whether the target has changed since. */
          driftDetected?: boolean
          /** Why it was rejected. */
          rejectReason?: string | null
          /** Who decided. */
          resolvedBy?: Record<string, unknown> | null
          /** When it was decided, in epoch milliseconds. */
          resolvedAt?: number | null
          [key: string]: unknown
        }
        /** Further fields are kept. */
        agent?: {
          /** Id of the agent. */
          agentId: string
          /** Where the agent runs. */
          agentSource?: string
          /** Default: external for the source `external`, else custom. */
          agentType?: "built-in" | "custom" | "external"
          /** Name of the agent. */
          agentName?: string
          /** Id of the run in which the agent wrote this. */
          executionId?: string
          /** The page that the agent reviewed. */
          url?: string
          /** What the agent found: title, description, severity, findingId, … */
          reason?: Record<string, unknown>
          /** What else is known of it. */
          agentFields?: Array<string>
          [key: string]: unknown
        }
        /** An item of a list of the caller. */
        customList: Array<Record<string, unknown>>
        /** The page that the thread is on. */
        pageInfo?: Record<string, unknown>
        color?: string
        sourceType?: string
        contextId?: string
        comments: Array<{
          commentId: number
          /** How it was said. */
          type: "text" | "voice"
          /** Whether it was changed since. */
          status: "added" | "updated"
          from: {
            userId: string
            name: string
            email?: string
            initial: string
            photoUrl?: string
            color?: string
            textColor?: string
            isAdmin?: boolean
            plan?: string
            type?: string
            isReadOnly?: boolean
            isGuest?: boolean
          }
          commentText?: string
          commentHtml?: string
          commentVoiceUrl?: string
          /** Data of the caller. */
          context?: Record<string, unknown>
          isCommentResolverUsed?: boolean
          isCommentTextAvailable: boolean
          isEdited?: boolean
          editedAt?: number
          attachments: Array<{
            attachmentId: number
            /** Name of the file. */
            name?: string
            /** Address of the file. */
            url?: string
            /** Media type of the file. */
            mimeType?: string
            /** Kind of the file. */
            type?: string
            /** Size in bytes. */
            size?: number
          }>
          /** A recording in the comment. */
          recorders: Array<Record<string, unknown>>
          /** An item of a list of the caller. */
          customList: Array<Record<string, unknown>>
          taggedUserContacts: Array<{
            userId: string
            text?: string
            contact: {
              userId: string
              name: string
              email?: string
              initial: string
              photoUrl?: string
              color?: string
              textColor?: string
              isAdmin?: boolean
              plan?: string
              type?: string
              isReadOnly?: boolean
              isGuest?: boolean
            }
          }>
          /** The mentioned users. */
          to: Array<{
            userId: string
            name: string
            email?: string
            initial: string
            photoUrl?: string
            color?: string
            textColor?: string
            isAdmin?: boolean
            plan?: string
            type?: string
            isReadOnly?: boolean
            isGuest?: boolean
          }>
          /** A mentioned user group. */
          toOrganizationUserGroup: Array<Record<string, unknown>>
          /** Further fields are kept. */
          agent?: {
            /** Id of the agent. */
            agentId: string
            /** Where the agent runs. */
            agentSource?: string
            /** Default: external for the source `external`, else custom. */
            agentType?: "built-in" | "custom" | "external"
            /** Name of the agent. */
            agentName?: string
            /** Id of the run in which the agent wrote this. */
            executionId?: string
            /** The page that the agent reviewed. */
            url?: string
            /** What the agent found: title, description, severity, findingId, … */
            reason?: Record<string, unknown>
            /** What else is known of it. */
            agentFields?: Array<string>
            [key: string]: unknown
          }
          /** Epoch milliseconds. */
          createdAt: number
          /** Epoch milliseconds. */
          lastUpdated: number
          /** Ids of the reactions to it. */
          reactionAnnotationIds: Array<string>
        }>
        /** Epoch milliseconds. */
        createdAt: number
        /** Epoch milliseconds. */
        lastUpdated: number
        locationId: number | null
        metadata: {
          apiKey: string
          documentId: string
          organizationId: string
        }
        /** By a hash of the user id. */
        subscribedUsers: Record<string, {
          user: {
            userId: string
            name: string
            email?: string
            initial: string
            photoUrl?: string
            color?: string
            textColor?: string
            isAdmin?: boolean
            plan?: string
            type?: string
            isReadOnly?: boolean
            isGuest?: boolean
          }
          /** By taking part, or by wish. */
          type: "auto" | "manual"
        }>
        /** By a hash of the user id. */
        unsubscribedUsers: Record<string, {
          user: {
            userId: string
            name: string
            email?: string
            initial: string
            photoUrl?: string
            color?: string
            textColor?: string
            isAdmin?: boolean
            plan?: string
            type?: string
            isReadOnly?: boolean
            isGuest?: boolean
          }
          /** By taking part, or by wish. */
          type: "auto" | "manual"
        }>
        /** Authors, mentioned and assigned users. */
        involvedUserIds: Array<string>
        mentionedUserIds: Array<string>
        viewedByUserIds: Array<string>
        /** Ids of the reactions to the thread as a whole. */
        reactionAnnotationIds: Array<string>
        /** How many comments the thread has. */
        commentsCount: number
        /** True: not all comments are shown; `commentannotations/comments/get` has them all. */
        commentsTruncated?: boolean
      }>>
      nextPageToken: string | null
    }>
    /**
     * Get comments. POST /v2/commentannotations/comments/get
     *
     * A page holds at most `pageSize` comments and `PAGE_LIMIT_BYTES` of records, one at least.
     *
     * @example
     * await client.comments.getComments({ organizationId: 'example', documentId: 'home-page', annotationId: 'price-table' })
     */
    getComments: PagedOperation<[data: {
      /** Id of the organization. */
      organizationId: string
      /** Id of the document. */
      documentId: string
      /** Id of the thread. */
      annotationId: string
      /** Id of a user who wrote comments. */
      userIds?: Array<string> | undefined
      /** Id of the comment, unique in its thread. */
      commentIds?: Array<number> | undefined
      /** Default: 1000. */
      pageSize?: number | undefined
      /** From the page before. */
      pageToken?: string | undefined
    }, options?: CallOptions], {
      status: "success"
      message: string
      /** Null for each unknown comment id. */
      data: Array<{
        commentId: number
        /** How it was said. */
        type: "text" | "voice"
        /** Whether it was changed since. */
        status: "added" | "updated"
        from: {
          userId: string
          name: string
          email?: string
          initial: string
          photoUrl?: string
          color?: string
          textColor?: string
          isAdmin?: boolean
          plan?: string
          type?: string
          isReadOnly?: boolean
          isGuest?: boolean
        }
        commentText?: string
        commentHtml?: string
        commentVoiceUrl?: string
        /** Data of the caller. */
        context?: Record<string, unknown>
        isCommentResolverUsed?: boolean
        isCommentTextAvailable: boolean
        isEdited?: boolean
        editedAt?: number
        attachments: Array<{
          attachmentId: number
          /** Name of the file. */
          name?: string
          /** Address of the file. */
          url?: string
          /** Media type of the file. */
          mimeType?: string
          /** Kind of the file. */
          type?: string
          /** Size in bytes. */
          size?: number
        }>
        /** A recording in the comment. */
        recorders: Array<Record<string, unknown>>
        /** An item of a list of the caller. */
        customList: Array<Record<string, unknown>>
        taggedUserContacts: Array<{
          userId: string
          text?: string
          contact: {
            userId: string
            name: string
            email?: string
            initial: string
            photoUrl?: string
            color?: string
            textColor?: string
            isAdmin?: boolean
            plan?: string
            type?: string
            isReadOnly?: boolean
            isGuest?: boolean
          }
        }>
        /** The mentioned users. */
        to: Array<{
          userId: string
          name: string
          email?: string
          initial: string
          photoUrl?: string
          color?: string
          textColor?: string
          isAdmin?: boolean
          plan?: string
          type?: string
          isReadOnly?: boolean
          isGuest?: boolean
        }>
        /** A mentioned user group. */
        toOrganizationUserGroup: Array<Record<string, unknown>>
        /** Further fields are kept. */
        agent?: {
          /** Id of the agent. */
          agentId: string
          /** Where the agent runs. */
          agentSource?: string
          /** Default: external for the source `external`, else custom. */
          agentType?: "built-in" | "custom" | "external"
          /** Name of the agent. */
          agentName?: string
          /** Id of the run in which the agent wrote this. */
          executionId?: string
          /** The page that the agent reviewed. */
          url?: string
          /** What the agent found: title, description, severity, findingId, … */
          reason?: Record<string, unknown>
          /** What else is known of it. */
          agentFields?: Array<string>
          [key: string]: unknown
        }
        /** Epoch milliseconds. */
        createdAt: number
        /** Epoch milliseconds. */
        lastUpdated: number
        /** Ids of the reactions to it. */
        reactionAnnotationIds: Array<string>
      } | null>
      nextPageToken: string | null
    }>
    /**
     * Update comment annotations. POST /v2/commentannotations/update
     *
     * @example
     * await client.comments.updateCommentAnnotations({
     *   organizationId: 'example',
     *   documentId: 'landing-page',
     *   annotationIds: ['headline-length'],
     *   updatedData: { status: { id: 'RESOLVED' }, priority: { id: 'high', name: 'High' } },
     *   actionUser: { userId: 'nadia', name: 'Nadia Quist' },
     * })
     */
    updateCommentAnnotations(data: {
      /** Id of the organization. */
      organizationId: string
      /** Id of the document. */
      documentId: string
      /** Id of a thread. */
      annotationIds?: Array<string>
      /** Id of a location, or its `locationId`. */
      locationIds?: Array<string | number>
      /** Id of a user who started threads. */
      userIds?: Array<string>
      /** What changes; at most 256 KiB of JSON, as is the thread without its comments afterwards. Null clears a field. */
      updatedData?: {
        /** A location in the document, with any fields of your own. */
        location?: {
          /** Identifies the location; 0 is one. */
          id?: string | number | undefined
          /** Name; identifies the location when it has no id. */
          locationName?: string | undefined
          [key: string]: unknown
        } | null | undefined
        /** What the thread points at: elementId, targetText, occurrence, … */
        targetElement?: Record<string, unknown> | null | undefined
        status?: {
          /** OPEN, IN_PROGRESS, RESOLVED or an id of your own. Omitted: the default status of `type`; one of the two is required. */
          id?: string | undefined
          /** Default: the name of a built-in status, else the id. */
          name?: string | undefined
          /** A `terminal` status ends the review of the thread. Default: that of the built-in status, `default` for one of your own. */
          type?: "default" | "ongoing" | "terminal" | undefined
          /** Color of the status. */
          color?: string | undefined
          /** Color behind the status. */
          lightColor?: string | undefined
          /** An icon, as SVG. */
          svg?: string | undefined
          /** Address of an icon. */
          iconUrl?: string | undefined
        } | undefined
        assignedTo?: {
          /** Id of the user. */
          userId: string
          /** Default: the stored name, then the id. */
          name?: string | undefined
          /** Address of the user. */
          email?: string | undefined
          /** Default: the first letters of the first and the last word of the name. */
          initial?: string | undefined
          /** Where a picture of the user is, kept as sent. */
          photoUrl?: string | undefined
          /** The color that stands for the user. */
          color?: string | undefined
          /** The color of text upon `color`. */
          textColor?: string | undefined
        } | null | undefined
        priority?: {
          /** Id of the priority. */
          id: string
          /** Default: the id. */
          name?: string | undefined
          /** Color of the status. */
          color?: string | undefined
          /** Color behind the status. */
          lightColor?: string | undefined
          /** An icon, as SVG. */
          svg?: string | undefined
          /** Address of an icon. */
          iconUrl?: string | undefined
        } | null | undefined
        /** Data of your own; `access` says whom it is shown to. */
        context?: {
          /** The access fields that it takes to see it. */
          access?: Record<string, string | number | boolean> | undefined
          [key: string]: unknown
        } | null | undefined
        /** An item `{ id, label }` of a list of your own. */
        customList?: Array<Record<string, unknown>> | undefined
        /** The page that the thread is on: url, title, deviceInfo, … Emails lead to its `url`, with the id of the thread as `scommentId`; without one they have no link. */
        pageInfo?: Record<string, unknown> | null | undefined
        /** The color of the thread, for the clients. */
        color?: string | null | undefined
        /** What it comes from, for the clients. */
        sourceType?: string | null | undefined
        /** Your id of its context. */
        contextId?: string | null | undefined
        /** Replaces the suggestion as a whole: to decide, send what was proposed too. */
        suggestion?: {
          /** Id of what would change. */
          targetId?: string | undefined
          /** Kind of what would change. */
          targetType?: string | undefined
          /** The present value. */
          oldValue?: unknown
          /** The proposed value. */
          newValue?: unknown
          /** The change in words. */
          summary?: string | null | undefined
          /** Whether it was accepted or rejected. */
          status?: "pending" | "accepted" | "rejected" | "stale" | "apply_failed" | undefined
          /** Whether the target has changed since. */
          driftDetected?: boolean | undefined
          /** Why it was rejected. */
          rejectReason?: string | null | undefined
          /** Who decided. */
          resolvedBy?: Record<string, unknown> | null | undefined
          /** When it was decided, in epoch milliseconds. */
          resolvedAt?: number | null | undefined
          [key: string]: unknown
        } | undefined
        visibility?: {
          /** public: whoever sees the document; organizationPrivate: users of the organization; restricted: the listed users. */
          type: "public" | "organizationPrivate" | "restricted"
          /** The organization of a thread that is organizationPrivate. */
          organizationId?: string | undefined
          /** Who sees a restricted thread. */
          userIds?: Array<string> | undefined
        } | undefined
        from?: {
          /** Id of the user. */
          userId: string
          /** Default: the stored name, then the id. */
          name?: string | undefined
          /** Address of the user. */
          email?: string | undefined
          /** Default: the first letters of the first and the last word of the name. */
          initial?: string | undefined
          /** Where a picture of the user is, kept as sent. */
          photoUrl?: string | undefined
          /** The color that stands for the user. */
          color?: string | undefined
          /** The color of text upon `color`. */
          textColor?: string | undefined
        } | undefined
        /** Who changed the status. */
        statusUpdatedByUserId?: string | null | undefined
        /** Who resolved the thread. */
        resolvedByUserId?: string | null | undefined
      }
      /** Users to put in place of others. */
      updateUsers?: Array<{
        oldUser: {
          /** Id of the user. */
          userId: string
          /** Default: the stored name, then the id. */
          name?: string | undefined
          /** Address of the user. */
          email?: string | undefined
          /** Default: the first letters of the first and the last word of the name. */
          initial?: string | undefined
          /** Where a picture of the user is, kept as sent. */
          photoUrl?: string | undefined
          /** The color that stands for the user. */
          color?: string | undefined
          /** The color of text upon `color`. */
          textColor?: string | undefined
        }
        newUser: {
          /** Id of the user. */
          userId: string
          /** Default: the stored name, then the id. */
          name?: string | undefined
          /** Address of the user. */
          email?: string | undefined
          /** Default: the first letters of the first and the last word of the name. */
          initial?: string | undefined
          /** Where a picture of the user is, kept as sent. */
          photoUrl?: string | undefined
          /** The color that stands for the user. */
          color?: string | undefined
          /** The color of text upon `color`. */
          textColor?: string | undefined
        }
      }>
      /** Users to subscribe to the threads. In threads of others, a viewer whose permissions are verified may name only themselves. */
      subscribeUsers?: Array<{
        /** Id of the user. */
        userId: string
        /** Default: the stored name, then the id. */
        name?: string | undefined
        /** Address of the user. */
        email?: string | undefined
        /** Default: the first letters of the first and the last word of the name. */
        initial?: string | undefined
        /** Where a picture of the user is, kept as sent. */
        photoUrl?: string | undefined
        /** The color that stands for the user. */
        color?: string | undefined
        /** The color of text upon `color`. */
        textColor?: string | undefined
      }>
      /** Users to unsubscribe from the threads. In threads of others, a viewer whose permissions are verified may name only themselves. */
      unsubscribeUsers?: Array<{
        /** Id of the user. */
        userId: string
        /** Default: the stored name, then the id. */
        name?: string | undefined
        /** Address of the user. */
        email?: string | undefined
        /** Default: the first letters of the first and the last word of the name. */
        initial?: string | undefined
        /** Where a picture of the user is, kept as sent. */
        photoUrl?: string | undefined
        /** The color that stands for the user. */
        color?: string | undefined
        /** The color of text upon `color`. */
        textColor?: string | undefined
      }>
      /** Users who have seen the threads. In threads of others, a viewer whose permissions are verified may name only themselves. */
      viewedByUserIds?: Array<string>
      actionUser?: {
        /** Id of the user. */
        userId: string
        /** Default: the stored name, then the id. */
        name?: string | undefined
        /** Address of the user. */
        email?: string | undefined
        /** Default: the first letters of the first and the last word of the name. */
        initial?: string | undefined
        /** Where a picture of the user is, kept as sent. */
        photoUrl?: string | undefined
        /** The color that stands for the user. */
        color?: string | undefined
        /** The color of text upon `color`. */
        textColor?: string | undefined
      }
      /** True: `actionUser` is required and must have access to the document. A viewer changes only what is the viewer's own, an editor everything. */
      verifyUserPermissions?: boolean
      /** False: no notification, email or webhook for this. Default: true. */
      triggerNotification?: boolean
      /** True: an activity record, whatever the triggers of the activity config say; false: none. Default: as they say. */
      triggerActivities?: boolean
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      /** One result per annotation id. */
      data: Record<string, {
        success: boolean
        message: string
        id: string
      }>
    }>
    /**
     * Update comments. POST /v2/commentannotations/comments/update
     *
     * @example
     * await client.comments.updateComments({
     *   organizationId: 'example',
     *   documentId: 'landing-page',
     *   annotationId: 'headline-length',
     *   commentIds: [1],
     *   updatedData: { commentText: 'The headline has two lines on a phone. Can it be one?' },
     * })
     */
    updateComments(data: {
      /** Id of the organization. */
      organizationId: string
      /** Id of the document. */
      documentId: string
      /** Id of the thread. */
      annotationId: string
      /** Id of the comment, unique in its thread. */
      commentIds: Array<number>
      /** What changes; at most 256 KiB of JSON, as is each comment afterwards. Null clears a field. */
      updatedData: {
        /** The text; `{{userId}}` mentions a user, at most 1,000 in one request. */
        commentText?: string | undefined
        /** The text as HTML. */
        commentHtml?: string | null | undefined
        /** Data of your own; `access` says whom it is shown to. */
        context?: {
          /** The access fields that it takes to see it. */
          access?: Record<string, string | number | boolean> | undefined
          [key: string]: unknown
        } | null | undefined
        /** Whether the text is kept by the caller alone. */
        isCommentResolverUsed?: boolean | undefined
        /** Whether there is a text. */
        isCommentTextAvailable?: boolean | undefined
        /** The mentioned users. */
        taggedUserContacts?: Array<{
          /** Id of the mentioned user. */
          userId: string
          /** The words of the comment that stand for the user. */
          text?: string | undefined
          contact?: {
            /** Id of the user. */
            userId?: string | undefined
            /** Default: the stored name, then the id. */
            name?: string | undefined
            /** Address of the user. */
            email?: string | undefined
            /** Default: the first letters of the first and the last word of the name. */
            initial?: string | undefined
            /** Where a picture of the user is, kept as sent. */
            photoUrl?: string | undefined
            /** The color that stands for the user. */
            color?: string | undefined
            /** The color of text upon `color`. */
            textColor?: string | undefined
          } | undefined
        }> | undefined
        /** All of them. What is sent without its id is the same attachment where all else is equal. */
        attachments?: Array<{
          /** Id of the attachment. Default: a new one. */
          attachmentId?: number | undefined
          /** Name of the file. */
          name?: string | undefined
          /** Address of the file. */
          url?: string | undefined
          /** Media type of the file. */
          mimeType?: string | undefined
          /** Kind of the file. */
          type?: string | undefined
          /** Size in bytes. */
          size?: number | undefined
          [key: string]: unknown
        }> | undefined
        from?: {
          /** Id of the user. */
          userId: string
          /** Default: the stored name, then the id. */
          name?: string | undefined
          /** Address of the user. */
          email?: string | undefined
          /** Default: the first letters of the first and the last word of the name. */
          initial?: string | undefined
          /** Where a picture of the user is, kept as sent. */
          photoUrl?: string | undefined
          /** The color that stands for the user. */
          color?: string | undefined
          /** The color of text upon `color`. */
          textColor?: string | undefined
        } | undefined
      }
      actionUser?: {
        /** Id of the user. */
        userId: string
        /** Default: the stored name, then the id. */
        name?: string | undefined
        /** Address of the user. */
        email?: string | undefined
        /** Default: the first letters of the first and the last word of the name. */
        initial?: string | undefined
        /** Where a picture of the user is, kept as sent. */
        photoUrl?: string | undefined
        /** The color that stands for the user. */
        color?: string | undefined
        /** The color of text upon `color`. */
        textColor?: string | undefined
      } | undefined
      /** True: `actionUser` is required and must have access to the document. A viewer changes only what is the viewer's own, an editor everything. */
      verifyUserPermissions?: boolean | undefined
      /** False: no notification, email or webhook for this. Default: true. */
      triggerNotification?: boolean | undefined
      /** True: an activity record, whatever the triggers of the activity config say; false: none. Default: as they say. */
      triggerActivities?: boolean | undefined
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      /** One result per comment id. */
      data: Record<string, {
        success: boolean
        message: string
        /** Id of the comment, unique in its thread. */
        id: number
      }>
    }>
  }
  reactions: {
    /**
     * Add reactions. POST /v2/reactions/add
     *
     * @example
     * await client.reactions.addReactions({
     *   organizationId: 'example',
     *   documentId: 'landing-page',
     *   annotationId: 'headline-length',
     *   commentId: 1,
     *   reactions: [
     *     { reactionId: 'nadia-agrees', icon: '👍', from: { userId: 'nadia', name: 'Nadia Quist' } },
     *   ],
     * })
     */
    addReactions(data: {
      /** Id of the organization. */
      organizationId: string
      /** Id of the document. */
      documentId: string
      /** Id of the thread. */
      annotationId: string
      /** Id of the comment, unique in its thread. */
      commentId?: number | undefined
      /** A location in the document, with any fields of your own. */
      location?: {
        /** Identifies the location; 0 is one. */
        id?: string | number | undefined
        /** Name; identifies the location when it has no id. */
        locationName?: string | undefined
        [key: string]: unknown
      } | undefined
      /** True: refuse what users write who have no access to the document. */
      verifyUserPermissions?: boolean | undefined
      /** A reaction; at most 256 KiB of JSON. */
      reactions: Array<{
        /** Your id of the reaction, by which it is added once; default: a new one each time. */
        reactionId?: string | undefined
        /** What stands for the reaction. */
        icon: string
        from: {
          /** Id of the user. */
          userId: string
          /** Default: the stored name, then the id. */
          name?: string | undefined
          /** Address of the user. */
          email?: string | undefined
          /** Default: the first letters of the first and the last word of the name. */
          initial?: string | undefined
          /** Where a picture of the user is, kept as sent. */
          photoUrl?: string | undefined
          /** The color that stands for the user. */
          color?: string | undefined
          /** The color of text upon `color`. */
          textColor?: string | undefined
        }
        /** Data of your own. */
        context?: Record<string, unknown> | undefined
        /** False: no notification, email or webhook for this. Default: true. */
        triggerNotification?: boolean | undefined
        /** True: an activity record, whatever the triggers of the activity config say; false: none. Default: as they say. */
        triggerActivities?: boolean | undefined
      }>
      /** False: no notification, email or webhook for this. Default: true. */
      triggerNotification?: boolean | undefined
      /** True: an activity record, whatever the triggers of the activity config say; false: none. Default: as they say. */
      triggerActivities?: boolean | undefined
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      /** One result per reaction id. */
      data: Record<string, {
        success: boolean
        message: string
        id: string
      }>
    }>
    /**
     * Delete reactions. POST /v2/reactions/delete
     *
     * @example
     * await client.reactions.deleteReactions({ organizationId: 'example', documentId: 'landing-page', reactionIds: ['nadia-agrees'] })
     */
    deleteReactions(data: {
      /** Id of the organization. */
      organizationId: string
      /** Only reactions in this document; required with `verifyUserPermissions`. */
      documentId?: string
      /** Id of a reaction. */
      reactionIds: Array<string>
      actionUser?: {
        /** Id of the user. */
        userId: string
        /** Default: the stored name, then the id. */
        name?: string | undefined
        /** Address of the user. */
        email?: string | undefined
        /** Default: the first letters of the first and the last word of the name. */
        initial?: string | undefined
        /** Where a picture of the user is, kept as sent. */
        photoUrl?: string | undefined
        /** The color that stands for the user. */
        color?: string | undefined
        /** The color of text upon `color`. */
        textColor?: string | undefined
      }
      /** True: `actionUser` is required and must have access to the document. A viewer changes only what is the viewer's own, an editor everything. */
      verifyUserPermissions?: boolean
      /** False: no notification, email or webhook for this. Default: true. */
      triggerNotification?: boolean
      /** True: an activity record, whatever the triggers of the activity config say; false: none. Default: as they say. */
      triggerActivities?: boolean
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      /** One result per reaction id. */
      data: Record<string, {
        success: boolean
        message: string
        id: string
      }>
    }>
    /**
     * Get reactions. POST /v2/reactions/get
     *
     * @example
     * await client.reactions.getReactions({ organizationId: 'example', documentId: 'home-page', annotationId: 'price-table' })
     */
    getReactions: PagedOperation<[data: {
      /** Id of the organization. */
      organizationId: string
      /** Only in this document. */
      documentId?: string | undefined
      /** Only to this thread and its comments. */
      annotationId?: string | undefined
      /** Id of the comment, unique in its thread. */
      commentId?: number | undefined
      /** Only of this user. */
      userId?: string | undefined
      /** Id of a reaction. */
      reactionIds?: Array<string> | undefined
      /** Default: 1000. */
      pageSize?: number | undefined
      /** From the page before. */
      pageToken?: string | undefined
    }, options?: CallOptions], {
      status: "success"
      message: string
      data: Array<{
        /** Id of the reaction. */
        annotationId: string
        type: "reaction"
        icon: string
        /** Id of the thread. */
        commentAnnotationId: string
        /** Null: a reaction to the thread as a whole. */
        commentId: number | null
        from: {
          userId: string
          name: string
          email?: string
          initial: string
          photoUrl?: string
          color?: string
          textColor?: string
          isAdmin?: boolean
          plan?: string
          type?: string
          isReadOnly?: boolean
          isGuest?: boolean
        }
        fromUsers: Array<{
          from: {
            userId: string
            name: string
            email?: string
            initial: string
            photoUrl?: string
            color?: string
            textColor?: string
            isAdmin?: boolean
            plan?: string
            type?: string
            isReadOnly?: boolean
            isGuest?: boolean
          }
          lastUpdated: number
        }>
        /** A location in the document, with any fields of your own. */
        location?: {
          /** Identifies the location; 0 is one. */
          id?: string | number
          /** Name; identifies the location when it has no id. */
          locationName?: string
          [key: string]: unknown
        }
        locationId: number | null
        /** Data of the caller. */
        context?: Record<string, unknown>
        /** Epoch milliseconds. */
        lastUpdated: number
        metadata: {
          apiKey: string
          documentId: string
          organizationId: string
        }
      }>
      pageToken: string | null
    }>
  }
  recordings: {
    /**
     * Add recordings. POST /v2/recordings/add
     *
     * @example
     * await client.recordings.addRecordings({
     *   organizationId: 'example',
     *   documentId: 'landing-page',
     *   createDocument: true,
     *   recordings: [
     *     {
     *       annotationId: 'walk-through',
     *       recordingType: 'screen',
     *       mode: 'floating',
     *       recordedTime: { duration: 42000, display: '00:00:42' },
     *       attachments: [
     *         {
     *           name: 'walk-through.webm',
     *           url: 'https://cdn.example.com/walk-through.webm',
     *           mimeType: 'video/webm',
     *         },
     *       ],
     *       from: { userId: 'nadia', name: 'Nadia Quist' },
     *     },
     *   ],
     * })
     */
    addRecordings(data: {
      /** Id of the organization. */
      organizationId: string
      /** Id of the document. */
      documentId: string
      /** Create the organization if it does not exist. */
      createOrganization?: boolean | undefined
      /** Create the document if it does not exist. */
      createDocument?: boolean | undefined
      /** A recording; at most 256 KiB of JSON. */
      recordings: Array<{
        /** Id of the recording. Default: a new one. */
        annotationId?: string | undefined
        /** What was recorded. */
        recordingType: "audio" | "video" | "screen"
        /** How the recording is shown. */
        mode: "floating" | "thread"
        recordedTime: {
          /** Length in milliseconds. */
          duration: number
          /** The length as shown: `HH:MM:SS`. Default: that of the duration. */
          display?: string | undefined
        }
        /** The recorded files. */
        attachments: Array<{
          /** Id of the attachment. Default: a new one. */
          attachmentId?: number | undefined
          /** Name of the file. */
          name?: string | undefined
          /** Address of the file. */
          url?: string | undefined
          /** Media type of the file. */
          mimeType?: string | undefined
          /** Kind of the file. */
          type?: string | undefined
          /** Size in bytes. */
          size?: number | undefined
          [key: string]: unknown
        }>
        /** Name of the recording. */
        displayName?: string | undefined
        /** Number of the newest version. Default: 1. */
        latestVersion?: number | undefined
        from?: {
          /** Id of the user. */
          userId: string
          /** Default: the stored name, then the id. */
          name?: string | undefined
          /** Address of the user. */
          email?: string | undefined
          /** Default: the first letters of the first and the last word of the name. */
          initial?: string | undefined
          /** Where a picture of the user is, kept as sent. */
          photoUrl?: string | undefined
          /** The color that stands for the user. */
          color?: string | undefined
          /** The color of text upon `color`. */
          textColor?: string | undefined
        } | undefined
        /** A location in the document, with any fields of your own. */
        location?: {
          /** Identifies the location; 0 is one. */
          id?: string | number | undefined
          /** Name; identifies the location when it has no id. */
          locationName?: string | undefined
          [key: string]: unknown
        } | undefined
        /** What was said, and addresses of its subtitles. */
        transcription?: Record<string, unknown> | undefined
        /** The thread that it belongs to. */
        commentAnnotationId?: string | undefined
        /** Its loudness over time. */
        waveformData?: Array<number> | undefined
        /** Edited versions, by their number. */
        recordingEditVersions?: Record<string, unknown> | undefined
        /** Addresses of its parts, by their number. */
        chunkUrls?: Record<string, string> | undefined
        /** Data of your own; `access` says whom it is shown to. */
        context?: {
          /** The access fields that it takes to see it. */
          access?: Record<string, string | number | boolean> | undefined
          [key: string]: unknown
        } | undefined
        /** The page that it was made on. */
        pageInfo?: Record<string, unknown> | undefined
      }>
      /** False: no webhook is called. Default: true. */
      triggerNotification?: boolean | undefined
      /** True: an activity is recorded, whatever the triggers of the activity config say; false: none. */
      triggerActivities?: boolean | undefined
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      /** One result per annotation id. */
      data: Record<string, {
        success: boolean
        message: string
        id: string
      }>
    }>
    /**
     * Delete recordings. POST /v2/recordings/delete
     *
     * @example
     * await client.recordings.deleteRecordings({ organizationId: 'example', documentId: 'landing-page', recordingIds: ['walk-through'] })
     */
    deleteRecordings(data: {
      /** Id of the organization. */
      organizationId: string
      /** Only recordings of this document. */
      documentId?: string
      /** Annotation id. */
      recordingIds: Array<string>
      /** True: an activity is recorded, whatever the triggers of the activity config say; false: none. */
      triggerActivities?: boolean
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      /** One result per annotation id. */
      data: Record<string, {
        success: boolean
        message: string
        id: string
      }>
    }>
    /**
     * Get recordings. POST /v2/recordings/get
     *
     * @example
     * await client.recordings.getRecordings({ organizationId: 'example', documentId: 'landing-page' })
     */
    getRecordings: PagedOperation<[data: {
      /** Id of the organization. */
      organizationId: string
      /** Only recordings of this document. */
      documentId?: string | undefined
      /** Omitted: all. */
      recordingIds?: Array<string> | undefined
      /** Default: 1000. */
      pageSize?: number | undefined
      /** From the page before. */
      pageToken?: string | undefined
    }, options?: CallOptions], {
      status: "success"
      message: string
      data: Array<{
        annotationId: string
        /** Always recorder. */
        type: "recorder"
        /** What was recorded. */
        recordingType: "audio" | "video" | "screen"
        /** How the recording is shown. */
        mode: "floating" | "thread"
        displayName: string
        attachments: Array<{
          attachmentId: number
          /** Name of the file. */
          name?: string
          /** Address of the file. */
          url?: string
          /** Media type of the file. */
          mimeType?: string
          /** Kind of the file. */
          type?: string
          /** Size in bytes. */
          size?: number
        }>
        /** Number of the newest version. Default: 1. */
        latestVersion: number
        from?: {
          userId: string
          name: string
          email?: string
          initial: string
          photoUrl?: string
          color?: string
          textColor?: string
          isAdmin?: boolean
          plan?: string
          type?: string
          isReadOnly?: boolean
          isGuest?: boolean
        }
        /** A location in the document, with any fields of your own. */
        location?: {
          /** Identifies the location; 0 is one. */
          id?: string | number
          /** Name; identifies the location when it has no id. */
          locationName?: string
          [key: string]: unknown
        }
        /** What was said. */
        transcription?: Record<string, unknown>
        /** The thread that it belongs to. */
        commentAnnotationId?: string
        /** Its loudness over time. */
        waveformData?: Array<number>
        /** Edited versions, by their number. */
        recordingEditVersions?: Record<string, unknown>
        /** Addresses of its parts, by their number. */
        chunkUrls?: Record<string, string>
        /** Data of your own; `access` says whom it is shown to. */
        context?: {
          /** The access fields that it takes to see it. */
          access?: Record<string, string | number | boolean>
          [key: string]: unknown
        }
        /** The page that it was made on. */
        pageInfo?: Record<string, unknown>
        recordedTime: {
          duration: number
          display: string
        }
        metadata: {
          apiKey: string
          documentId: string
          organizationId: string
        }
        locationId: number | null
        /** Epoch milliseconds. */
        createdAt: number
        /** Epoch milliseconds. */
        lastUpdated: number
      }>
      pageToken: string | null
    }>
    /**
     * Update recordings. POST /v2/recordings/update
     *
     * @example
     * await client.recordings.updateRecordings({
     *   organizationId: 'example',
     *   documentId: 'landing-page',
     *   recordings: [{ annotationId: 'walk-through', displayName: 'The new landing page' }],
     * })
     */
    updateRecordings(data: {
      /** Id of the organization. */
      organizationId: string
      /** Id of the document. */
      documentId: string
      /** A change; at most 256 KiB of JSON, as is the recording afterwards. Null clears a field. */
      recordings: Array<{
        /** Id of the recording. */
        annotationId: string
        /** What was recorded. */
        recordingType?: "audio" | "video" | "screen" | undefined
        /** How the recording is shown. */
        mode?: "floating" | "thread" | undefined
        recordedTime?: {
          /** Length in milliseconds. */
          duration: number
          /** The length as shown: `HH:MM:SS`. Default: that of the duration. */
          display?: string | undefined
        } | undefined
        /** The recorded files, all of them. */
        attachments?: Array<{
          /** Id of the attachment. Default: a new one. */
          attachmentId?: number | undefined
          /** Name of the file. */
          name?: string | undefined
          /** Address of the file. */
          url?: string | undefined
          /** Media type of the file. */
          mimeType?: string | undefined
          /** Kind of the file. */
          type?: string | undefined
          /** Size in bytes. */
          size?: number | undefined
          [key: string]: unknown
        }> | undefined
        /** Number of the newest version. Default: 1. */
        latestVersion?: number | undefined
        /** Name of the recording. */
        displayName?: string | null | undefined
        from?: {
          /** Id of the user. */
          userId: string
          /** Default: the stored name, then the id. */
          name?: string | undefined
          /** Address of the user. */
          email?: string | undefined
          /** Default: the first letters of the first and the last word of the name. */
          initial?: string | undefined
          /** Where a picture of the user is, kept as sent. */
          photoUrl?: string | undefined
          /** The color that stands for the user. */
          color?: string | undefined
          /** The color of text upon `color`. */
          textColor?: string | undefined
        } | null | undefined
        /** A location in the document, with any fields of your own. */
        location?: {
          /** Identifies the location; 0 is one. */
          id?: string | number | undefined
          /** Name; identifies the location when it has no id. */
          locationName?: string | undefined
          [key: string]: unknown
        } | null | undefined
        /** What was said, and addresses of its subtitles. */
        transcription?: Record<string, unknown> | null | undefined
        /** The thread that it belongs to. */
        commentAnnotationId?: string | null | undefined
        /** Its loudness over time. */
        waveformData?: Array<number> | null | undefined
        /** Edited versions, by their number. */
        recordingEditVersions?: Record<string, unknown> | null | undefined
        /** Addresses of its parts, by their number. */
        chunkUrls?: Record<string, string> | null | undefined
        /** Data of your own; `access` says whom it is shown to. */
        context?: {
          /** The access fields that it takes to see it. */
          access?: Record<string, string | number | boolean> | undefined
          [key: string]: unknown
        } | null | undefined
        /** The page that it was made on. */
        pageInfo?: Record<string, unknown> | null | undefined
      }>
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      /** One result per annotation id. */
      data: Record<string, {
        success: boolean
        message: string
        id: string
      }>
    }>
  }
  activities: {
    /**
     * Add activities. POST /v2/activities/add
     *
     * @example
     * await client.activities.addActivities({
     *   organizationId: 'example',
     *   documentId: 'landing-page',
     *   createDocument: true,
     *   activities: [
     *     {
     *       id: 'published-1',
     *       featureType: 'custom',
     *       actionType: 'published',
     *       actionUser: { userId: 'nadia', name: 'Nadia Quist' },
     *       targetEntityId: 'landing-page',
     *       displayMessageTemplate: '{{actionUser.name}} published version {{version}}',
     *       displayMessageTemplateData: { version: '3' },
     *     },
     *   ],
     * })
     */
    addActivities(data: {
      /** Id of the organization. */
      organizationId: string
      /** Id of the document. */
      documentId: string
      /** Create the organization if it does not exist. */
      createOrganization?: boolean | undefined
      /** Create the document if it does not exist. */
      createDocument?: boolean | undefined
      /** A record; at most 256 KiB of JSON. */
      activities: Array<{
        /** Id of the record; one that exists is overwritten. Default: a new one. */
        id?: string | undefined
        /** What the action belongs to. */
        featureType: "comment" | "reaction" | "recorder" | "crdt" | "custom"
        /** Name of the action, such as `comment.add`. */
        actionType: string
        /** Who acted; further fields are kept. */
        actionUser: {
          /** Id of the user. */
          userId: string
          /** Omitted: the stored name, then the id, unless `isActivityResolverUsed` is true. It stays when the user gets another. */
          name?: string | undefined
          /** Address of the user. */
          email?: string | undefined
          [key: string]: unknown
        }
        /** Id of what was acted on; required when featureType is custom. */
        targetEntityId?: string | undefined
        /** Id of the part that was acted on. */
        targetSubEntityId?: string | undefined
        /** What changed, by the name of the field. */
        changes?: Record<string, {
          from?: unknown
          to?: unknown
        }> | undefined
        /** The entity at the time of the action. */
        entityData?: unknown
        /** The target entity at the time of the action. */
        entityTargetData?: unknown
        /** A message with `{{variable}}` placeholders. */
        displayMessageTemplate?: string | undefined
        /** The values of the placeholders. */
        displayMessageTemplateData?: Record<string, unknown> | undefined
        /** Address or name of an icon. */
        actionIcon?: string | undefined
        /** Whether personal data was left out, to be filled in again by your resolver. */
        isActivityResolverUsed?: boolean | undefined
      }>
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      data: {
        success: boolean
        message: string
      }
    }>
    /**
     * Delete activities. POST /v2/activities/delete
     *
     * @example
     * await client.activities.deleteActivities({ organizationId: 'example', activityIds: ['published-1'] })
     */
    deleteActivities(data: {
      /** Id of the organization. */
      organizationId: string
      /** Only activities of this document. */
      documentId?: string
      /** Only activities on this entity. */
      targetEntityId?: string
      /** Id of an activity. */
      activityIds?: Array<string>
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      /** One result per activity id. */
      data: Record<string, {
        success: boolean
        message: string
      }>
    }>
    /**
     * Export the activity log. POST /v2/activities/export
     *
     * Streams the entries of the log as lines: every version of every record, deletions and erasures, by position. The last line, of kind `head`, holds the number of entries and the hash of the last one; a download that lacks it is incomplete. NDJSON holds all that is needed to recompute the chain.
     *
     * @example
     * await client.activities.exportActivities({ organizationId: 'example', format: 'csv' })
     */
    exportActivities(data: {
      /** Id of the organization. */
      organizationId: string
      /** One JSON document per line, or comma-separated values. */
      format: "ndjson" | "csv"
      dateRange?: {
        start?: number | string | undefined
        end?: number | string | undefined
      } | undefined
    }, options?: CallOptions): Promise<string>
    /**
     * Get activities. POST /v2/activities/get
     *
     * @example
     * await client.activities.getActivities({
     *   organizationId: 'example',
     *   documentId: 'home-page',
     *   featureTypes: ['comment'],
     *   pageSize: 20,
     * })
     */
    getActivities: PagedOperation<[data: {
      /** Id of the organization. */
      organizationId: string
      /** Only activities of this document. */
      documentId?: string | undefined
      /** Only activities on this entity. */
      targetEntityId?: string | undefined
      /** Omitted: all. */
      featureTypes?: Array<"comment" | "reaction" | "recorder" | "crdt" | "custom"> | undefined
      /** Omitted: all. */
      actionTypes?: Array<string> | undefined
      /** Only activities of this user. */
      userId?: string | undefined
      /** Omitted: all. */
      activityIds?: Array<string> | undefined
      /** By the time at which they were added. Default: desc. */
      order?: "asc" | "desc" | undefined
      /** Default: 1000. */
      pageSize?: number | undefined
      /** From the page before. */
      pageToken?: string | undefined
    }, options?: CallOptions], {
      status: "success"
      message: string
      data: Array<{
        id: string
        /** What the action belongs to. */
        featureType: "comment" | "reaction" | "recorder" | "crdt" | "custom"
        /** Name of the action, such as `comment.add`. */
        actionType: string
        /** Who acted; further fields are kept. */
        actionUser: {
          /** Id of the user. */
          userId: string
          /** Omitted: the stored name, then the id, unless `isActivityResolverUsed` is true. It stays when the user gets another. */
          name?: string
          /** Address of the user. */
          email?: string
          [key: string]: unknown
        }
        /** Id of what was acted on; required when featureType is custom. */
        targetEntityId?: string
        /** Id of the part that was acted on. */
        targetSubEntityId?: string
        /** What changed, by the name of the field. */
        changes?: Record<string, {
          from?: unknown
          to?: unknown
        }>
        /** The entity at the time of the action. */
        entityData?: unknown
        /** The target entity at the time of the action. */
        entityTargetData?: unknown
        /** A message with `{{variable}}` placeholders. */
        displayMessageTemplate?: string
        /** The values of the placeholders. */
        displayMessageTemplateData?: Record<string, unknown>
        /** Address or name of an icon. */
        actionIcon?: string
        /** Whether personal data was left out, to be filled in again by your resolver. */
        isActivityResolverUsed?: boolean
        /** The template with its values filled in. */
        displayMessage?: string
        /** When the record was added, in epoch milliseconds. */
        timestamp: number
        metadata: {
          apiKey: string
          documentId: string
          organizationId: string
        }
      }>
      pageToken: string | null
    }>
    /**
     * Get the activity log configuration. POST /v2/workspace/activityconfig/get
     *
     * @example
     * await client.activities.getActivityConfig()
     */
    getActivityConfig(data?: Record<string, unknown>, options?: CallOptions): Promise<{
      status: "success"
      message: string
      data: {
        activityServiceConfig: {
          isEnabled: boolean
          /** Whether records can neither be updated nor deleted. */
          immutable?: boolean
          /** Switches by event type (or short name), flat or under one level of groups; a flat key beats a grouped one. */
          triggers?: Record<string, boolean | Record<string, boolean>>
          /** Since when activities are logged. Epoch milliseconds. */
          enabledTime?: number
        }
      }
    }>
    /**
     * Update activities. POST /v2/activities/update
     *
     * @example
     * await client.activities.updateActivities({
     *   organizationId: 'example',
     *   activities: [{ id: 'published-1', displayMessageTemplateData: { version: '3.1' } }],
     * })
     */
    updateActivities(data: {
      /** Id of the organization. */
      organizationId: string
      /** A change; at most 256 KiB of JSON, as is the record afterwards. Null clears a field. */
      activities: Array<{
        /** Id of the activity. */
        id: string
        /** What changed, by the name of the field. */
        changes?: Record<string, {
          from?: unknown
          to?: unknown
        }> | null | undefined
        /** The entity at the time of the action. */
        entityData?: unknown
        /** The target entity at the time of the action. */
        entityTargetData?: unknown
        /** A message with `{{variable}}` placeholders. */
        displayMessageTemplate?: string | null | undefined
        /** The values of the placeholders. */
        displayMessageTemplateData?: Record<string, unknown> | null | undefined
        /** Address or name of an icon. */
        actionIcon?: string | null | undefined
      }>
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      /** One result per activity id. */
      data: Record<string, {
        success: boolean
        message: string
      }>
    }>
    /**
     * Update the activity log configuration. POST /v2/workspace/activityconfig/update
     *
     * @example
     * await client.activities.updateActivityConfig({ activityServiceConfig: { isEnabled: true } })
     */
    updateActivityConfig(data: {
      activityServiceConfig: {
        /** Switches activity logs on or off. */
        isEnabled?: boolean | undefined
        /** Whether records can neither be updated nor deleted. */
        immutable?: boolean | undefined
        /** Switches by event type (or short name), flat or under one level of groups; a flat key beats a grouped one. */
        triggers?: Record<string, boolean | Record<string, boolean>> | undefined
        /** Since when activities are logged. Epoch milliseconds. */
        enabledTime?: number | undefined
      }
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      data: {
        activityServiceConfig: {
          /** Switches activity logs on or off. */
          isEnabled: boolean
          /** Whether records can neither be updated nor deleted. */
          immutable: boolean
          /** Switches by event type (or short name), flat or under one level of groups; a flat key beats a grouped one. */
          triggers: Record<string, boolean | Record<string, boolean>>
          /** Since when activities are logged. Epoch milliseconds. */
          enabledTime?: number
        }
      }
    }>
    /**
     * Verify the activity log. POST /v2/activities/verify
     *
     * Walks the hash chain of the log to its sealed head. Give the count and head of an earlier answer as `anchor` to prove as well that the log only grew since.
     *
     * @example
     * await client.activities.verifyActivities({ organizationId: 'example' })
     */
    verifyActivities(data: {
      /** Id of the organization. */
      organizationId: string
      /** What an earlier answer said. */
      anchor?: {
        /** Number of entries. */
        count: number
        /** SHA-256 of the last entry, hexadecimal. */
        head: string
      } | undefined
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      data: {
        valid: boolean
        /** Number of entries. */
        count: number
        /** SHA-256 of the last entry, hexadecimal. */
        head: string
        firstBreak: {
          /** Id of the activity, where the break is about one. */
          id: string | null
          /** The entry of the log, counted from 1; 0 is the beginning. */
          position: number
          /** What is wrong there. */
          reason: "missing_entry" | "unexpected_entry" | "changed_entry" | "changed_personal_data" | "restored_personal_data" | "wrong_version_shown" | "broken_seal" | "anchor_mismatch"
        } | null
      }
    }>
  }
  notifications: {
    /**
     * Add a notification. POST /v2/notifications/add
     *
     * Without `notifyUsers`, it is at most 256 KiB of JSON.
     *
     * @example
     * await client.notifications.addNotifications({
     *   organizationId: 'example',
     *   documentId: 'landing-page',
     *   createDocument: true,
     *   notificationId: 'launch',
     *   actionUser: { userId: 'nadia', name: 'Nadia Quist' },
     *   notifyUsers: [{ userId: 'iris' }],
     *   displayHeadlineMessageTemplate: '{actionUser} asks for your review',
     *   displayHeadlineMessageTemplateData: { actionUser: { userId: 'nadia', name: 'Nadia Quist' } },
     *   displayBodyMessage: 'The landing page is ready.',
     * })
     */
    addNotifications(data: {
      /** Id of the organization. */
      organizationId: string
      /** Id of the document. */
      documentId: string
      /** Create the organization if it does not exist. */
      createOrganization?: boolean | undefined
      /** Create the document if it does not exist. */
      createDocument?: boolean | undefined
      /** Your id of the notification, by which it reaches nobody twice while it is kept. Default: a new one. */
      notificationId?: string | undefined
      actionUser: {
        /** Id of the user. */
        userId: string
        /** Default: the stored name, then the id. */
        name?: string | undefined
        /** Address of the user. */
        email?: string | undefined
        /** Default: the first letters of the first and the last word of the name. */
        initial?: string | undefined
        /** Where a picture of the user is, kept as sent. */
        photoUrl?: string | undefined
        /** The color that stands for the user. */
        color?: string | undefined
        /** The color of text upon `color`. */
        textColor?: string | undefined
      }
      /** To whom it is addressed. */
      notifyUsers?: Array<{
        /** Id of the user. */
        userId: string
        /** Default: the stored name, then the id. */
        name?: string | undefined
        /** Address of the user. */
        email?: string | undefined
        /** Default: the first letters of the first and the last word of the name. */
        initial?: string | undefined
        /** Where a picture of the user is, kept as sent. */
        photoUrl?: string | undefined
        /** The color that stands for the user. */
        color?: string | undefined
        /** The color of text upon `color`. */
        textColor?: string | undefined
      }> | undefined
      /** False: to `notifyUsers` alone, which is then required. Default: to every other user of the organization too. */
      notifyAll?: boolean | undefined
      /** True: only to those who have access to the document. */
      verifyUserPermissions?: boolean | undefined
      /** Not built: true is refused. */
      isCrossOrganizationEnabled?: false | undefined
      /** Where it comes from. */
      notificationSource?: "custom" | "comment" | "huddle" | "crdt" | undefined
      /** The headline, with `{variable}` placeholders. */
      displayHeadlineMessageTemplate?: string | undefined
      /** The values of the placeholders: actionUser, recipientUser and any of your own. */
      displayHeadlineMessageTemplateData?: Record<string, unknown> | undefined
      /** The text below the headline. */
      displayBodyMessage?: string | undefined
      /** The same as a template, where there is no text. */
      displayBodyMessageTemplate?: string | undefined
      /** The values of its placeholders. */
      displayBodyMessageTemplateData?: Record<string, unknown> | undefined
      /** Data of your own, such as what to open. */
      notificationSourceData?: Record<string, unknown> | undefined
      /** Data of your own, given back in `metadata` beside the fields of the service. `location` or `locationId` in it says where the notification is, unless a `location` beside it does. */
      metadata?: {
        /** A location in the document, with any fields of your own. */
        location?: {
          /** Identifies the location; 0 is one. */
          id?: string | number | undefined
          /** Name; identifies the location when it has no id. */
          locationName?: string | undefined
          [key: string]: unknown
        } | undefined
        /** The id of the location. */
        locationId?: string | number | undefined
        [key: string]: unknown
      } | undefined
      /** A location in the document, with any fields of your own. */
      location?: {
        /** Identifies the location; 0 is one. */
        id?: string | number | undefined
        /** Name; identifies the location when it has no id. */
        locationName?: string | undefined
        [key: string]: unknown
      } | undefined
      /** Data of your own; `access` says whom it is shown to. */
      context?: {
        /** The access fields that it takes to see it. */
        access?: Record<string, string | number | boolean> | undefined
        [key: string]: unknown
      } | undefined
      /** True: the messages may be left out; your own resolver fills them in. Otherwise `displayHeadlineMessageTemplate` is required, and `displayBodyMessage` or its template. */
      isNotificationResolverUsed?: boolean | undefined
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      data: {
        success: boolean
        message: string
      }
    }>
    /**
     * Count unread notifications. POST /v2/notifications/count/get
     *
     * Counts what `notifications/get` lists with `unreadOnly`, and stops at 1000. It asks no permission provider.
     *
     * @example
     * await client.notifications.countNotifications({ organizationId: 'example', userId: 'iris' })
     */
    countNotifications(data: {
      /** Id of the organization. */
      organizationId: string
      /** Only notifications of this document. */
      documentId?: string | undefined
      /** Only at this location: its own id, or the `locationId` that records show. */
      locationId?: string | number | undefined
      /** Whose notifications. */
      userId: string
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      data: {
        /** 1000: so many, or more. */
        unread: number
        /** Of these, how many are addressed to the user. */
        forYou: number
      }
    }>
    /**
     * Delete notifications. POST /v2/notifications/delete
     *
     * At least one filter besides `organizationId`; at most 10,000 notifications per call.
     *
     * @example
     * await client.notifications.deleteNotifications({ organizationId: 'example', notificationIds: ['launch'] })
     */
    deleteNotifications(data: {
      /** Id of the organization. */
      organizationId: string
      /** Only notifications of this document. */
      documentId?: string
      /** Only at this location: its own id, or the `locationId` that records show. */
      locationId?: string | number
      /** Only this user's copies. */
      userId?: string
      /** Id of a notification. */
      notificationIds?: Array<string>
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      /** One result per notification id: those deleted, and those of `notificationIds`. */
      data: Record<string, {
        success: boolean
        message: string
      }>
    }>
    /**
     * Get the notification configuration. POST /v2/workspace/notificationconfig/get
     *
     * @example
     * await client.notifications.getNotificationConfig()
     */
    getNotificationConfig(data?: Record<string, unknown>, options?: CallOptions): Promise<{
      status: "success"
      message: string
      data: {
        useNotificationService: boolean
        notificationServiceConfig: {
          /** Switches by event type (or short name), flat or under one level of groups; a flat key beats a grouped one. */
          triggers: Record<string, boolean | Record<string, boolean>>
          /** How long a notification of a comment waits for inbox and email; what is read meanwhile is not sent. */
          delayConfig: {
            /** Whether they wait. */
            isEnabled: boolean
            /** How long. */
            delaySeconds: number
          }
          batchConfig: {
            /** Notifications of comments gathered, by document or by user: they appear together in the inbox, and are one email. */
            document: {
              /** Whether they are gathered. Where both kinds are on, they are by user. */
              isEnabled: boolean
              /** How long after the first of them all appear. */
              batchWindowSeconds: number
              /** So many appear at once, without waiting. */
              maxActivities: number
            }
            /** Notifications of comments gathered, by document or by user: they appear together in the inbox, and are one email. */
            user: {
              /** Whether they are gathered. Where both kinds are on, they are by user. */
              isEnabled: boolean
              /** How long after the first of them all appear. */
              batchWindowSeconds: number
              /** So many appear at once, without waiting. */
              maxActivities: number
            }
          }
        }
      }
    }>
    /**
     * Get notifications. POST /v2/notifications/get
     *
     * With `userId` the notifications delivered to that user, with whether they were read; also those of documents that the user has lost access to since, unless `verifyUserPermissions` is true or a permission provider is on. What the notification config delays or gathers is among them once it is due, after all that appeared before: `timestamp` is the time of its event. Without `userId` all are listed at once.
     *
     * @example
     * await client.notifications.getNotifications({ organizationId: 'example', userId: 'iris', unreadOnly: true })
     */
    getNotifications: PagedOperation<[data: {
      /** Id of the organization. */
      organizationId: string
      /** Only notifications of this document. */
      documentId?: string | undefined
      /** Only at this location: its own id, or the `locationId` that records show. */
      locationId?: string | number | undefined
      /** Only this user's copies. */
      userId?: string | undefined
      /** Id of a notification. */
      notificationIds?: Array<string> | undefined
      /** True: only of documents that the user has access to by stored grants; requires `userId`. Pages may be short. */
      verifyUserPermissions?: boolean | undefined
      /** True: only what the user has not read; requires `userId`. */
      unreadOnly?: boolean | undefined
      /** By time; with `userId` by when each appeared to the user. Default: desc. */
      order?: "asc" | "desc" | undefined
      /** Default: 1000. */
      pageSize?: number | undefined
      /** From the page before. */
      pageToken?: string | undefined
    }, options?: CallOptions], {
      status: "success"
      message: string
      data: Array<{
        id: string
        /** Where it comes from. */
        notificationSource: "custom" | "comment" | "huddle" | "crdt"
        /** What was done, in the words of basic webhooks. */
        actionType?: string
        actionUser?: {
          userId: string
          name: string
          email?: string
          initial: string
          photoUrl?: string
          color?: string
          textColor?: string
          isAdmin?: boolean
          plan?: string
          type?: string
          isReadOnly?: boolean
          isGuest?: boolean
        }
        /** The headline, with `{variable}` placeholders. */
        displayHeadlineMessageTemplate?: string
        /** The values of the placeholders: actionUser, recipientUser and any of your own. */
        displayHeadlineMessageTemplateData?: Record<string, unknown>
        /** The text below the headline. */
        displayBodyMessage?: string
        /** The same as a template, where there is no text. */
        displayBodyMessageTemplate?: string
        /** The values of its placeholders. */
        displayBodyMessageTemplateData?: Record<string, unknown>
        /** Data of your own, such as what to open. */
        notificationSourceData?: Record<string, unknown>
        metadata: {
          apiKey: string
          organizationId: string
          documentId: string
          clientOrganizationId: string
          clientDocumentId: string
          locationId?: number
          /** A location in the document, with any fields of your own. */
          location?: {
            /** Identifies the location; 0 is one. */
            id?: string | number
            /** Name; identifies the location when it has no id. */
            locationName?: string
            [key: string]: unknown
          }
          [key: string]: unknown
        }
        /** Whether it went to every other user of the organization. */
        notifyAll?: boolean
        /** Data of your own; `access` says whom it is shown to. */
        context?: Record<string, unknown>
        /** Whether the messages are filled in by your own resolver. */
        isNotificationResolverUsed?: boolean
        /** The headline with its values filled in. */
        displayHeadlineMessage?: string
        /** The thread that it tells of. */
        targetAnnotationId?: string
        /** Epoch milliseconds. */
        timestamp: number
        /** Whether the user asked for has not read it. */
        isUnread?: boolean
        /** Whether it is addressed to the user asked for. */
        forYou?: boolean
        /** Whether it is among what is for them, by a hash of the user. */
        notifyUsers: Record<string, boolean>
        /** Whether it is among what is for them, by a hash of the user. */
        notifyUsersByUserId: Record<string, boolean>
      }>
      pageToken: string | null
    }>
    /**
     * Get a user's notification preferences. POST /v2/notifications/config/get
     *
     * What is not set for a document is that of the organization; what is not set there is the default.
     *
     * @example
     * await client.notifications.getUserNotificationConfig({ organizationId: 'example', userId: 'iris', documentIds: ['newsletter'] })
     */
    getUserNotificationConfig(data: {
      /** Id of the organization. */
      organizationId: string
      /** Id of a document. */
      documentIds?: Array<string> | undefined
      /** Id of the user. */
      userId: string
      /** True: the preferences of the organization come first. Otherwise `documentIds` is required. */
      getOrganizationConfig?: boolean | undefined
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      data: Array<{
        config: {
          /** ALL: everything that concerns the user; MINE: only what is addressed to the user; NONE: nothing. */
          inbox: "ALL" | "MINE" | "NONE"
          /** The same for emails. */
          email: "ALL" | "MINE" | "NONE"
          /** The same for Slack; kept for the clients. */
          slack?: "ALL" | "MINE" | "NONE"
        }
        metadata: {
          organizationId: string
          apiKey: string
          /** Absent: the preferences of the organization. */
          documentId?: string
          userId: string
        }
      }>
    }>
    /**
     * Set users' notification preferences. POST /v2/notifications/config/set
     *
     * One call sets at most 10000 pairs of a user and a document.
     *
     * @example
     * await client.notifications.setUserNotificationConfig({
     *   organizationId: 'example',
     *   userIds: ['iris'],
     *   documentIds: ['newsletter'],
     *   config: { inbox: 'ALL', email: 'MINE' },
     * })
     */
    setUserNotificationConfig(data: {
      /** Id of the organization. */
      organizationId: string
      /** Omitted: for every document that has no preferences of its own. */
      documentIds?: Array<string> | undefined
      /** Id of a user. */
      userIds: Array<string>
      config: {
        /** ALL: everything that concerns the user; MINE: only what is addressed to the user; NONE: nothing. */
        inbox?: "ALL" | "MINE" | "NONE" | undefined
        /** The same for emails. */
        email?: "ALL" | "MINE" | "NONE" | undefined
        /** The same for Slack; kept for the clients. */
        slack?: "ALL" | "MINE" | "NONE" | undefined
      }
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      /** One result per user id. */
      data: Record<string, {
        success: boolean
        message: string
        userId: string
        /** The document, where it is one. */
        documentId?: string
        /** The documents that it was set for. */
        documentIds?: Array<string>
      }>
    }>
    /**
     * Update the notification configuration. POST /v2/workspace/notificationconfig/update
     *
     * @example
     * await client.notifications.updateNotificationConfig({ useNotificationService: true })
     */
    updateNotificationConfig(data?: {
      /** Switches the service on or off. */
      useNotificationService?: boolean | undefined
      notificationServiceConfig?: {
        /** Switches by event type (or short name), flat or under one level of groups; a flat key beats a grouped one. */
        triggers?: Record<string, boolean | Record<string, boolean>> | undefined
        delayConfig?: {
          /** Whether they wait. */
          isEnabled?: boolean | undefined
          /** How long. */
          delaySeconds?: number | undefined
        } | undefined
        batchConfig?: {
          document?: {
            /** Whether they are gathered. Where both kinds are on, they are by user. */
            isEnabled?: boolean | undefined
            /** How long after the first of them all appear. */
            batchWindowSeconds?: number | undefined
            /** So many appear at once, without waiting. */
            maxActivities?: number | undefined
          } | undefined
          user?: {
            /** Whether they are gathered. Where both kinds are on, they are by user. */
            isEnabled?: boolean | undefined
            /** How long after the first of them all appear. */
            batchWindowSeconds?: number | undefined
            /** So many appear at once, without waiting. */
            maxActivities?: number | undefined
          } | undefined
        } | undefined
      } | undefined
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      data: {
        useNotificationService: boolean
        notificationServiceConfig: {
          /** Switches by event type (or short name), flat or under one level of groups; a flat key beats a grouped one. */
          triggers: Record<string, boolean | Record<string, boolean>>
          /** How long a notification of a comment waits for inbox and email; what is read meanwhile is not sent. */
          delayConfig: {
            /** Whether they wait. */
            isEnabled: boolean
            /** How long. */
            delaySeconds: number
          }
          batchConfig: {
            /** Notifications of comments gathered, by document or by user: they appear together in the inbox, and are one email. */
            document: {
              /** Whether they are gathered. Where both kinds are on, they are by user. */
              isEnabled: boolean
              /** How long after the first of them all appear. */
              batchWindowSeconds: number
              /** So many appear at once, without waiting. */
              maxActivities: number
            }
            /** Notifications of comments gathered, by document or by user: they appear together in the inbox, and are one email. */
            user: {
              /** Whether they are gathered. Where both kinds are on, they are by user. */
              isEnabled: boolean
              /** How long after the first of them all appear. */
              batchWindowSeconds: number
              /** So many appear at once, without waiting. */
              maxActivities: number
            }
          }
        }
      }
    }>
    /**
     * Update notifications. POST /v2/notifications/update
     *
     * @example
     * await client.notifications.updateNotifications({ organizationId: 'example', notifications: [{ id: 'launch', readByUserIds: ['iris'] }] })
     */
    updateNotifications(data: {
      /** Id of the organization. */
      organizationId: string
      /** Only notifications of this document. */
      documentId?: string | undefined
      /** Only at this location: its own id, or the `locationId` that records show. */
      locationId?: string | number | undefined
      /** Only this user's copies. */
      userId?: string | undefined
      /** True: where `userId` or the `actionUser` has no access to the document, nothing is changed. */
      verifyUserPermissions?: boolean | undefined
      /** A change; without `readByUserIds`, at most 256 KiB of JSON, as is the notification afterwards. Null clears a field. */
      notifications: Array<{
        /** Id of the notification. */
        id: string
        actionUser?: {
          /** Id of the user. */
          userId: string
          /** Default: the stored name, then the id. */
          name?: string | undefined
          /** Address of the user. */
          email?: string | undefined
          /** Default: the first letters of the first and the last word of the name. */
          initial?: string | undefined
          /** Where a picture of the user is, kept as sent. */
          photoUrl?: string | undefined
          /** The color that stands for the user. */
          color?: string | undefined
          /** The color of text upon `color`. */
          textColor?: string | undefined
        } | undefined
        /** The headline, with `{variable}` placeholders. */
        displayHeadlineMessageTemplate?: string | null | undefined
        /** The values of the placeholders: actionUser, recipientUser and any of your own. */
        displayHeadlineMessageTemplateData?: Record<string, unknown> | null | undefined
        /** The text below the headline. */
        displayBodyMessage?: string | null | undefined
        /** The same as a template, where there is no text. */
        displayBodyMessageTemplate?: string | null | undefined
        /** The values of its placeholders. */
        displayBodyMessageTemplateData?: Record<string, unknown> | null | undefined
        /** Data of your own, such as what to open. */
        notificationSourceData?: Record<string, unknown> | null | undefined
        /** Data of your own, given back in `metadata` beside the fields of the service. `location` or `locationId` in it says where the notification is, unless a `location` beside it does. */
        metadata?: {
          /** A location in the document, with any fields of your own. */
          location?: {
            /** Identifies the location; 0 is one. */
            id?: string | number | undefined
            /** Name; identifies the location when it has no id. */
            locationName?: string | undefined
            [key: string]: unknown
          } | undefined
          /** The id of the location. */
          locationId?: string | number | undefined
          [key: string]: unknown
        } | null | undefined
        /** Id of a user who has read it. */
        readByUserIds?: Array<string> | undefined
        /** True: what these users have read stays among what is for them. */
        persistReadForUsers?: boolean | undefined
      }>
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      /** One result per notification id. */
      data: Record<string, {
        success: boolean
        message: string
      }>
    }>
  }
  email: {
    /**
     * Get the email configuration. POST /v2/workspace/emailconfig/get
     *
     * @example
     * await client.email.getEmailConfig()
     */
    getEmailConfig(data?: Record<string, unknown>, options?: CallOptions): Promise<{
      status: "success"
      message: string
      data: {
        useEmailService: boolean
        emailServiceConfig: {
          /** Who sends: the operator's SMTP server, SendGrid, or SendGrid with templates of your own. */
          type: "default" | "sendgrid" | "custom"
          /** The key of the mail provider. */
          apiKey: string
          /** The sender. */
          fromEmail: "" | string
          /** The name beside the sender. */
          fromCompany: string
          /** The provider's template for comments. */
          commentTemplateId: string
          /** The provider's template for mentions. */
          tagTemplateId: string
          /** Switches by event type (or short name), flat or under one level of groups; a flat key beats a grouped one. */
          triggers: Record<string, boolean | Record<string, boolean>>
        }
      }
    }>
    /**
     * List emails. POST /v2/workspace/emails/list
     *
     * They are kept for as long as webhook deliveries. Addresses and words are not part of the log.
     *
     * @example
     * await client.email.listEmails({ organizationId: 'example', status: 'failed', pageSize: 20 })
     */
    listEmails: PagedOperation<[data?: {
      /** Only emails about this organization. */
      organizationId?: string | undefined
      /** Only emails to this user. */
      userId?: string | undefined
      /** Only emails that stand there. */
      status?: "pending" | "sent" | "failed" | "skipped" | undefined
      dateRange?: {
        start?: number | string | undefined
        end?: number | string | undefined
      } | undefined
      /** Default: 1000. */
      pageSize?: number | undefined
      /** From the page before. */
      pageToken?: string | undefined
    }, options?: CallOptions], {
      status: "success"
      message: string
      data: Array<{
        /** Email id; the `Message-ID` of what is sent begins with it. */
        id: string
        organizationId: string
        /** To whom it goes. */
        userId: string
        /** `pending`: it is still to be sent; `skipped`: there was nothing to tell, or nobody to send it. */
        status: "pending" | "sent" | "failed" | "skipped"
        /** How many activities it tells of. */
        activities: number
        /** Attempts so far. */
        attempts: number
        /** Why it was not sent, or not at the last attempt. */
        error: string | null
        /** When its first activity happened. Epoch milliseconds. */
        createdAt: number
        /** When it is sent, or tried again; null when it is not. Epoch milliseconds. */
        nextAttemptAt: number | null
        /** When it was sent, failed or was skipped; null while it is pending. Epoch milliseconds. */
        settledAt: number | null
      }>
      pageToken: string | null
    }>
    /**
     * Preview an email. POST /v2/workspace/emails/preview
     *
     * Composed as it is for the SMTP server. With SendGrid templates of your own, their look is known to SendGrid alone; `properties` are the values that they get.
     *
     * @example
     * await client.email.previewEmail({ kind: 'mention' })
     */
    previewEmail(data?: {
      /** What the email tells of. Default: `mention`. */
      kind?: "mention" | "thread" | "reply" | "assignment" | "status" | "priority" | undefined
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      data: {
        /** The name beside the sender. */
        fromName: string
        subject: string
        /** The body as text. */
        text: string
        /** The body as HTML, which loads nothing. */
        html: string
        /** The values that a template gets. */
        properties: Record<string, unknown>
      }
    }>
    /**
     * Send a test email. POST /v2/workspace/emails/test
     *
     * `emails/list` shows what became of it. It tells of no activity there.
     *
     * @example
     * await client.email.sendTestEmail({ organizationId: 'example', userId: 'iris' })
     */
    sendTestEmail(data: {
      /** The organization whose email it is. */
      organizationId: string
      /** The user who gets it, at the stored address. */
      userId: string
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      data: {
        emailId: string
      }
    }>
    /**
     * Update the email configuration. POST /v2/workspace/emailconfig/update
     *
     * @example
     * await client.email.updateEmailConfig({
     *   useEmailService: true,
     *   emailServiceConfig: { fromEmail: 'reviews@example.com', fromCompany: 'Acme' },
     * })
     */
    updateEmailConfig(data?: {
      /** Switches the service on or off. */
      useEmailService?: boolean | undefined
      emailServiceConfig?: {
        /** Who sends: the operator's SMTP server, SendGrid, or SendGrid with templates of your own. */
        type?: "default" | "sendgrid" | "custom" | undefined
        /** The key of the mail provider. */
        apiKey?: string | null | undefined
        /** The sender. */
        fromEmail?: "" | string | null | undefined
        /** The name beside the sender. */
        fromCompany?: string | null | undefined
        /** The provider's template for comments. */
        commentTemplateId?: string | null | undefined
        /** The provider's template for mentions. */
        tagTemplateId?: string | null | undefined
        /** Switches by event type (or short name), flat or under one level of groups; a flat key beats a grouped one. */
        triggers?: Record<string, boolean | Record<string, boolean>> | undefined
      } | undefined
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      data: {
        useEmailService: boolean
        emailServiceConfig: {
          /** Who sends: the operator's SMTP server, SendGrid, or SendGrid with templates of your own. */
          type: "default" | "sendgrid" | "custom"
          /** The key of the mail provider. */
          apiKey: string
          /** The sender. */
          fromEmail: "" | string
          /** The name beside the sender. */
          fromCompany: string
          /** The provider's template for comments. */
          commentTemplateId: string
          /** The provider's template for mentions. */
          tagTemplateId: string
          /** Switches by event type (or short name), flat or under one level of groups; a flat key beats a grouped one. */
          triggers: Record<string, boolean | Record<string, boolean>>
        }
      }
    }>
  }
  webhooks: {
    /**
     * Create an advanced webhook endpoint. POST /v2/workspace/advancedwebhook/endpoints/create
     *
     * @example
     * await client.webhooks.createEndpoint({
     *   url: 'https://app.example.com/webhooks/precedent',
     *   filterTypes: ['comment.add', 'comment_annotation.status_change'],
     * })
     */
    createEndpoint(data: {
      /** Where events are sent: http or https. */
      url: string
      /** Shown beside the endpoint. */
      description?: string | undefined
      /** Event types to receive; omitted at creation: all but the opt-in suggestion events. */
      filterTypes?: Array<EventType> | undefined
      /** Ids of organizations and documents whose events to receive; null: all. */
      channels?: Array<string> | null | undefined
      /** Whether it receives nothing for now. */
      disabled?: boolean | undefined
      /** Deliveries per second at most; null: no limit. */
      rateLimit?: number | null | undefined
      /** An id of your own. */
      uid?: string | null | undefined
      /** Merged per key; at most 50 keys and 64 KiB of JSON in all. */
      metadata?: Record<string, string> | undefined
      /** Seconds before each retry; empty: none; null: the standard schedule. */
      retrySchedule?: Array<number> | null | undefined
      /** Whether events are sent one at a time, in order: a failing one holds up those behind it. */
      ordered?: boolean | undefined
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      data: {
        /** Endpoint id. */
        id: string
        /** Receives the events. */
        url: string
        description: string
        /** Event types it subscribes to; empty: all but the opt-in suggestion events. */
        filterTypes: Array<EventType>
        /** Organizations and documents whose events it gets. */
        channels: Array<string> | null
        /** Disabled endpoints receive no deliveries. */
        disabled: boolean
        /** Deliveries per second at most. */
        rateLimit: number | null
        /** An id of your own. */
        uid: string | null
        /** ISO-8601. */
        createdAt: string
        /** ISO-8601. */
        updatedAt: string
        metadata: Record<string, string>
        retrySchedule?: Array<number>
        ordered?: boolean
      }
    }>
    /**
     * Delete an advanced webhook endpoint. POST /v2/workspace/advancedwebhook/endpoints/delete
     *
     * @example
     * await client.webhooks.deleteEndpoint({ endpointId: 'ep_0123456789abcdef01234567' })
     */
    deleteEndpoint(data: {
      /** Id of the endpoint. */
      endpointId: string
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      data: {
        endpointId: string
        deleted: true
      }
    }>
    /**
     * Get the advanced webhook configuration. POST /v2/workspace/advancedwebhookconfig/get
     *
     * @example
     * await client.webhooks.getAdvancedWebhookConfig()
     */
    getAdvancedWebhookConfig(data?: Record<string, unknown>, options?: CallOptions): Promise<{
      status: "success"
      message: string
      data: {
        /** Whether endpoints receive events. */
        isEnabled: boolean
        /** Whether payloads are encrypted with `publicKey`. */
        encryptData: boolean
        /** Whether payloads are sent in base64. */
        encodeData: boolean
        /** RSA public key, base64 without PEM header and footer; empty when unset. */
        publicKey: string
        /** Whether personal data is left out of payloads. */
        enableDataProtection: boolean
      }
    }>
    /**
     * Get a webhook delivery. POST /v2/workspace/advancedwebhook/deliveries/get
     *
     * @example
     * await client.webhooks.getDelivery({ deliveryId: 'dlv_the_id_of_a_delivery' })
     */
    getDelivery(data: {
      /** Id of the delivery. */
      deliveryId: string
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      data: {
        /** Delivery id. */
        id: string
        /** The `webhook-id` of every attempt. */
        messageId: string
        /** An endpoint, or `raw` or `processed` for the URLs of basic webhooks. */
        endpointId: string
        eventType: string
        /** Whether it was delivered. */
        status: "pending" | "succeeded" | "failed" | "cancelled"
        /** Attempts so far. */
        attempts: number
        /** When the event was committed. Epoch milliseconds. */
        createdAt: number
        /** When the next attempt is due; null if there is none. Epoch milliseconds. */
        nextAttemptAt: number | null
        lastAttempt: {
          number: number
          /** When it was sent. Epoch milliseconds. */
          sentAt: number
          /** From sending to the end of the response. */
          durationMs: number
          url: string
          /** HTTP status; null without a response. */
          status: number | null
          /** The first 4 KiB of the response. */
          response: string | null
          /** Why there was no response. */
          error: string | null
        } | null
        request: {
          /** Where the next attempt would go; null when the endpoint is gone. */
          url: string | null
          /** What is sent, before protection, encryption and encoding. */
          payload: unknown
        }
        /** The latest 100 attempts that are still stored, the first one first; `attempts` counts all. */
        attemptLog: Array<{
          number: number
          /** When it was sent. Epoch milliseconds. */
          sentAt: number
          /** From sending to the end of the response. */
          durationMs: number
          url: string
          /** HTTP status; null without a response. */
          status: number | null
          /** The first 4 KiB of the response. */
          response: string | null
          /** Why there was no response. */
          error: string | null
        }>
      }
    }>
    /**
     * Get the signing secret of an advanced webhook endpoint. POST /v2/workspace/advancedwebhook/endpoints/secret/get
     *
     * @example
     * await client.webhooks.getEndpointSecret({ endpointId: 'ep_0123456789abcdef01234567' })
     */
    getEndpointSecret(data: {
      /** Id of the endpoint. */
      endpointId: string
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      data: {
        endpointId: string
        /** `whsec_…` */
        secret: string
      }
    }>
    /**
     * List advanced webhook endpoints. POST /v2/workspace/advancedwebhook/endpoints/get
     *
     * @example
     * await client.webhooks.getEndpoints()
     */
    getEndpoints: PagedOperation<[data?: {
      /** Endpoints per page; default: 50. */
      limit?: number | undefined
      /** `iterator` or `prevIterator` of an earlier response. */
      iterator?: string | undefined
    }, options?: CallOptions], {
      status: "success"
      message: string
      data: {
        endpoints: Array<{
          /** Endpoint id. */
          id: string
          /** Receives the events. */
          url: string
          description: string
          /** Event types it subscribes to; empty: all but the opt-in suggestion events. */
          filterTypes: Array<EventType>
          /** Organizations and documents whose events it gets. */
          channels: Array<string> | null
          /** Disabled endpoints receive no deliveries. */
          disabled: boolean
          /** Deliveries per second at most. */
          rateLimit: number | null
          /** An id of your own. */
          uid: string | null
          /** ISO-8601. */
          createdAt: string
          /** ISO-8601. */
          updatedAt: string
          metadata: Record<string, string>
          retrySchedule?: Array<number>
          ordered?: boolean
        }>
        /** Leads to the next page; null on the last. */
        iterator: string | null
        /** Leads to the previous page; null on the first. */
        prevIterator: string | null
        /** Whether this is the last page. */
        done: boolean
      }
    }>
    /**
     * Get the basic webhook configuration. POST /v2/workspace/webhookconfig/get
     *
     * @example
     * await client.webhooks.getWebhookConfig()
     */
    getWebhookConfig(data?: Record<string, unknown>, options?: CallOptions): Promise<{
      status: "success"
      message: string
      data: {
        useWebhookService: boolean
        webhookServiceConfig: {
          /** Sent with each request as `Authorization: Basic <authToken>`: visible ASCII characters and spaces. */
          authToken: string
          /** Receives every event as it is. */
          rawNotificationUrl: "" | string
          /** Receives every event prepared for display. */
          processedNotificationUrl: "" | string
          /** Whether payloads are sent in base64. */
          encodeData: boolean
          /** Whether payloads are encrypted with `publicKey`. */
          encryptData: boolean
          /** RSA public key, base64 without PEM header and footer. */
          publicKey: string
          /** Whether personal data is left out of payloads. */
          enableDataProtection: boolean
          /** Switches by event type (or short name), flat or under one level of groups; a flat key beats a grouped one. */
          triggers: Record<string, boolean | Record<string, boolean>>
        }
      }
    }>
    /**
     * List webhook deliveries. POST /v2/workspace/advancedwebhook/deliveries/list
     *
     * @example
     * await client.webhooks.listDeliveries({ status: 'failed', pageSize: 20 })
     */
    listDeliveries: PagedOperation<[data?: {
      /** An endpoint, or `raw` or `processed`. */
      endpointId?: string | undefined
      /** Only deliveries with this status. */
      status?: "pending" | "succeeded" | "failed" | "cancelled" | undefined
      /** Only this event type. */
      eventType?: string | undefined
      /** Only those whose last attempt was answered so; `none`: it had no response. */
      httpStatus?: "2xx" | "3xx" | "4xx" | "5xx" | "none" | undefined
      /** Only of this event: the `webhook-id`. */
      eventId?: string | undefined
      /** Only of events of this organization. */
      organizationId?: string | undefined
      /** Only of events of this document. */
      documentId?: string | undefined
      dateRange?: {
        start?: number | string | undefined
        end?: number | string | undefined
      } | undefined
      /** Default: 1000. */
      pageSize?: number | undefined
      /** From the previous page. */
      pageToken?: string | undefined
    }, options?: CallOptions], {
      status: "success"
      message: string
      data: Array<{
        /** Delivery id. */
        id: string
        /** The `webhook-id` of every attempt. */
        messageId: string
        /** An endpoint, or `raw` or `processed` for the URLs of basic webhooks. */
        endpointId: string
        eventType: string
        /** Whether it was delivered. */
        status: "pending" | "succeeded" | "failed" | "cancelled"
        /** Attempts so far. */
        attempts: number
        /** When the event was committed. Epoch milliseconds. */
        createdAt: number
        /** When the next attempt is due; null if there is none. Epoch milliseconds. */
        nextAttemptAt: number | null
        lastAttempt: {
          number: number
          /** When it was sent. Epoch milliseconds. */
          sentAt: number
          /** From sending to the end of the response. */
          durationMs: number
          url: string
          /** HTTP status; null without a response. */
          status: number | null
          /** The first 4 KiB of the response. */
          response: string | null
          /** Why there was no response. */
          error: string | null
        } | null
      }>
      pageToken: string | null
    }>
    /**
     * Replay the webhook deliveries of a time range. POST /v2/workspace/advancedwebhook/deliveries/replay
     *
     * Test events are not replayed; `deliveries/resend` repeats one.
     *
     * @example
     * await client.webhooks.replayDeliveries({
     *   endpointId: 'ep_0123456789abcdef01234567',
     *   dateRange: { start: 1767225600000, end: 1767312000000 },
     *   status: 'failed',
     * })
     */
    replayDeliveries(data: {
      /** An endpoint, or `raw` or `processed`. */
      endpointId: string
      /** With `start`, `end` or both. */
      dateRange: {
        start?: number | string | undefined
        end?: number | string | undefined
      }
      /** Only deliveries with this status; events without a delivery are then left out. */
      status?: "pending" | "succeeded" | "failed" | "cancelled" | undefined
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      data: {
        /** How many deliveries were queued, at most 10,000. */
        queued: number
      }
    }>
    /**
     * Resend a webhook delivery. POST /v2/workspace/advancedwebhook/deliveries/resend
     *
     * @example
     * await client.webhooks.resendDelivery({ deliveryId: 'dlv_the_id_of_a_delivery' })
     */
    resendDelivery(data: {
      /** Id of the delivery. */
      deliveryId: string
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      data: {
        /** Delivery id. */
        id: string
        /** The `webhook-id` of every attempt. */
        messageId: string
        /** An endpoint, or `raw` or `processed` for the URLs of basic webhooks. */
        endpointId: string
        eventType: string
        /** Whether it was delivered. */
        status: "pending" | "succeeded" | "failed" | "cancelled"
        /** Attempts so far. */
        attempts: number
        /** When the event was committed. Epoch milliseconds. */
        createdAt: number
        /** When the next attempt is due; null if there is none. Epoch milliseconds. */
        nextAttemptAt: number | null
        lastAttempt: {
          number: number
          /** When it was sent. Epoch milliseconds. */
          sentAt: number
          /** From sending to the end of the response. */
          durationMs: number
          url: string
          /** HTTP status; null without a response. */
          status: number | null
          /** The first 4 KiB of the response. */
          response: string | null
          /** Why there was no response. */
          error: string | null
        } | null
      }
    }>
    /**
     * Rotate the signing secret of an advanced webhook endpoint. POST /v2/workspace/advancedwebhook/endpoints/secret/rotate
     *
     * @example
     * await client.webhooks.rotateEndpointSecret({ endpointId: 'ep_0123456789abcdef01234567', overlapSeconds: 3600 })
     */
    rotateEndpointSecret(data: {
      /** Id of the endpoint. */
      endpointId: string
      /** How long the previous secret stays valid; default: 86400, one day; 0: all earlier secrets are void at once. At most 4 earlier secrets stay valid; beyond that the oldest end. */
      overlapSeconds?: number | undefined
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      data: {
        endpointId: string
        /** The new secret. */
        secret: string
      }
    }>
    /**
     * Send a test event to an advanced webhook endpoint. POST /v2/workspace/advancedwebhook/endpoints/test
     *
     * @example
     * await client.webhooks.testEndpoint({ endpointId: 'ep_0123456789abcdef01234567', eventType: 'comment.add' })
     */
    testEndpoint(data: {
      /** Id of the endpoint. */
      endpointId: string
      /** The type of the event; default: the first one it lists, or `comment.add`. */
      eventType?: EventType | undefined
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      data: {
        /** Delivery id. */
        id: string
        /** The `webhook-id` of every attempt. */
        messageId: string
        /** An endpoint, or `raw` or `processed` for the URLs of basic webhooks. */
        endpointId: string
        eventType: string
        /** Whether it was delivered. */
        status: "pending" | "succeeded" | "failed" | "cancelled"
        /** Attempts so far. */
        attempts: number
        /** When the event was committed. Epoch milliseconds. */
        createdAt: number
        /** When the next attempt is due; null if there is none. Epoch milliseconds. */
        nextAttemptAt: number | null
        lastAttempt: {
          number: number
          /** When it was sent. Epoch milliseconds. */
          sentAt: number
          /** From sending to the end of the response. */
          durationMs: number
          url: string
          /** HTTP status; null without a response. */
          status: number | null
          /** The first 4 KiB of the response. */
          response: string | null
          /** Why there was no response. */
          error: string | null
        } | null
      }
    }>
    /**
     * Update the advanced webhook configuration. POST /v2/workspace/advancedwebhookconfig/update
     *
     * @example
     * await client.webhooks.updateAdvancedWebhookConfig({ isEnabled: true })
     */
    updateAdvancedWebhookConfig(data?: {
      /** Whether endpoints receive events. */
      isEnabled?: boolean | undefined
      /** Whether payloads are encrypted with `publicKey`. */
      encryptData?: boolean | undefined
      /** Whether payloads are sent in base64. */
      encodeData?: boolean | undefined
      /** RSA public key, base64 without PEM header and footer; empty when unset. */
      publicKey?: string | null | undefined
      /** Whether personal data is left out of payloads. */
      enableDataProtection?: boolean | undefined
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      data: {
        /** Whether endpoints receive events. */
        isEnabled: boolean
        /** Whether payloads are encrypted with `publicKey`. */
        encryptData: boolean
        /** Whether payloads are sent in base64. */
        encodeData: boolean
        /** RSA public key, base64 without PEM header and footer; empty when unset. */
        publicKey: string
        /** Whether personal data is left out of payloads. */
        enableDataProtection: boolean
      }
    }>
    /**
     * Update an advanced webhook endpoint. POST /v2/workspace/advancedwebhook/endpoints/update
     *
     * @example
     * await client.webhooks.updateEndpoint({ endpointId: 'ep_0123456789abcdef01234567', description: 'Review events for the app' })
     */
    updateEndpoint(data: {
      /** Id of the endpoint. */
      endpointId: string
      /** Where events are sent: http or https. */
      url?: string | undefined
      /** Shown beside the endpoint. */
      description?: string | null | undefined
      /** Event types to receive; omitted at creation: all but the opt-in suggestion events. */
      filterTypes?: Array<EventType> | null | undefined
      /** Ids of organizations and documents whose events to receive; null: all. */
      channels?: Array<string> | null | undefined
      /** Whether it receives nothing for now. */
      disabled?: boolean | undefined
      /** Deliveries per second at most; null: no limit. */
      rateLimit?: number | null | undefined
      /** An id of your own. */
      uid?: string | null | undefined
      /** Merged per key; null removes a key. At most 50 keys and 64 KiB of JSON in all. */
      metadata?: Record<string, string | null> | undefined
      /** Seconds before each retry; empty: none; null: the standard schedule. */
      retrySchedule?: Array<number> | null | undefined
      /** Whether events are sent one at a time, in order: a failing one holds up those behind it. */
      ordered?: boolean | undefined
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      data: {
        /** Endpoint id. */
        id: string
        /** Receives the events. */
        url: string
        description: string
        /** Event types it subscribes to; empty: all but the opt-in suggestion events. */
        filterTypes: Array<EventType>
        /** Organizations and documents whose events it gets. */
        channels: Array<string> | null
        /** Disabled endpoints receive no deliveries. */
        disabled: boolean
        /** Deliveries per second at most. */
        rateLimit: number | null
        /** An id of your own. */
        uid: string | null
        /** ISO-8601. */
        createdAt: string
        /** ISO-8601. */
        updatedAt: string
        metadata: Record<string, string>
        retrySchedule?: Array<number>
        ordered?: boolean
      }
    }>
    /**
     * Update the basic webhook configuration. POST /v2/workspace/webhookconfig/update
     *
     * @example
     * await client.webhooks.updateWebhookConfig({
     *   useWebhookService: true,
     *   webhookServiceConfig: { rawNotificationUrl: 'https://app.example.com/webhooks/basic' },
     * })
     */
    updateWebhookConfig(data?: {
      /** Switches the service on or off. */
      useWebhookService?: boolean | undefined
      webhookServiceConfig?: {
        /** Sent with each request as `Authorization: Basic <authToken>`: visible ASCII characters and spaces. */
        authToken?: string | null | undefined
        /** Receives every event as it is. */
        rawNotificationUrl?: "" | string | null | undefined
        /** Receives every event prepared for display. */
        processedNotificationUrl?: "" | string | null | undefined
        /** Whether payloads are sent in base64. */
        encodeData?: boolean | undefined
        /** Whether payloads are encrypted with `publicKey`. */
        encryptData?: boolean | undefined
        /** RSA public key, base64 without PEM header and footer. */
        publicKey?: string | null | undefined
        /** Whether personal data is left out of payloads. */
        enableDataProtection?: boolean | undefined
        /** Switches by event type (or short name), flat or under one level of groups; a flat key beats a grouped one. */
        triggers?: Record<string, boolean | Record<string, boolean>> | undefined
      } | undefined
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      data: {
        useWebhookService: boolean
        webhookServiceConfig: {
          /** Sent with each request as `Authorization: Basic <authToken>`: visible ASCII characters and spaces. */
          authToken: string
          /** Receives every event as it is. */
          rawNotificationUrl: "" | string
          /** Receives every event prepared for display. */
          processedNotificationUrl: "" | string
          /** Whether payloads are sent in base64. */
          encodeData: boolean
          /** Whether payloads are encrypted with `publicKey`. */
          encryptData: boolean
          /** RSA public key, base64 without PEM header and footer. */
          publicKey: string
          /** Whether personal data is left out of payloads. */
          enableDataProtection: boolean
          /** Switches by event type (or short name), flat or under one level of groups; a flat key beats a grouped one. */
          triggers: Record<string, boolean | Record<string, boolean>>
        }
      }
    }>
  }
  memory: {
    /**
     * Import judgments. POST /v2/memory/judgments/add
     *
     * @example
     * await client.memory.addJudgments({
     *   organizationId: 'example',
     *   documentId: 'home-page',
     *   judgments: [
     *     {
     *       recordId: 'review-1',
     *       decision: 'reject',
     *       reasoning: 'The claim has no source. Name the test, or leave it out.',
     *       content: 'Headline: "The quietest motor on the market"',
     *       contentUserId: 'iris',
     *       actionUser: { userId: 'nadia', name: 'Nadia Quist' },
     *     },
     *   ],
     * })
     */
    addJudgments(data: {
      /** Organization of the judgments that name none. */
      organizationId?: string | undefined
      /** Document of the judgments that name none; requires `organizationId`. */
      documentId?: string | undefined
      judgments: Array<{
        /** Id of the judgment; one that exists is overwritten. Default: a new one. */
        recordId?: string | undefined
        /** Such as `approve` or `reject`; kept as given. */
        decision: string
        /** Why it was decided so. */
        reasoning: string
        /** What was reviewed; without it, suggestions go by the reasoning. */
        content?: string | undefined
        /** Id of the user who wrote what was reviewed; it is removed with the data of that user. */
        contentUserId?: string | undefined
        /** Kind of what was reviewed. */
        contentType?: string | undefined
        /** How sure the reviewer was. Default: 1. */
        confidence?: number | undefined
        /** Default: agent where an agent is given, else human. */
        judgeType?: "human" | "agent" | undefined
        agent?: {
          /** Id of the agent. */
          agentId: string
          /** Kind of the agent, such as built-in, custom or external. */
          agentType?: string | undefined
          /** Id of the run in which it decided. */
          executionId?: string | undefined
          /** What else is known of it: an object or a list. */
          agentFields?: Record<string, unknown> | Array<unknown> | undefined
        } | undefined
        actionUser: {
          /** Id of the user. */
          userId: string
          /** Name of the user. */
          name: string
          /** Address of the user. */
          email?: string | undefined
          /** True beside the userId `api`: nobody was named. */
          isSystem?: boolean | undefined
        }
        /** Id of the comment thread in which it was decided. */
        annotationId?: string | undefined
        /** When it was decided; a time in the future counts as now. Default: now. Epoch milliseconds. */
        createdAt?: number | undefined
        /** Default: that of the request. */
        organizationId?: string | undefined
        /** Default: that of the request; requires an organization. */
        documentId?: string | undefined
      }>
    }, options?: CallOptions): Promise<{
      /** One result per record id. */
      results: Record<string, {
        success: boolean
        message: string
      }>
    }>
    /**
     * Delete judgments. POST /v2/memory/judgments/delete
     *
     * @example
     * await client.memory.deleteJudgments({ recordIds: ['review-1'] })
     */
    deleteJudgments(data: {
      /** Id of a judgment. */
      recordIds: Array<string>
    }, options?: CallOptions): Promise<{
      /** One result per record id. */
      results: Record<string, {
        success: boolean
        message: string
      }>
    }>
    /**
     * Evaluate the decision memory. POST /v2/memory/evaluate
     *
     * Asks about judgments of the past what would have been suggested and found then, by what was known before each. `evaluations/get` returns how far it is, and the report. An API key has one running at a time; the last 20 are kept.
     *
     * @example
     * await client.memory.evaluateMemory()
     */
    evaluateMemory(data?: {
      /** The judgments since then are asked about. Default: the last 30 %. Epoch milliseconds. */
      from?: number | undefined
    }, options?: CallOptions): Promise<{
      evaluationId: string
    }>
    /**
     * Export judgments. POST /v2/memory/judgments/export
     *
     * Streams judgments as NDJSON in no particular order, each line an item that `judgments/add` takes: adding them, to this or another API key, restores them with their ids and times. Judgments that are written meanwhile may be among them or not.
     *
     * @example
     * await client.memory.exportJudgments({ organizationId: 'example', side: 'reject' })
     */
    exportJudgments(data?: {
      /** Only judgments of this organization. */
      organizationId?: string | undefined
      /** Only judgments of this document; requires `organizationId`. */
      documentId?: string | undefined
      /** Only judgments of these documents, in any organization searched. */
      documentIds?: Array<string> | undefined
      /** No judgments of these documents; those of no document stay. */
      excludeDocumentIds?: Array<string> | undefined
      /** `approve` and `approved` are one, as are `reject` and `rejected`. */
      decision?: string | undefined
      /** Only judgments that take this side in a suggestion: `disagree` and `document_rejected` reject too. */
      side?: "approve" | "reject" | undefined
      /** Who decided: a person or an AI agent. */
      judgeType?: "human" | "agent" | undefined
      /** Kind of what was reviewed. */
      contentType?: string | undefined
      /** Id of the user who decided. */
      reviewerId?: string | undefined
      /** Only judgments of this comment thread; requires `organizationId`. */
      annotationId?: string | undefined
      dateRange?: {
        start?: number | string | undefined
        end?: number | string | undefined
      } | undefined
    }, options?: CallOptions): Promise<string>
    /**
     * Get evaluations of the decision memory. POST /v2/memory/evaluations/get
     *
     * @example
     * await client.memory.getEvaluations()
     */
    getEvaluations(data?: {
      /** From the answer of `memory/evaluate`. Default: all that are kept. */
      evaluationId?: string | undefined
    }, options?: CallOptions): Promise<{
      evaluations: Array<{
        evaluationId: string
        /** How far it is; `failed` after three attempts. */
        status: "queued" | "running" | "completed" | "failed"
        /** The judgments since then are asked about. Epoch milliseconds; null: not known yet. */
        from: number | null
        /** How many judgments have been read. */
        read: number
        /** Of how many; null: not known yet. */
        total: number | null
        /** When it was asked for. Epoch milliseconds. */
        createdAt: number
        /** When it ended. Epoch milliseconds. */
        finishedAt: number | null
        report: {
          /** The judgments since then are the test. Epoch milliseconds. */
          from: number
          /** Judgments that were read. */
          judgments: number
          /** Those that took a side. */
          sided: number
          /** Test judgments that say nothing of what was reviewed, so that nothing could be asked. */
          withoutContent: number
          /** Items that were asked about, each with what was known before it. */
          asked: number
          /** Of more than 10,000 test judgments, only every n-th is asked about. */
          everyNth: number
          /** The most judgments that were known at a time: the latest. */
          window: number
          /** The embedding model that was compared by; null: words alone. */
          model: string | null
          /** How many of the asked got a suggestion. Null: nothing to measure. */
          coverage: number | null
          quality: {
            /** How often the forecast was what was decided. Null: nothing to measure. */
            accuracy: number | null
            /** How probable it is that an approval was held more likely than a rejection; 0.5 is chance. Null: nothing to measure. */
            auc: number | null
            /** Expected calibration error: by how much confidence and accuracy differ on average. Null: nothing to measure. */
            ece: number | null
            /** Mean squared error of the probability; 0.25 is a coin. Null: nothing to measure. */
            brier: number | null
          }
          majority: {
            /** How often the more frequent side so far was decided. Null: nothing to measure. */
            accuracy: number | null
            /** The same among those that got a suggestion. Null: nothing to measure. */
            accuracyWhereAnswered: number | null
          }
          /** By confidence, in ten steps from 0.5 to 1; empty ones are left out. */
          calibration: Array<{
            from: number
            to: number
            /** Suggestions with a confidence in between. */
            count: number
            /** Their mean confidence. */
            confidence: number
            /** How many of them were right. */
            accuracy: number
          }>
          /** Up to 20 periods of equal length, in the order of time; empty ones are left out. */
          overTime: Array<{
            /** Start of the period. Epoch milliseconds. */
            from: number
            /** End of the period. Epoch milliseconds. */
            to: number
            /** Items asked about. */
            asked: number
            /** Items that got a suggestion. */
            answered: number
            /** How often it was right. Null: nothing to measure. */
            accuracy: number | null
            /** Its mean confidence. Null: nothing to measure. */
            confidence: number | null
            /** How many of the asked were approved. Null: nothing to measure. */
            approvals: number | null
          }>
          scopes: {
            /** Answered there. */
            document: number
            /** Answered there. */
            organization: number
            /** Answered there. */
            apiKey: number
          }
          /** Suggestions whose evidence was split. */
          conflicts: number
          /** Searches for what was reviewed. */
          searches: {
            review: {
              /** Of how many items the first five hits hold a judgment that took a side. Null: nothing to measure. */
              found: number | null
              /** Of these, how often at least one took the side that was taken then. Null: nothing to measure. */
              anyAlike: number | null
              /** The mean share of hits that did. Null: nothing to measure. */
              alike: number | null
              /** The same of any judgments before. Null: nothing to measure. */
              byChance: number | null
            }
            content: {
              /** Of how many items the first five hits hold a judgment that took a side. Null: nothing to measure. */
              found: number | null
              /** Of these, how often at least one took the side that was taken then. Null: nothing to measure. */
              anyAlike: number | null
              /** The mean share of hits that did. Null: nothing to measure. */
              alike: number | null
              /** The same of any judgments before. Null: nothing to measure. */
              byChance: number | null
            }
          }
          offTopic: {
            /** Sentences about something else altogether. */
            asked: number
            /** Those that got a suggestion; none should. */
            answered: number
          }
          /** What each part adds: the forecasts of it alone, and of all others. Empty: nothing was learned. */
          parts: Array<{
            /** A part of what was learned from the history. */
            part: string
            alone: {
              /** How often the forecast was what was decided. Null: nothing to measure. */
              accuracy: number | null
              /** How probable it is that an approval was held more likely than a rejection; 0.5 is chance. Null: nothing to measure. */
              auc: number | null
              /** Expected calibration error: by how much confidence and accuracy differ on average. Null: nothing to measure. */
              ece: number | null
              /** Mean squared error of the probability; 0.25 is a coin. Null: nothing to measure. */
              brier: number | null
            }
            without: {
              /** How often the forecast was what was decided. Null: nothing to measure. */
              accuracy: number | null
              /** How probable it is that an approval was held more likely than a rejection; 0.5 is chance. Null: nothing to measure. */
              auc: number | null
              /** Expected calibration error: by how much confidence and accuracy differ on average. Null: nothing to measure. */
              ece: number | null
              /** Mean squared error of the probability; 0.25 is a coin. Null: nothing to measure. */
              brier: number | null
            }
          }>
        } | null
      }>
    }>
    /**
     * Get the size of the decision memory. POST /v2/memory/stats/get
     *
     * @example
     * await client.memory.getMemoryStats()
     */
    getMemoryStats(data?: Record<string, unknown>, options?: CallOptions): Promise<{
      /** Judgments. */
      totalActivities: number
      /** Users who decided, by themselves or by an agent. */
      totalProfiles: number
      /** Recurring reasons, as `patterns/get` lists them; up to ten minutes old. */
      totalPatterns: number
      /** Files with rules, as `knowledge/list` lists them. */
      totalKnowledgeSources: number
      /** How far the judgments are embedded; null where no model is configured. */
      embedding: {
        model: string
        /** Judgments that the model has seen. */
        embedded: number
        /** Judgments that it has not seen; until it has seen all once, words alone are compared. */
        pending: number
      } | null
      /** What suggestions have learned from the judgments. */
      learning: {
        /** `tooFewJudgments`: fewer than 200 took a side on some content, and suggestions are made by a formula. `pending`: they are learned from within minutes, once all are embedded. `ready`: suggestions are made by what was learned. */
        status: "tooFewJudgments" | "pending" | "ready"
        /** When it was learned last (epoch ms); null if it is not ready. */
        learnedAt: number | null
      }
    }>
    /**
     * List judgments. POST /v2/memory/judgments/query
     *
     * @example
     * await client.memory.queryJudgments({ organizationId: 'example', side: 'reject', reviewerId: 'nadia', limit: 10 })
     */
    queryJudgments(data?: {
      /** Only judgments of this organization. */
      organizationId?: string | undefined
      /** Only judgments of this document; requires `organizationId`. */
      documentId?: string | undefined
      /** Only judgments of these documents, in any organization searched. */
      documentIds?: Array<string> | undefined
      /** No judgments of these documents; those of no document stay. */
      excludeDocumentIds?: Array<string> | undefined
      /** `approve` and `approved` are one, as are `reject` and `rejected`. */
      decision?: string | undefined
      /** Only judgments that take this side in a suggestion: `disagree` and `document_rejected` reject too. */
      side?: "approve" | "reject" | undefined
      /** Who decided: a person or an AI agent. */
      judgeType?: "human" | "agent" | undefined
      /** Kind of what was reviewed. */
      contentType?: string | undefined
      /** Id of the user who decided. */
      reviewerId?: string | undefined
      /** Only judgments of this comment thread; requires `organizationId`. */
      annotationId?: string | undefined
      /** Only these judgments, such as those of an alert. */
      recordIds?: Array<string> | undefined
      /** Whether results hold what was reviewed. */
      includeContent?: boolean | undefined
      /** How many judgments are answered at most; fewer where these would hold more than `PAGE_LIMIT_BYTES`. Default: 20. */
      limit?: number | undefined
    }, options?: CallOptions): Promise<{
      results: Array<{
        recordId: string
        reasoning: string
        decision: string
        confidence: number
        /** Who decided; without `userId` where nobody was named. */
        actionUser: {
          /** Id of the user. */
          userId?: string
          /** Name of the user. */
          name?: string
          /** Address of the user. */
          email?: string
        }
        /** Epoch milliseconds. */
        createdAt: number
        agent: {
          /** Id of the agent. */
          agentId: string
          /** Kind of the agent, such as built-in, custom or external. */
          agentType?: string
          /** Id of the run in which it decided. */
          executionId?: string
          /** What else is known of it: an object or a list. */
          agentFields?: Record<string, unknown> | Array<unknown>
        } | null
        /** Who decided: a person or an AI agent. */
        judgeType: "human" | "agent"
        contentType: string | null
        organizationId: string | null
        documentId: string | null
        /** Id of the comment thread in which it was decided. */
        annotationId: string | null
        /** What was reviewed, with `includeContent`. */
        content?: string
      }>
      /** How many are in `results`. */
      total: number
    }>
    /**
     * Search past judgments. POST /v2/memory/search
     *
     * `filters.annotationId` reads one thread, oldest first, and `recencyDays` the latest judgments, newest first; both ignore `query`, and the former beats the latter, which beats `filters.dateRange`.
     *
     * @example
     * await client.memory.searchJudgments({ query: 'missing alt text', organizationId: 'example', limit: 5, includeContent: true })
     */
    searchJudgments(data?: {
      /** What to look for; required without `filters.annotationId` and `recencyDays`. */
      query?: string | undefined
      /** `review` (default): decision and reasoning; `content`: what was reviewed. */
      embeddingType?: "review" | "content" | undefined
      /** How far is searched: `organization` requires `organizationId`, and `document` requires `documentId` too. Default: the narrowest whose ids are given. */
      scope?: "document" | "organization" | "apiKey" | undefined
      /** Only judgments of this organization. */
      organizationId?: string | undefined
      /** Only judgments of this document; requires `organizationId`. */
      documentId?: string | undefined
      /** The same as `organizationId`, which wins. */
      orgId?: string | undefined
      /** The same as `documentId`, which wins. */
      docId?: string | undefined
      /** How many judgments are answered at most; fewer where these would hold more than `PAGE_LIMIT_BYTES`. Default: 10. */
      limit?: number | undefined
      /** Answer what was reviewed too, and the sentences that match. Default: false. */
      includeContent?: boolean | undefined
      filters?: {
        /** Only judgments of these documents, in any organization searched. */
        documentIds?: Array<string> | undefined
        /** No judgments of these documents; those of no document stay. */
        excludeDocumentIds?: Array<string> | undefined
        /** `approve` and `approved` are one, as are `reject` and `rejected`. */
        decision?: string | undefined
        /** Only judgments that take this side in a suggestion: `disagree` and `document_rejected` reject too. */
        side?: "approve" | "reject" | undefined
        /** Who decided: a person or an AI agent. */
        judgeType?: "human" | "agent" | undefined
        /** Kind of what was reviewed. */
        contentType?: string | undefined
        /** Id of the user who decided. */
        reviewerId?: string | undefined
        /** Only judgments of this comment thread; requires `organizationId`. */
        annotationId?: string | undefined
        dateRange?: {
          start?: number | string | undefined
          end?: number | string | undefined
        } | undefined
      } | undefined
      /** Judgments of the last so many times 24 hours. */
      recencyDays?: number | undefined
    }, options?: CallOptions): Promise<{
      results: Array<{
        recordId: string
        reasoning: string
        decision: string
        confidence: number
        /** Who decided; without `userId` where nobody was named. */
        actionUser: {
          /** Id of the user. */
          userId?: string
          /** Name of the user. */
          name?: string
          /** Address of the user. */
          email?: string
        }
        /** Epoch milliseconds. */
        createdAt: number
        agent: {
          /** Id of the agent. */
          agentId: string
          /** Kind of the agent, such as built-in, custom or external. */
          agentType?: string
          /** Id of the run in which it decided. */
          executionId?: string
          /** What else is known of it: an object or a list. */
          agentFields?: Record<string, unknown> | Array<unknown>
        } | null
        /** From 0 to 1, comparable between searches; results are in the order of relevance, which weighs more. */
        similarity: number
        /** The scope that was searched. */
        scope: "document" | "organization" | "apiKey"
        /** What was reviewed, with `includeContent`. */
        content?: string
        /** With `includeContent`: up to three sentences of the searched text that share most words with the query. */
        highlights?: Array<string>
      }>
      /** How many judgments scope and filters admit. */
      totalInScope: number
      searchLatencyMs: number
      /** Present where words alone were compared although an embedding model is configured (why), where a search found nothing that fits, where nothing is suggested or answered (why), and of how a question was understood. */
      warnings?: Array<string>
    }>
    /**
     * Suggest a decision. POST /v2/memory/suggest
     *
     * The narrowest scope whose judgments support a suggestion answers: the document, the organization, then all organizations of the API key. `scope` says which; with `apiKey`, `topReasons` and `caveats` may quote other organizations. `widestScope` stops before that.
     *
     * @example
     * await client.memory.suggestDecision({ query: 'Photo of a bridge without alt text', organizationId: 'example' })
     */
    suggestDecision(data: {
      /** The item to decide on. */
      query: string
      /** Id of the user who wrote the item. Their earlier items then count, as far as that helped before; without it, or with `MEMORY_AUTHORS=off`, they do not. */
      contentUserId?: string | undefined
      /** The judgments of this organization come before those of the whole API key. */
      organizationId?: string | undefined
      /** The judgments of this document come before those of its organization; requires `organizationId`. */
      documentId?: string | undefined
      /** The widest scope that may answer: `organization` requires `organizationId`, and `document` requires `documentId` too. Default: `apiKey`. */
      widestScope?: "document" | "organization" | "apiKey" | undefined
    }, options?: CallOptions): Promise<{
      primary: {
        /** What similar judgments decided. */
        recommendation: "approve" | "reject"
        /** Meant as the probability that the recommendation is followed. */
        confidence: number
        /** How many similar judgments that were weighed decided as it recommends. */
        basedOn: number
        /** How many similar judgments were weighed, those included that decided otherwise and lower the confidence. */
        basedOnTotal: number
        /** How far is searched. */
        scope: "document" | "organization" | "apiKey"
        scopeLabel: string
        topReasons: Array<string>
        /** How many people decided as it recommends. */
        uniqueReviewers: number
        /** What speaks against trusting it. */
        caveats: Array<string>
        /** The judgments that it rests on: those weighed that decided as it recommends, the nearest first. */
        supportingRecordIds: Array<string>
        basis: {
          /** Whether inputs are weighed by how well they forecast the history of the API key, or by a fixed formula. */
          method: "learned" | "formula"
          /** The share of approvals, which is the forecast without any input. */
          baseRate: number
          /** What spoke for a side, the loudest first. What says nothing is left out. Those for an approval less those for a rejection are the log-odds of an approval, from which `confidence` follows (at most 0.97). */
          inputs: Array<{
            /** What spoke. */
            input: "baseRate" | "nearest" | "nearestWords" | "wordModel" | "nearestVectors" | "vectorModel" | "author" | "age" | "history"
            /** For which side. */
            says: "approve" | "reject"
            /** How loudly: what it adds to the log-odds of that side. */
            logOdds: number
            /** The input in words. */
            label: string
          }>
          /** How good forecasts of this API key were; null for the formula. */
          measured: {
            /** Past decisions that were forecast from those before. */
            forecasts: number
            accuracy: number
            auc: number | null
            ece: number
            /** The accuracy of the more frequent side so far. */
            majority: number
          } | null
        }
      } | null
      conflict: {
        /** What similar judgments decided. */
        recommendation: "approve" | "reject"
        /** Meant as the probability that the recommendation is followed. */
        confidence: number
        /** How many similar judgments that were weighed decided as it recommends. */
        basedOn: number
        /** How many similar judgments were weighed, those included that decided otherwise and lower the confidence. */
        basedOnTotal: number
        /** How far is searched. */
        scope: "document" | "organization" | "apiKey"
        scopeLabel: string
        topReasons: Array<string>
        /** How many people decided as it recommends. */
        uniqueReviewers: number
        /** What speaks against trusting it. */
        caveats: Array<string>
        /** The judgments that it rests on: those weighed that decided as it recommends, the nearest first. */
        supportingRecordIds: Array<string>
        basis: {
          /** Whether inputs are weighed by how well they forecast the history of the API key, or by a fixed formula. */
          method: "learned" | "formula"
          /** The share of approvals, which is the forecast without any input. */
          baseRate: number
          /** What spoke for a side, the loudest first. What says nothing is left out. Those for an approval less those for a rejection are the log-odds of an approval, from which `confidence` follows (at most 0.97). */
          inputs: Array<{
            /** What spoke. */
            input: "baseRate" | "nearest" | "nearestWords" | "wordModel" | "nearestVectors" | "vectorModel" | "author" | "age" | "history"
            /** For which side. */
            says: "approve" | "reject"
            /** How loudly: what it adds to the log-odds of that side. */
            logOdds: number
            /** The input in words. */
            label: string
          }>
          /** How good forecasts of this API key were; null for the formula. */
          measured: {
            /** Past decisions that were forecast from those before. */
            forecasts: number
            accuracy: number
            auc: number | null
            ece: number
            /** The accuracy of the more frequent side so far. */
            majority: number
          } | null
        }
      } | null
      /** Rules that bear on the item; absent if there are none. */
      knowledge?: Array<{
        sourceId: string
        fileName: string
        ruleId: string | null
        /** The heading that it stands under. */
        category: string | null
        text: string
        /** When its source was changed last (epoch ms). */
        updatedAt: number
        /** When a rule of its source came or went last (epoch ms). */
        rulesChangedAt: number
      }>
      /** Present where words alone were compared although an embedding model is configured (why), where a search found nothing that fits, where nothing is suggested or answered (why), and of how a question was understood. */
      warnings?: Array<string>
    }>
  }
  insights: {
    /**
     * Ask past judgments a question. POST /v2/memory/ask
     *
     * The answer is made of quotes. With a chat model (`CHAT_URL`) it is written, and used only if all it cites and quotes is true. Without judgments or rules on the question it is empty, and `warnings` says why. Where it names what was judged rather than what judgments say, those on that `content` are quoted; `warnings` says so. Where the question names one reviewer in full, by a name of several words or an id such as `u-17`, only their judgments are searched; `warnings` says so.
     *
     * @example
     * await client.insights.askMemory({ question: 'What do we say about claims without a source?', organizationId: 'example' })
     */
    askMemory(data: {
      /** What to answer. */
      question: string
      /** Only judgments of this organization. */
      organizationId?: string | undefined
      /** Only judgments of this document; requires `organizationId`. */
      documentId?: string | undefined
      /** The same as `organizationId`, which wins. */
      orgId?: string | undefined
      /** The same as `documentId`, which wins. */
      docId?: string | undefined
      filters?: {
        /** Only judgments of these documents, in any organization searched. */
        documentIds?: Array<string> | undefined
        /** No judgments of these documents; those of no document stay. */
        excludeDocumentIds?: Array<string> | undefined
        /** `approve` and `approved` are one, as are `reject` and `rejected`. */
        decision?: string | undefined
        /** Only judgments that take this side in a suggestion: `disagree` and `document_rejected` reject too. */
        side?: "approve" | "reject" | undefined
        /** Who decided: a person or an AI agent. */
        judgeType?: "human" | "agent" | undefined
        /** Kind of what was reviewed. */
        contentType?: string | undefined
        /** Id of the user who decided. */
        reviewerId?: string | undefined
        /** Only judgments of this comment thread; requires `organizationId`. */
        annotationId?: string | undefined
        dateRange?: {
          start?: number | string | undefined
          end?: number | string | undefined
        } | undefined
      } | undefined
      /** Only judgments of the last so many times 24 hours; it beats `filters.dateRange`. */
      recencyDays?: number | undefined
    }, options?: CallOptions): Promise<{
      answer: string
      /** The judgments that the answer quotes. */
      citations: Array<{
        recordId: string
        snippet: string
      }>
      /** The rules that it quotes. */
      knowledge?: Array<{
        sourceId: string
        ruleId?: string
        snippet: string
      }>
      /** How near the nearest judgment is to the question, 0 to 1; 0: no answer. */
      confidence: number
      /** How many judgments place and filters admit. */
      recordsSearched: number
      /** Present where words alone were compared although an embedding model is configured (why), where a search found nothing that fits, where nothing is suggested or answered (why), and of how a question was understood. */
      warnings?: Array<string>
    }>
    /**
     * Dismiss an alert. POST /v2/memory/alerts/dismiss
     *
     * @example
     * await client.insights.dismissAlert({ alertId: 'the id of an alert', user: { uid: 'nadia' } })
     */
    dismissAlert(data: {
      /** Id of the alert. */
      alertId: string
      user?: {
        /** Who dismisses it; not stored. */
        uid: string
      } | undefined
    }, options?: CallOptions): Promise<{
      success: boolean
    }>
    /**
     * Get what alerts are raised. POST /v2/memory/alerts/config/get
     *
     * @example
     * await client.insights.getAlertConfig()
     */
    getAlertConfig(data?: Record<string, unknown>, options?: CallOptions): Promise<{
      /** Whether alerts are raised. */
      enabled?: boolean
      /** In 7 days. Default, and most: 3. */
      maxAlertsPerWeek?: number
      /** Default: all. */
      enabledAlertTypes?: Array<"anomaly" | "configuration_drift" | "emerging_standard" | "standards_drift">
      /** The least severity that is raised. Default: `low`. */
      severityThreshold?: "high" | "medium" | "low"
    }>
    /**
     * Get the recurring reasons of judgments. POST /v2/memory/patterns/get
     *
     * Phrases that at least 3 of the newest 2,000 judgments share, the most frequent first, at most 100. Those in mostly the same judgments are one pattern.
     *
     * @example
     * await client.insights.getPatterns()
     */
    getPatterns(data?: Record<string, unknown>, options?: CallOptions): Promise<Array<{
      /** `org`: all its judgments are of one organization. */
      scope: "apiKey" | "org"
      organizationId?: string
      /** The sentence of a judgment that states the reason. */
      description: string
      /** What is decided for this reason; `other` takes no side. */
      category: "approve" | "reject" | "other"
      /** How surely the reason leads to this decision, 0 to 1; few judgments say less. */
      confidence: number
      /** The share of this decision among the judgments with a side that give the reason. */
      enforcementRate?: number
      /** How many judgments share the reason. */
      sourceCount: number
      uniqueReviewers: number
      contentType: string | null
      /** When the first of them was decided (epoch ms). */
      discoveredAt: number
      /** When the last of them was decided (epoch ms). */
      updatedAt: number
      /** Up to 5 of the judgments, newest first. */
      topSourceRecordIds: Array<string>
      /** How often it was given over time. */
      trend: {
        /** How its share of all judgments of the last 90 days compares with that of the 90 days before. */
        direction: "rising" | "falling" | "steady"
        /** Its judgments in the last 12 times 30 days, the oldest first. */
        buckets: Array<{
          /** Epoch milliseconds. */
          from: number
          count: number
        }>
      }
    }>>
    /**
     * Get how a reviewer decides. POST /v2/memory/profiles/get
     *
     * Computed from the newest 50,000 judgments of the user; nothing of it is stored. Each rate comes with the count that it rests on.
     *
     * @example
     * await client.insights.getProfile({ targetUserId: 'nadia' })
     */
    getProfile(data?: {
      /** Id of the user; without it the result is null. */
      targetUserId?: string | undefined
    }, options?: CallOptions): Promise<{
      userId: string
      name: string
      email: string | null
      /** Judgments of the user, of every decision. */
      totalJudgments: number
      /** Those that approve or reject; the approval rate rests on them. */
      decidedJudgments: number
      /** Share of approvals among them; null without any. */
      approvalRate: number | null
      /** The newest 10,000 judgments of all reviewers of the API key, for comparison. */
      scope: {
        /** How many were compared. */
        decidedJudgments: number
        /** Share of approvals among them. */
        approvalRate: number | null
      }
      /** How the user decided on the latest 300 items, compared with the majority of the others. Of a thread or a document the 1,000 newest judgments of others count. */
      agreement: {
        /** Threads, and contents of documents, on which others decided too, and not evenly. */
        compared: number
        /** Those on which the user decided as most of the others. */
        agreed: number
        /** Null without any. */
        rate: number | null
      }
      /** Always 0: when a review began is not known. */
      avgReviewTimeSeconds: number
      /** Reasons that the user gives again and again for rejecting, the most frequent first. */
      topFlags: Array<{
        issue: string
        count: number
      }>
      /** What the user reviews, the most frequent first. */
      contentTypes: Array<string>
      /** The three hours (UTC) in which the user decides most. */
      peakHours: Array<number>
      /** By organization: the 100 with most judgments. */
      orgBreakdown: Record<string, {
        organizationId: string
        clientOrganizationId: string
        judgments: number
        approvals: number
        /** Share of approvals among those that approve or reject. */
        approvalRate: number | null
      }>
      /** When the user decided last (epoch ms). */
      lastActive: number
      /** Whether there are 50 judgments or more. */
      twinEligible: boolean
      /** Always null: reviewers are not imitated. */
      twinAccuracy: null
      /** Content types whose approval rate moved by 25 points or more: the last 90 days against the 275 before. */
      evolvedStandards?: Array<{
        topic: string
        /** Epoch milliseconds. */
        shiftDate: number
        oldPattern: string
        newPattern: string
      }>
    } | null>
    /**
     * List alerts about the decisions. POST /v2/memory/alerts/list
     *
     * A worker looks through changed judgments once an hour: for drift, sudden disagreement, new reasons and stale knowledge.
     *
     * @example
     * await client.insights.listAlerts()
     */
    listAlerts(data?: Record<string, unknown>, options?: CallOptions): Promise<Array<{
      id: string
      apiKey: string
      /** `standards_drift`: decisions moved; `anomaly`: sudden disagreement; `emerging_standard`: a new reason; `configuration_drift`: stale knowledge. */
      alertType: "anomaly" | "configuration_drift" | "emerging_standard" | "standards_drift"
      /** How far it is from what was usual. */
      severity: "high" | "medium" | "low"
      title: string
      description: string
      evidence: {
        /** What was measured. */
        metric: "approvalRate" | "volume" | "staleReferences" | "enforcementRate" | "violationRate"
        /** What was usual before. */
        baseline: number
        current: number
        /** The span of time of `current`, such as `30d`. */
        window: string
        /** Up to 10 of its judgments, as far as they still exist. */
        sourceRecordIds: Array<string>
        knowledgeSourceId: string | null
        ruleRef: null
      }
      suggestedAction: string
      actionUrl: null
      /** Only active alerts are listed. */
      status: "active"
      /** Epoch milliseconds. */
      createdAt: number
      dismissedAt: null
      dismissedBy: null
      /** What it is about; the same is not raised again for 30 days. */
      dedupKey: string
    }>>
    /**
     * Mark an alert as acted upon. POST /v2/memory/alerts/action
     *
     * @example
     * await client.insights.markAlertDone({ alertId: 'the id of an alert' })
     */
    markAlertDone(data: {
      /** Id of the alert. */
      alertId: string
    }, options?: CallOptions): Promise<{
      success: boolean
    }>
    /**
     * Change what alerts are raised. POST /v2/memory/alerts/config/update
     *
     * @example
     * await client.insights.updateAlertConfig({ config: { enabled: true, severityThreshold: 'medium' } })
     */
    updateAlertConfig(data: {
      /** What changes; afterwards at most 256 KiB of JSON. Null clears a field of your own. */
      config: {
        /** Whether alerts are raised. */
        enabled?: boolean | undefined
        /** In 7 days. Default, and most: 3. */
        maxAlertsPerWeek?: number | null | undefined
        /** Default: all. */
        enabledAlertTypes?: Array<"anomaly" | "configuration_drift" | "emerging_standard" | "standards_drift"> | null | undefined
        /** The least severity that is raised. Default: `low`. */
        severityThreshold?: "high" | "medium" | "low" | null | undefined
        [key: string]: unknown
      }
    }, options?: CallOptions): Promise<{
      success: boolean
    }>
  }
  knowledge: {
    /**
     * Get an address to upload a file with rules. POST /v2/memory/knowledge/upload-url
     *
     * Send the bytes to `uploadUrl` within 15 minutes, by PUT with the `Content-Type` that was named and no further credentials. Then call `knowledge/ingest` with `fileRef`. At most 50 uploads may be outstanding.
     *
     * @example
     * await client.knowledge.createKnowledgeUpload({ mimeType: 'application/pdf', fileSize: 48000, fileName: 'guideline.pdf' })
     */
    createKnowledgeUpload(data: {
      /** The type of the file. */
      mimeType: "application/pdf" | "text/csv" | "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" | "text/plain"
      /** The size of the file in bytes. */
      fileSize: number
      /** Name of the file. */
      fileName?: string | undefined
      /** The source holds for this organization only. */
      organizationId?: string | undefined
      /** The source holds for this document only; requires `organizationId`. */
      documentId?: string | undefined
    }, options?: CallOptions): Promise<{
      uploadUrl: string
      fileRef: string
      /** Epoch milliseconds. */
      expiresAt: number
    }>
    /**
     * Delete a knowledge source. POST /v2/memory/knowledge/delete
     *
     * @example
     * await client.knowledge.deleteKnowledge({ sourceId: 'the sourceId of the file' })
     */
    deleteKnowledge(data: {
      /** Id of the source. */
      sourceId: string
    }, options?: CallOptions): Promise<{
      /** The source is gone. */
      status: "deleted"
      sourceId: string
      deletedChunks: number
      deletedRules: number
    }>
    /**
     * Get the text of a knowledge source. POST /v2/memory/knowledge/download
     *
     * @example
     * await client.knowledge.downloadKnowledge({ sourceId: 'the sourceId of the file' })
     */
    downloadKnowledge(data: {
      /** Id of the source. */
      sourceId: string
    }, options?: CallOptions): Promise<string | null>
    /**
     * Get how far a file with rules is read. POST /v2/memory/knowledge/ingest-status
     *
     * @example
     * await client.knowledge.getKnowledgeStatus({ sourceId: 'the sourceId of the file' })
     */
    getKnowledgeStatus(data: {
      /** Id of the source. */
      sourceId: string
    }, options?: CallOptions): Promise<{
      /** How far reading the file is. */
      status: "processing" | "completed" | "failed"
      sourceId: string
      /** Epoch milliseconds. */
      startedAt: number
      /** Epoch milliseconds. */
      updatedAt: number
      mimeType: string
      /** Id of the source with the same bytes; this one mirrors it. */
      dedupOf?: string
      /** `unsupported-mime-detected-post-validation`: the bytes are not of the type; `file-unreadable`; `no-text`: it holds blanks or pictures only; `file-too-large`: too much text, or it inflates too far; `reading-timed-out`. */
      failureReason?: string
      /** Loads the file, for 15 minutes. */
      originalDownloadUrl?: string
      /** Loads its text as Markdown, for 15 minutes. */
      canonicalMdDownloadUrl?: string
      metadata?: {
        /** The structure of the file was not understood, only its text. */
        usedRawFallback: boolean
        /** Counts up with each `knowledge/update`. */
        version: number
      }
      /** Once completed. */
      extractedRulesCount?: number
      /** Once completed. */
      chunkCount?: number
    }>
    /**
     * Add a file with rules to decide by. POST /v2/memory/knowledge/ingest
     *
     * A file in the request has at most 3.5 MiB; a larger one is uploaded first (`knowledge/upload-url`). It is read in the background: `knowledge/ingest-status` tells when. A file with the same bytes, type and place as another is not read again.
     *
     * @example
     * await client.knowledge.ingestKnowledge({
     *   source: 'inline',
     *   file: {
     *     base64: 'LSBFdmVyeSBwaWN0dXJlIGhhcyBhbiBhbHQgdGV4dC4K',
     *     mimeType: 'text/plain',
     *     fileName: 'guideline.txt',
     *     fileSize: 33,
     *   },
     *   organizationId: 'example',
     * })
     */
    ingestKnowledge(data: {
      /** `inline`: the file is in the request, and `file` is required; `fileRef`: it was uploaded before, and `fileRef` is required. */
      source: "inline" | "fileRef"
      file?: {
        /** The bytes of the file. */
        base64: string
        /** The type of the file. */
        mimeType: "application/pdf" | "text/csv" | "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" | "text/plain"
        /** Name of the file. */
        fileName: string
        /** Its size in bytes. */
        fileSize: number
      } | undefined
      /** As `knowledge/upload-url` returned it. */
      fileRef?: string | undefined
      /** The type of an upload, as `knowledge/upload-url` was told it. Default: that. */
      mimeType?: "application/pdf" | "text/csv" | "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" | "text/plain" | undefined
      /** The source holds for this organization only. */
      organizationId?: string | undefined
      /** The source holds for this document only; requires `organizationId`. */
      documentId?: string | undefined
    }, options?: CallOptions): Promise<{
      /** The file will be read. */
      status: "processing"
      sourceId: string
      message: string
    }>
    /**
     * List knowledge sources. POST /v2/memory/knowledge/list
     *
     * @example
     * await client.knowledge.listKnowledge()
     */
    listKnowledge(data?: Record<string, unknown>, options?: CallOptions): Promise<Array<{
      id: string
      /** How the file came. */
      sourceType: "inline" | "fileRef"
      fileName: string
      /** Epoch milliseconds. */
      uploadedAt: number
      ruleCount: number
      chunkCount: number
      /** How far reading the file is. */
      embeddingStatus: "processing" | "completed" | "failed"
      /** Of the file, in hexadecimal digits. */
      sha256?: string
      mimeType: string
      /** Id of the source with the same bytes; this one mirrors it. */
      dedupOf?: string
      /** `unsupported-mime-detected-post-validation`: the bytes are not of the type; `file-unreadable`; `no-text`: it holds blanks or pictures only; `file-too-large`: too much text, or it inflates too far; `reading-timed-out`. */
      failureReason?: string
      /** Loads the file, for 15 minutes. */
      originalDownloadUrl?: string
      /** Loads its text as Markdown, for 15 minutes. */
      canonicalMdDownloadUrl?: string
      metadata?: {
        /** The structure of the file was not understood, only its text. */
        usedRawFallback: boolean
        /** Counts up with each `knowledge/update`. */
        version: number
      }
    }>>
    /**
     * List the rules of a knowledge source. POST /v2/memory/knowledge/rules
     *
     * @example
     * await client.knowledge.listKnowledgeRules({ sourceId: 'the sourceId of the file' })
     */
    listKnowledgeRules(data: {
      /** Id of the source. */
      sourceId: string
    }, options?: CallOptions): Promise<Array<{
      /** It stays while the text of the rule stays. */
      id: string
      /** The list item, or the paragraph below a heading. */
      content: string
      /** The heading that it stands under. */
      category: string | null
      /** Its place among the rules of the source, from 0. */
      index: number
    }>>
    /**
     * Search knowledge sources. POST /v2/memory/knowledge/search
     *
     * Compares the stems of words. It covers all sources, whatever place they hold for.
     *
     * @example
     * await client.knowledge.searchKnowledgeSources({ query: 'alt text of a picture', limit: 5 })
     */
    searchKnowledgeSources(data: {
      /** What to look for. */
      query: string
      /** Only these sources; an unknown one holds nothing. */
      sourceId?: string | Array<string> | undefined
      /** How many pieces are answered at most. Default: 10. */
      limit?: number | undefined
      /** Whether rules are answered too, besides pieces of the text. Default: false. */
      includeRules?: boolean | undefined
      /** Not taken: a search covers all sources. */
      organizationId?: string | undefined
      /** Not taken: a search covers all sources. */
      documentId?: string | undefined
    }, options?: CallOptions): Promise<{
      results: Array<{
        sourceId: string
        text: string
        /** The cosine distance, 0 to 1: the lower the nearer. */
        score: number
        /** A piece of the text, or a rule. */
        kind: "chunk" | "rule"
        ruleId?: string
        /** The heading that it stands under. */
        category?: string
      }>
      /** How many are in `results`. */
      recordsSearched: number
    }>
    /**
     * Replace the text of a knowledge source. POST /v2/memory/knowledge/update
     *
     * Takes Markdown or plain text. A rule whose text stays keeps its id. The file that was sent is kept. The text that it has is no new version.
     *
     * @example
     * await client.knowledge.updateKnowledge({
     *   sourceId: 'the sourceId of the file',
     *   newContent: '- Every picture has an alt text of one sentence.\n',
     * })
     */
    updateKnowledge(data: {
      /** Id of the source. */
      sourceId: string
      /** The new text, as Markdown. */
      newContent: string
    }, options?: CallOptions): Promise<{
      diff: {
        /** The texts of the new rules. */
        added: Array<string>
        /** The texts of the rules that are gone. */
        removed: Array<string>
        /** How many rules stay. */
        unchanged: number
      }
      newVersion: number
    }>
  }
  userData: {
    /**
     * Delete users' data. POST /v2/users/data/delete
     *
     * Takes their access, their comments, reactions, recordings and notifications, and mentions of them. Activities stay under a pseudonym. The answer comes at once; `users/data/delete/status` tells how far it is. Name many users in one call: each call reads all events that are kept.
     *
     * @example
     * await client.userData.deleteUserData({ userIds: ['kim'] })
     */
    deleteUserData(data: {
      /** Id of a user. */
      userIds: Array<string>
      /** Omitted: every organization. */
      organizationIds?: Array<string>
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      data: {
        jobId: string
        /** How many tasks the deletion consists of. */
        tasksCount: number
      }
    }>
    /**
     * Get a user's data. POST /v2/users/data/get
     *
     * @example
     * await client.userData.getUserData({ organizationId: 'example', userId: 'sam' })
     */
    getUserData: PagedOperation<[data: {
      /** Id of the organization. */
      organizationId: string
      /** Id of the user. */
      userId: string
      /** From the page before. */
      pageToken?: string | undefined
    }, options?: CallOptions], {
      status: "success"
      message: string
      data: {
        user: {
          userId: string
          name: string
          email?: string
          initial: string
          photoUrl?: string
          color?: string
          textColor?: string
          isAdmin?: boolean
          plan?: string
          type?: string
          isReadOnly?: boolean
          isGuest?: boolean
        } | null
        /** Threads that the user wrote in or started, or is mentioned in and may see. Each shows the comments of the user first; where they do not fit, it is repeated on the next page with the rest. */
        comments: Array<{
          annotationId: string
          /** Which thread of its document it was, from 1 on. It stays. */
          annotationNumber: number
          /** The same. */
          annotationIndex: number
          /** A suggestion proposes a change. */
          type: "comment" | "suggestion"
          commentType: string
          from: {
            userId: string
            name: string
            email?: string
            initial: string
            photoUrl?: string
            color?: string
            textColor?: string
            isAdmin?: boolean
            plan?: string
            type?: string
            isReadOnly?: boolean
            isGuest?: boolean
          }
          assignedTo?: {
            userId: string
            name: string
            email?: string
            initial: string
            photoUrl?: string
            color?: string
            textColor?: string
            isAdmin?: boolean
            plan?: string
            type?: string
            isReadOnly?: boolean
            isGuest?: boolean
          }
          status: {
            id: string
            name: string
            /** A `terminal` status ends the review of the thread. */
            type: "default" | "ongoing" | "terminal"
            /** Color of the status. */
            color?: string
            /** Color behind the status. */
            lightColor?: string
            /** An icon, as SVG. */
            svg?: string
            /** Address of an icon. */
            iconUrl?: string
          }
          statusUpdatedByUserId?: string
          priority?: {
            id: string
            name: string
            /** Color of the status. */
            color?: string
            /** Color behind the status. */
            lightColor?: string
            /** An icon, as SVG. */
            svg?: string
            /** Address of an icon. */
            iconUrl?: string
          }
          resolvedByUserId?: string
          resolvedByUser?: {
            userId: string
            name: string
            email?: string
            initial: string
            photoUrl?: string
            color?: string
            textColor?: string
            isAdmin?: boolean
            plan?: string
            type?: string
            isReadOnly?: boolean
            isGuest?: boolean
          }
          /** A location in the document, with any fields of your own. */
          location?: {
            /** Identifies the location; 0 is one. */
            id?: string | number
            /** Name; identifies the location when it has no id. */
            locationName?: string
            [key: string]: unknown
          }
          /** What the thread points at. */
          targetElement?: Record<string, unknown>
          /** Data of the caller. */
          context?: Record<string, unknown>
          visibilityConfig: {
            /** public: whoever sees the document; organizationPrivate: users of the organization; restricted: the listed users. */
            type: "public" | "organizationPrivate" | "restricted"
            /** The organization of a thread that is organizationPrivate. */
            organizationId?: string
            /** Who sees a restricted thread. */
            userIds?: Array<string>
          }
          suggestion?: {
            /** Id of what would change. */
            targetId?: string
            /** Kind of what would change. */
            targetType?: string
            /** The present value. */
            oldValue?: unknown
            /** The proposed value. */
            newValue?: unknown
            /** The change in words. */
            summary?: string | null
            /** Whether it was accepted or rejected. */
            status?: "pending" | "accepted" | "rejected" | "stale" | "apply_failed"
            /** Whether the target has changed since. */
            driftDetected?: boolean
            /** Why it was rejected. */
            rejectReason?: string | null
            /** Who decided. */
            resolvedBy?: Record<string, unknown> | null
            /** When it was decided, in epoch milliseconds. */
            resolvedAt?: number | null
            [key: string]: unknown
          }
          /** Further fields are kept. */
          agent?: {
            /** Id of the agent. */
            agentId: string
            /** Where the agent runs. */
            agentSource?: string
            /** Default: external for the source `external`, else custom. */
            agentType?: "built-in" | "custom" | "external"
            /** Name of the agent. */
            agentName?: string
            /** Id of the run in which the agent wrote this. */
            executionId?: string
            /** The page that the agent reviewed. */
            url?: string
            /** What the agent found: title, description, severity, findingId, … */
            reason?: Record<string, unknown>
            /** What else is known of it. */
            agentFields?: Array<string>
            [key: string]: unknown
          }
          /** An item of a list of the caller. */
          customList: Array<Record<string, unknown>>
          /** The page that the thread is on. */
          pageInfo?: Record<string, unknown>
          color?: string
          sourceType?: string
          contextId?: string
          comments: Array<{
            commentId: number
            /** How it was said. */
            type: "text" | "voice"
            /** Whether it was changed since. */
            status: "added" | "updated"
            from: {
              userId: string
              name: string
              email?: string
              initial: string
              photoUrl?: string
              color?: string
              textColor?: string
              isAdmin?: boolean
              plan?: string
              type?: string
              isReadOnly?: boolean
              isGuest?: boolean
            }
            commentText?: string
            commentHtml?: string
            commentVoiceUrl?: string
            /** Data of the caller. */
            context?: Record<string, unknown>
            isCommentResolverUsed?: boolean
            isCommentTextAvailable: boolean
            isEdited?: boolean
            editedAt?: number
            attachments: Array<{
              attachmentId: number
              /** Name of the file. */
              name?: string
              /** Address of the file. */
              url?: string
              /** Media type of the file. */
              mimeType?: string
              /** Kind of the file. */
              type?: string
              /** Size in bytes. */
              size?: number
            }>
            /** A recording in the comment. */
            recorders: Array<Record<string, unknown>>
            /** An item of a list of the caller. */
            customList: Array<Record<string, unknown>>
            taggedUserContacts: Array<{
              userId: string
              text?: string
              contact: {
                userId: string
                name: string
                email?: string
                initial: string
                photoUrl?: string
                color?: string
                textColor?: string
                isAdmin?: boolean
                plan?: string
                type?: string
                isReadOnly?: boolean
                isGuest?: boolean
              }
            }>
            /** The mentioned users. */
            to: Array<{
              userId: string
              name: string
              email?: string
              initial: string
              photoUrl?: string
              color?: string
              textColor?: string
              isAdmin?: boolean
              plan?: string
              type?: string
              isReadOnly?: boolean
              isGuest?: boolean
            }>
            /** A mentioned user group. */
            toOrganizationUserGroup: Array<Record<string, unknown>>
            /** Further fields are kept. */
            agent?: {
              /** Id of the agent. */
              agentId: string
              /** Where the agent runs. */
              agentSource?: string
              /** Default: external for the source `external`, else custom. */
              agentType?: "built-in" | "custom" | "external"
              /** Name of the agent. */
              agentName?: string
              /** Id of the run in which the agent wrote this. */
              executionId?: string
              /** The page that the agent reviewed. */
              url?: string
              /** What the agent found: title, description, severity, findingId, … */
              reason?: Record<string, unknown>
              /** What else is known of it. */
              agentFields?: Array<string>
              [key: string]: unknown
            }
            /** Epoch milliseconds. */
            createdAt: number
            /** Epoch milliseconds. */
            lastUpdated: number
            /** Ids of the reactions to it. */
            reactionAnnotationIds: Array<string>
          }>
          /** Epoch milliseconds. */
          createdAt: number
          /** Epoch milliseconds. */
          lastUpdated: number
          locationId: number | null
          metadata: {
            apiKey: string
            documentId: string
            organizationId: string
          }
          /** By a hash of the user id. */
          subscribedUsers: Record<string, {
            user: {
              userId: string
              name: string
              email?: string
              initial: string
              photoUrl?: string
              color?: string
              textColor?: string
              isAdmin?: boolean
              plan?: string
              type?: string
              isReadOnly?: boolean
              isGuest?: boolean
            }
            /** By taking part, or by wish. */
            type: "auto" | "manual"
          }>
          /** By a hash of the user id. */
          unsubscribedUsers: Record<string, {
            user: {
              userId: string
              name: string
              email?: string
              initial: string
              photoUrl?: string
              color?: string
              textColor?: string
              isAdmin?: boolean
              plan?: string
              type?: string
              isReadOnly?: boolean
              isGuest?: boolean
            }
            /** By taking part, or by wish. */
            type: "auto" | "manual"
          }>
          /** Authors, mentioned and assigned users. */
          involvedUserIds: Array<string>
          mentionedUserIds: Array<string>
          viewedByUserIds: Array<string>
          /** Ids of the reactions to the thread as a whole. */
          reactionAnnotationIds: Array<string>
          /** How many comments the thread has. */
          commentsCount: number
          /** True: not all comments are shown; `commentannotations/comments/get` has them all. */
          commentsTruncated?: boolean
        }>
        reactions: Array<{
          /** Id of the reaction. */
          annotationId: string
          type: "reaction"
          icon: string
          /** Id of the thread. */
          commentAnnotationId: string
          /** Null: a reaction to the thread as a whole. */
          commentId: number | null
          from: {
            userId: string
            name: string
            email?: string
            initial: string
            photoUrl?: string
            color?: string
            textColor?: string
            isAdmin?: boolean
            plan?: string
            type?: string
            isReadOnly?: boolean
            isGuest?: boolean
          }
          fromUsers: Array<{
            from: {
              userId: string
              name: string
              email?: string
              initial: string
              photoUrl?: string
              color?: string
              textColor?: string
              isAdmin?: boolean
              plan?: string
              type?: string
              isReadOnly?: boolean
              isGuest?: boolean
            }
            lastUpdated: number
          }>
          /** A location in the document, with any fields of your own. */
          location?: {
            /** Identifies the location; 0 is one. */
            id?: string | number
            /** Name; identifies the location when it has no id. */
            locationName?: string
            [key: string]: unknown
          }
          locationId: number | null
          /** Data of the caller. */
          context?: Record<string, unknown>
          /** Epoch milliseconds. */
          lastUpdated: number
          metadata: {
            apiKey: string
            documentId: string
            organizationId: string
          }
        }>
        recordings: Array<{
          annotationId: string
          /** Always recorder. */
          type: "recorder"
          /** What was recorded. */
          recordingType: "audio" | "video" | "screen"
          /** How the recording is shown. */
          mode: "floating" | "thread"
          displayName: string
          attachments: Array<{
            attachmentId: number
            /** Name of the file. */
            name?: string
            /** Address of the file. */
            url?: string
            /** Media type of the file. */
            mimeType?: string
            /** Kind of the file. */
            type?: string
            /** Size in bytes. */
            size?: number
          }>
          /** Number of the newest version. Default: 1. */
          latestVersion: number
          from?: {
            userId: string
            name: string
            email?: string
            initial: string
            photoUrl?: string
            color?: string
            textColor?: string
            isAdmin?: boolean
            plan?: string
            type?: string
            isReadOnly?: boolean
            isGuest?: boolean
          }
          /** A location in the document, with any fields of your own. */
          location?: {
            /** Identifies the location; 0 is one. */
            id?: string | number
            /** Name; identifies the location when it has no id. */
            locationName?: string
            [key: string]: unknown
          }
          /** What was said. */
          transcription?: Record<string, unknown>
          /** The thread that it belongs to. */
          commentAnnotationId?: string
          /** Its loudness over time. */
          waveformData?: Array<number>
          /** Edited versions, by their number. */
          recordingEditVersions?: Record<string, unknown>
          /** Addresses of its parts, by their number. */
          chunkUrls?: Record<string, string>
          /** Data of your own; `access` says whom it is shown to. */
          context?: {
            /** The access fields that it takes to see it. */
            access?: Record<string, string | number | boolean>
            [key: string]: unknown
          }
          /** The page that it was made on. */
          pageInfo?: Record<string, unknown>
          recordedTime: {
            duration: number
            display: string
          }
          metadata: {
            apiKey: string
            documentId: string
            organizationId: string
          }
          locationId: number | null
          /** Epoch milliseconds. */
          createdAt: number
          /** Epoch milliseconds. */
          lastUpdated: number
        }>
        /** Those that the user got or caused. */
        notifications: Array<{
          id: string
          /** Where it comes from. */
          notificationSource: "custom" | "comment" | "huddle" | "crdt"
          /** What was done, in the words of basic webhooks. */
          actionType?: string
          actionUser?: {
            userId: string
            name: string
            email?: string
            initial: string
            photoUrl?: string
            color?: string
            textColor?: string
            isAdmin?: boolean
            plan?: string
            type?: string
            isReadOnly?: boolean
            isGuest?: boolean
          }
          /** The headline, with `{variable}` placeholders. */
          displayHeadlineMessageTemplate?: string
          /** The values of the placeholders: actionUser, recipientUser and any of your own. */
          displayHeadlineMessageTemplateData?: Record<string, unknown>
          /** The text below the headline. */
          displayBodyMessage?: string
          /** The same as a template, where there is no text. */
          displayBodyMessageTemplate?: string
          /** The values of its placeholders. */
          displayBodyMessageTemplateData?: Record<string, unknown>
          /** Data of your own, such as what to open. */
          notificationSourceData?: Record<string, unknown>
          metadata: {
            apiKey: string
            organizationId: string
            documentId: string
            clientOrganizationId: string
            clientDocumentId: string
            locationId?: number
            /** A location in the document, with any fields of your own. */
            location?: {
              /** Identifies the location; 0 is one. */
              id?: string | number
              /** Name; identifies the location when it has no id. */
              locationName?: string
              [key: string]: unknown
            }
            [key: string]: unknown
          }
          /** Whether it went to every other user of the organization. */
          notifyAll?: boolean
          /** Data of your own; `access` says whom it is shown to. */
          context?: Record<string, unknown>
          /** Whether the messages are filled in by your own resolver. */
          isNotificationResolverUsed?: boolean
          /** The headline with its values filled in. */
          displayHeadlineMessage?: string
          /** The thread that it tells of. */
          targetAnnotationId?: string
          /** Epoch milliseconds. */
          timestamp: number
          /** Whether the user asked for has not read it. */
          isUnread?: boolean
          /** Whether it is addressed to the user asked for. */
          forYou?: boolean
          /** Whether it is among what is for them, by a hash of the user. */
          notifyUsers: Record<string, boolean>
          /** Whether it is among what is for them, by a hash of the user. */
          notifyUsersByUserId: Record<string, boolean>
        }>
      }
      nextPageToken: string | null
    }>
    /**
     * Get the status of a deletion of users' data. POST /v2/users/data/delete/status
     *
     * @example
     * await client.userData.getUserDataDeletionStatus({ jobId: 'the jobId of the deletion' })
     */
    getUserDataDeletionStatus(data: {
      /** From the answer of users/data/delete. */
      jobId: string
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      data: {
        isDeleteCompleted: boolean
        tasksLeft: number
        /** Epoch milliseconds; null before the first. */
        lastTaskCompletedTime: number | null
      }
    }>
  }
  audit: {
    /**
     * Export the audit records. POST /v2/workspace/audit/export
     *
     * Streams the records that match as lines, the oldest first. NDJSON holds all that the hashes cover. The last line counts the records; a download without it is incomplete.
     *
     * @example
     * await client.audit.exportAudit({ format: 'csv' })
     */
    exportAudit(data: {
      /** One JSON document per line, or comma-separated values. */
      format: "ndjson" | "csv"
      filters?: {
        /** Address of an operator, id of a workspace, or an API key. */
        actor?: string | undefined
        /** Path of an operation, or a command. */
        action?: string | undefined
        /** The API key that the change is about. */
        apiKey?: string | undefined
        /** Epoch milliseconds. */
        from?: number | undefined
        /** Epoch milliseconds, exclusive. */
        to?: number | undefined
      } | undefined
    }, options?: CallOptions): Promise<string>
    /**
     * Get the audit records. POST /v2/workspace/audit/get
     *
     * Each is an administrative change of the workspace or its API keys, whoever made it and by which door.
     *
     * @example
     * await client.audit.getAuditRecords({ pageSize: 20 })
     */
    getAuditRecords: PagedOperation<[data?: {
      /** How many records a page has at most. Default: 50. */
      pageSize?: number | undefined
      /** The `nextPageToken` of the page before. */
      pageToken?: string | undefined
      filters?: {
        /** Address of an operator, id of a workspace, or an API key. */
        actor?: string | undefined
        /** Path of an operation, or a command. */
        action?: string | undefined
        /** The API key that the change is about. */
        apiKey?: string | undefined
        /** Epoch milliseconds. */
        from?: number | undefined
        /** Epoch milliseconds, exclusive. */
        to?: number | undefined
      } | undefined
    }, options?: CallOptions], {
      status: "success"
      message: string
      data: Array<{
        /** Its number. Later records have higher ones; some are missing. */
        seq: number
        /** Id of the workspace whose chain it is in; empty: the chain of the installation. */
        chain: string
        /** Its place in the chain, from 1 without gaps. */
        position: number
        /** By the database, in epoch milliseconds. */
        at: number
        /** Address of the operator, id of the workspace or API key that called, or the user of the machine. */
        actor: string
        /** Role of the operator; `workspace`, `apiKey` or `machine` for other callers. */
        role: string
        /** How it came: `console`, `api`, `command` or `start`. */
        door: string
        /** Network address of the caller; empty for a command. */
        address: string
        /** The `x-request-id` of the call; null for a command. */
        requestId: string | null
        /** Path of the operation, or the command. */
        action: string
        workspaceId: string | null
        apiKey: string | null
        /** What was sent, without secrets. */
        detail: Record<string, unknown>
        before: Record<string, unknown> | null
        after: Record<string, unknown> | null
        /** SHA-256 over the record and the hash of the record before, hexadecimal. */
        hash: string
      }>
      nextPageToken: string | null
    }>
    /**
     * Verify the audit records. POST /v2/workspace/audit/verify
     *
     * Recomputes the hash chain of the records. Give `records` and `head` of an earlier answer as `anchor` to prove as well that records were only added since.
     *
     * @example
     * await client.audit.verifyAudit()
     */
    verifyAudit(data?: {
      /** What an earlier check of this chain said. */
      anchor?: {
        /** How many records fit, up to the first that does not. */
        records: number
        /** Hash of the last record that fits, hexadecimal. */
        head: string
      } | undefined
    }, options?: CallOptions): Promise<{
      status: "success"
      message: string
      data: {
        valid: boolean
        /** How many records fit, up to the first that does not. */
        records: number
        /** In how many chains. */
        chains: number
        /** Hash of the last record that fits, hexadecimal. */
        head: string
        /** `seq` of the first record that does not fit; null also where the end is missing. */
        brokenAt: number | null
      }
    }>
  }
}
