import type { NamedOperation } from '../../../platform/operation.ts'

/**
 * What an operation needs. `look`: reading without secrets. `review`: threads, activities, memory. `develop`: keys,
 * webhooks, email, with their secrets. `administer`: everything else of a workspace. `operate`: the installation.
 * `anybody`: before the sign-in. `nobody`: not offered to the console.
 */
export type Right = HeldRight | 'anybody' | 'nobody'

/** A right that a role may hold. */
export type HeldRight = (typeof RIGHTS)[number]

/** Every right that a role may hold. */
export const RIGHTS = ['look', 'review', 'develop', 'administer', 'operate'] as const

/** The paths of operations by the right they need. A test fails for an operation that is missing here. */
const paths: Record<Right, string> = {
  look: `
    /v1/organizations/documents/get /v2/activities/get /v2/activities/verify /v2/auth/permissions/check
    /v2/auth/permissions/get /v2/commentannotations/comments/get /v2/commentannotations/count/get
    /v2/commentannotations/get /v2/memory/evaluations/get /v2/memory/judgments/query /v2/memory/search
    /v2/memory/stats/get /v2/memory/suggest
    /v2/memory/patterns/get /v2/memory/profiles/get /v2/memory/ask /v2/memory/alerts/config/get
    /v2/memory/alerts/list /v2/memory/knowledge/download /v2/memory/knowledge/ingest-status
    /v2/memory/knowledge/list /v2/memory/knowledge/rules /v2/memory/knowledge/search
    /v2/notifications/config/get /v2/notifications/count/get /v2/notifications/get
    /v2/organizations/delete/status /v2/organizations/documents/count
    /v2/organizations/documents/get /v2/organizations/documents/migrate/status /v2/organizations/folders/get
    /v2/organizations/get /v2/organizations/usergroups/get /v2/reactions/get /v2/recordings/get /v2/users/count
    /v2/users/data/delete/status /v2/users/get /v2/workspace/activityconfig/get
    /v2/workspace/advancedwebhook/deliveries/get /v2/workspace/advancedwebhook/deliveries/list
    /v2/workspace/advancedwebhook/endpoints/get /v2/workspace/advancedwebhookconfig/get
    /v2/workspace/apikeyconfig/get /v2/workspace/apikeys/get /v2/workspace/domains/get /v2/workspace/emails/list
    /v2/organizations/search /v2/users/search /v2/workspace/emails/preview /v2/workspace/notificationconfig/get
    /v2/workspace/requests/list
    /console/api/session/get /console/api/session/sign-out /console/api/session/set-password
    /console/api/workspaces/list`,
  review: `
    /v2/activities/add /v2/activities/delete /v2/activities/export /v2/activities/update
    /v2/commentannotations/add /v2/commentannotations/comments/add /v2/commentannotations/comments/delete
    /v2/commentannotations/comments/update /v2/commentannotations/delete /v2/commentannotations/update
    /v2/memory/evaluate /v2/memory/judgments/add /v2/memory/judgments/delete /v2/memory/judgments/export
    /v2/memory/alerts/action /v2/memory/alerts/dismiss /v2/memory/alerts/config/update
    /v2/memory/knowledge/delete /v2/memory/knowledge/ingest /v2/memory/knowledge/update
    /v2/memory/knowledge/upload-url /v2/reactions/add /v2/reactions/delete`,
  develop: `
    /v2/workspace/advancedwebhook/deliveries/replay /v2/workspace/advancedwebhook/deliveries/resend
    /v2/workspace/advancedwebhook/endpoints/create /v2/workspace/advancedwebhook/endpoints/delete
    /v2/workspace/advancedwebhook/endpoints/secret/get /v2/workspace/advancedwebhook/endpoints/secret/rotate
    /v2/workspace/advancedwebhook/endpoints/test /v2/workspace/advancedwebhook/endpoints/update
    /v2/workspace/advancedwebhookconfig/update /v2/workspace/apikey/create /v2/workspace/apikey/delete
    /v2/workspace/apikey/update /v2/workspace/apikeyconfig/update /v2/workspace/authtoken/reset
    /v2/workspace/authtokens/get /v2/workspace/domains/add /v2/workspace/domains/delete
    /v2/workspace/emailconfig/get /v2/workspace/emailconfig/update /v2/workspace/emails/test
    /v2/workspace/webhookconfig/get
    /v2/workspace/webhookconfig/update`,
  administer: `
    /v1/organizations/documents/locations/data/delete /v1/organizations/documents/locations/update /v1/users/add
    /v1/users/update /v2/auth/generate_signature /v2/auth/generate_token /v2/auth/permissions/add
    /v2/auth/permissions/remove /v2/notifications/add /v2/notifications/config/set /v2/notifications/delete
    /v2/notifications/update /v2/organizations/access/disablestate/update /v2/organizations/add
    /v2/organizations/delete /v2/organizations/documents/access/disablestate/update
    /v2/organizations/documents/access/update /v2/organizations/documents/add /v2/organizations/documents/delete
    /v2/organizations/documents/migrate /v2/organizations/documents/move /v2/organizations/documents/update
    /v2/organizations/folders/access/update /v2/organizations/folders/add /v2/organizations/folders/delete
    /v2/organizations/folders/update /v2/organizations/update /v2/organizations/usergroups/add
    /v2/organizations/usergroups/delete /v2/organizations/usergroups/update
    /v2/organizations/usergroups/users/add /v2/organizations/usergroups/users/delete /v2/recordings/add
    /v2/recordings/delete /v2/recordings/update /v2/users/add /v2/users/data/delete /v2/users/data/get
    /v2/users/delete /v2/users/update /v2/workspace/activityconfig/update /v2/workspace/get
    /v2/workspace/notificationconfig/update /v2/workspace/permissionproviderconfig/get
    /v2/workspace/permissionproviderconfig/update
    /v2/workspace/audit/get /v2/workspace/audit/export /v2/workspace/audit/verify
    /console/api/audit/list /console/api/audit/export`,
  operate: `
    /v2/workspace/create
    /console/api/operators/list /console/api/operators/invite /console/api/operators/link
    /console/api/operators/update
    /console/api/operators/remove /console/api/audit/verify /console/api/installation/get
    /console/api/backup/create`,
  anybody: '/console/api/session/sign-in /console/api/session/begin-oidc /console/api/session/doors',
  // The first takes credentials of its own; the others are called by the service alone.
  nobody: '/v2/auth/token/get /console/api/session/refused /console/api/session/settle-refusals',
}

const rights = new Map(
  (Object.entries(paths) as [Right, string][]).flatMap(([right, list]) =>
    list
      .trim()
      .split(/\s+/)
      .map((path) => [path, right] as const),
  ),
)

/**
 * The right that an operation needs, with the data of a call; undefined for one that is not classified. The token of a
 * workspace makes an admin of it, so resetting it takes one.
 */
export const rightOf = (path: string, { workspace }: { workspace?: unknown } = {}): Right | undefined =>
  path === '/v2/workspace/authtoken/reset' && workspace === true ? 'administer' : rights.get(path)

/** Reads of settings that hold a secret: they leave a record when the console calls them. */
const REVEALING =
  /\/(webhookconfig|emailconfig|permissionproviderconfig)\/get$|^\/v2\/workspace\/get$|generate_signature$/

/** Whether a call of the operation by the console leaves an audit record. */
export const isAudited = ({ path, access, administers }: NamedOperation['declaration']): boolean =>
  administers !== undefined || access === 'write' || REVEALING.test(path)
