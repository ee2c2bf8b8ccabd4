import { type Call, inAcme, page, resources, userOf } from './call.ts'

export const PEOPLE: Record<string, Call> = {
  '/v2/auth/permissions/add': ({ n }) => ({ user: { userId: `user-${n}` }, permissions: resources(n) }),
  '/v2/auth/permissions/check': ({ n }) => ({
    ...inAcme,
    checks: [{ userId: `user-${n}`, resource: { type: 'document', id: `document-${n}` }, action: 'view' }],
  }),
  '/v2/auth/generate_signature': ({ n }) => ({
    permissions: [{ userId: `user-${n}`, resourceId: `document-${n}`, type: 'document', hasAccess: true }],
  }),
  '/v2/auth/generate_token': ({ n }) => ({
    userId: `user-${n}`,
    userProperties: { name: 'x' },
    permissions: resources(n),
  }),
  '/v2/auth/token/get': ({ n, subject: { apiKey, authToken } }) => ({
    apiKey,
    authToken,
    userId: `user-${n}`,
    userProperties: inAcme,
  }),
  '/v2/auth/permissions/get': ({ n }) => ({ ...inAcme, userIds: [`user-${n}`], documentIds: [`document-${n}`] }),
  '/v2/auth/permissions/remove': ({ n }) => ({ userId: `user-${n}`, permissions: resources(n) }),
  '/v2/users/add': ({ i }) => ({ ...inAcme, users: [{ userId: `new-${i}`, name: 'x' }] }),
  '/v1/users/add': ({ i }) => ({ ...inAcme, users: [{ userId: `new-1-${i}`, name: 'x' }] }),
  '/v2/users/count': () => inAcme,
  '/v2/users/delete': ({ n }) => ({ ...inAcme, userIds: [`user-${n}`] }),
  '/v2/users/get': () => page,
  '/v2/users/search': ({ n }) => ({ query: `user ${n}` }),
  '/v2/users/update': ({ n }) => ({ ...inAcme, users: [{ userId: `user-${n}`, name: 'x' }] }),
  '/v1/users/update': ({ n }) => ({ ...inAcme, users: [{ userId: `user-${n}`, name: 'x' }] }),
  '/v2/organizations/usergroups/users/add': ({ n }) => ({
    ...inAcme,
    organizationUserGroupId: `group-${n}`,
    userIds: [`user-${n}`],
  }),
  '/v2/organizations/usergroups/add': ({ i }) => ({ ...inAcme, organizationUserGroups: [{ groupId: `new-${i}` }] }),
  '/v2/organizations/usergroups/users/delete': ({ n }) => ({
    ...inAcme,
    organizationUserGroupId: 'group-0',
    userIds: [`user-${n}`],
  }),
  '/v2/organizations/usergroups/delete': ({ n }) => ({ ...inAcme, organizationUserGroupIds: [`group-${n}`] }),
  '/v2/organizations/usergroups/get': () => page,
  '/v2/organizations/usergroups/update': ({ n }) => ({
    ...inAcme,
    organizationUserGroups: [{ groupId: `group-${n}`, groupName: 'x' }],
  }),
  '/v2/users/data/get': ({ n, subject }) => ({ ...inAcme, userId: userOf(n, subject) }),
  '/v2/users/data/delete/status': ({ subject: { jobId } }) => ({ jobId }),
  '/v2/users/data/delete': ({ n }) => ({ userIds: [`user-${n}`] }),
}
