import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../test/running-service.ts'
import { sql } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'

type AccessType = 'public' | 'restricted' | 'organizationPrivate'
type Role = 'viewer' | 'editor'

interface Node {
  parent: number | null
  accessType: AccessType | null
}
interface World {
  organizationDisabled: boolean
  folders: (Node & { inherits: boolean })[]
  documents: (Node & { disabled: boolean })[]
  /** At most one grant per user and resource; resources are numbered: organization, folders, documents. */
  grants: { user: number; resource: number; role: Role; expired: boolean }[]
}

const USERS = ['u0', 'u1', 'u2']

let service: Service
let ws: TestWorkspace

beforeAll(async () => {
  service = await startService()
  ws = await newWorkspace(service)
  await ws.ok('/v2/users/add', { organizationId: 'elsewhere', users: USERS.map((userId) => ({ userId })) })
})

const accessType = fc.constantFrom<AccessType | null>(null, null, 'public', 'restricted', 'organizationPrivate')
const worlds: fc.Arbitrary<World> = fc
  .record({
    organizationDisabled: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
    folders: fc.array(fc.record({ up: fc.nat(), accessType, inherits: fc.boolean() }), { maxLength: 7 }),
    documents: fc.array(
      fc.record({ up: fc.nat(), accessType, disabled: fc.integer({ min: 0, max: 5 }).map((n) => n === 0) }),
      { minLength: 1, maxLength: 5 },
    ),
    grants: fc.array(
      fc.record({
        user: fc.nat(USERS.length - 1),
        at: fc.nat(),
        role: fc.constantFrom<Role>('viewer', 'editor'),
        expired: fc.boolean(),
      }),
      { maxLength: 12 },
    ),
  })
  .map(({ organizationDisabled, folders, documents, grants }) => {
    // A folder is in an earlier one or at the top, a document in any folder or in none.
    const within = (up: number, count: number) => (up % (count + 1) === count ? null : up % (count + 1))
    const resources = 1 + folders.length + documents.length
    const distinct = new Map(grants.map((grant) => [`${grant.user} ${grant.at % resources}`, grant]))
    return {
      organizationDisabled,
      folders: folders.map(({ up, accessType: own, inherits }, index) => {
        const accessType = inherits ? null : own
        return { parent: within(up, index), accessType, inherits }
      }),
      documents: documents.map(({ up, ...rest }) => ({ parent: within(up, folders.length), ...rest })),
      grants: [...distinct.values()].map(({ at, ...rest }) => ({ ...rest, resource: at % resources })),
    }
  })

/** The rules of the contract, written without regard to speed. */
function oracle(world: World, user: number, resource: number, action: 'view' | 'edit') {
  const { folders, documents } = world
  const folderIndex = resource - 1
  const document = documents[resource - 1 - folders.length]
  const isOrganization = resource === 0
  if (world.organizationDisabled || document?.disabled) return { allowed: false, accessRole: null }

  const upward: number[] = []
  for (let at = document ? document.parent : isOrganization ? null : folderIndex; at !== null; ) {
    upward.push(at)
    at = folders[at]?.parent ?? null
  }
  let type: AccessType | null = isOrganization ? null : 'public'
  if (document?.accessType) type = document.accessType
  else {
    for (const folder of upward) {
      if (folders[folder]?.inherits) continue
      type = folders[folder]?.accessType ?? 'public'
      break
    }
  }
  const grantAt = (at: number) =>
    world.grants.find((grant) => grant.user === user && grant.resource === at && !grant.expired)
  const below = [...(document ? [resource] : []), ...upward.map((folder) => folder + 1)].map(grantAt).find(Boolean)
  const role = (type === 'restricted' ? below : (below ?? grantAt(0)))?.role ?? (type === 'public' ? 'editor' : null)
  return { allowed: role !== null && (action === 'view' || role === 'editor'), accessRole: role }
}

async function build(world: World, organizationId: string): Promise<{ type: string; id: string }[]> {
  const organization = keyOf(organizationId)
  const { apiKey } = ws
  await service.database.query(sql`
    insert into organization (api_key, key, id, disabled)
    values (${apiKey}, ${organization}, ${organizationId}, ${world.organizationDisabled})`)
  const paths: string[][] = []
  for (const [index, { parent, accessType, inherits }] of world.folders.entries()) {
    const path = parent === null ? [] : [...(paths[parent] ?? []), keyOf(`f${parent}`)]
    paths.push(path)
    await service.database.query(sql`
      insert into folder (api_key, organization_key, key, id, parent_key, path, access_type, inherit_access)
      values (${apiKey}, ${organization}, ${keyOf(`f${index}`)}, ${`f${index}`}, ${path.at(-1) ?? null},
        ${path}::uuid[], ${accessType}, ${inherits})`)
  }
  for (const [index, { parent, accessType, disabled }] of world.documents.entries()) {
    await service.database.query(sql`
      insert into document (api_key, organization_key, key, id, folder_key, access_type, disabled)
      values (${apiKey}, ${organization}, ${keyOf(`d${index}`)}, ${`d${index}`},
        ${parent === null ? null : keyOf(`f${parent}`)}, ${accessType}, ${disabled})`)
  }
  const resources = [
    { type: 'organization', id: organizationId },
    ...world.folders.map((_, index) => ({ type: 'folder', id: `f${index}` })),
    ...world.documents.map((_, index) => ({ type: 'document', id: `d${index}` })),
  ]
  for (const { user, resource, role, expired } of world.grants) {
    const expiresAt = Date.now() + (expired ? -1000 : 3_600_000)
    await ws.ok('/v2/auth/permissions/add', {
      user: { userId: USERS[user] },
      permissions: { resources: [{ ...resources[resource], organizationId, accessRole: role, expiresAt }] },
    })
  }
  return resources
}

test('permissions/check agrees with the rules, read naively, on random trees and grants', async () => {
  await fc.assert(
    fc.asyncProperty(worlds, async (world) => {
      const organizationId = randomUUID()
      const resources = await build(world, organizationId)
      const asked = USERS.flatMap((userId, user) =>
        resources.flatMap((resource, number) =>
          (['view', 'edit'] as const).map((action) => ({ user, number, check: { userId, resource, action } })),
        ),
      )
      const checks = asked.map(({ check }) => check)
      const { data } = await ws.ok('/v2/auth/permissions/check', { organizationId, checks })
      const told = data.map(
        ({ allowed, accessRole }: { allowed: boolean; accessRole: string | null }, index: number) => ({
          ...checks[index],
          allowed,
          accessRole,
        }),
      )
      const expected = asked.map(({ user, number, check }) => ({
        ...check,
        ...oracle(world, user, number, check.action),
      }))
      expect(told).toEqual(expected)
    }),
    { numRuns: 60 },
  )
})
