import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { newWorkspace, type Service, startService } from '../../../test/running-service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})

const TYPES = ['public', 'organizationPrivate', 'restricted'] as const
type AccessType = (typeof TYPES)[number]

/** A folder or a document. `own` is its own access type; without one it has that of the place it is in. */
interface Thing {
  parent: string
  own: AccessType | undefined
  inherits: boolean
}

const FOLDERS = ['a', 'b%', 'B%', '__proto__']
const folderId = fc.constantFrom(...FOLDERS)
const place = fc.constantFrom('root', ...FOLDERS)
const documentId = fc.constantFrom('d', 'D')
const accessType = fc.constantFrom(...TYPES)
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })

const step = fc.oneof(
  fc.record({ kind: fc.constant('addFolder'), id: folderId, parent: place, type: maybe(accessType) }),
  fc.record({ kind: fc.constant('updateFolder'), id: folderId, parent: maybe(place), type: maybe(accessType) }),
  fc.record({ kind: fc.constant('setFolder'), id: folderId, type: maybe(accessType), inherits: fc.boolean() }),
  fc.record({ kind: fc.constant('moveDocument'), id: documentId, parent: place }),
  fc.record({ kind: fc.constant('setDocument'), id: documentId, type: accessType }),
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

/** What the contract says of access types, and nothing of how they are stored. */
class Model {
  readonly folders = new Map<string, Thing>([
    ['a', { parent: 'root', own: 'restricted', inherits: false }],
    ['b%', { parent: 'a', own: undefined, inherits: true }],
    ['B%', { parent: 'root', own: undefined, inherits: false }],
  ])
  readonly documents = new Map<string, Thing>(['d', 'D'].map((id) => [id, { ...ROOTED }]))

  typeOf = ({ own, inherits, parent }: Thing): AccessType => {
    const above = this.folders.get(parent)
    return own ?? (inherits && above ? this.typeOf(above) : 'public')
  }
  ancestors = (parent: string): string[] => {
    const above = this.folders.get(parent)
    return above ? [...this.ancestors(above.parent), parent] : ['root']
  }
  has = (parent: string) => parent === 'root' || this.folders.has(parent)

  /** What a place has closed stays closed where the new place is more open. */
  move(thing: Thing, parent: string): void {
    if (thing.parent === parent) return
    const before = this.typeOf(thing)
    Object.assign(thing, { parent, inherits: parent !== 'root' })
    if (TYPES.indexOf(before) > TYPES.indexOf(this.typeOf(thing))) thing.own = before
    if (thing.own) thing.inherits = false
  }

  /** Applies a step; returns whether it succeeds. */
  apply(step: Step): boolean {
    const { kind, id } = step
    const thing = (kind.endsWith('Document') ? this.documents : this.folders).get(id)
    if ('parent' in step && step.parent !== undefined && !this.has(step.parent)) return false
    if (step.kind === 'addFolder') {
      const { parent, type } = step
      if (thing) return false
      this.folders.set(id, { parent, own: type, inherits: type === undefined && parent !== 'root' })
      return true
    }
    if (!thing) return false
    if ('parent' in step && step.parent !== undefined) {
      if (kind === 'updateFolder' && this.ancestors(step.parent).includes(id)) return false
      this.move(thing, step.parent)
    }
    if ('type' in step && step.type) Object.assign(thing, { own: step.type, inherits: false })
    else if ('inherits' in step && step.inherits) Object.assign(thing, { own: undefined, inherits: true })
    else if ('inherits' in step) Object.assign(thing, { own: this.typeOf(thing), inherits: false })
    return true
  }
}

interface Answer {
  result?: { data?: Record<string, { success: boolean }> }
}

const ROOTED: Thing = { parent: 'root', own: undefined, inherits: true }

/** The call of a step. */
function callOf(step: Step): [path: string, data: object] {
  const { kind, id } = step
  if (kind === 'moveDocument') return ['documents/move', { documentIds: [id], folderId: step.parent }]
  if (kind === 'setDocument') return ['documents/access/update', { documentIds: [id], accessType: step.type }]
  if (kind === 'setFolder') {
    const access = step.type ? { accessType: step.type } : { inheritFromParent: step.inherits }
    return ['folders/access/update', { folderIds: [id], ...access }]
  }
  const folder = { folderId: id, parentFolderId: step.parent, accessType: step.type }
  return [kind === 'addFolder' ? 'folders/add' : 'folders/update', { folders: [folder] }]
}

test('whatever is moved and set in whatever order, places have the access types of the contract', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20, size: 'max' }), async (steps) => {
      const ws = await newWorkspace(service)
      const model = new Model()
      const organizationId = 'o'
      const documents = [...model.documents.keys()].map((documentId) => ({ documentId }))
      const first = [...model.folders].map(([folderId, { parent, own }]) => {
        return { folderId, parentFolderId: parent, accessType: own }
      })
      await ws.ok('/v2/organizations/documents/add', { organizationId, createOrganization: true, documents })
      await ws.ok('/v2/organizations/folders/add', { organizationId, folders: first })
      for (const step of steps) {
        const [path, data] = callOf(step)
        const { body } = await ws.call(`/v2/organizations/${path}`, { organizationId, ...data })
        expect([step, (body as Answer).result?.data?.[step.id]?.success ?? false]).toEqual([step, model.apply(step)])
      }
      const folders = (await ws.ok('/v2/organizations/folders/get', { organizationId })).data
      expect(
        new Map(
          folders.map((each) => [each.folderId, [each.ancestors, each.accessType, each.inheritAccessFromParent]]),
        ),
      ).toEqual(
        new Map(
          [...model.folders].map(([id, each]) => [
            id,
            [model.ancestors(each.parent), model.typeOf(each), each.inherits],
          ]),
        ),
      )
      const got = (await ws.ok('/v2/organizations/documents/get', { organizationId })).data
      expect(new Map(got.map((each) => [each.id, [each.folderId ?? 'root', each.accessType]]))).toEqual(
        new Map([...model.documents].map(([id, each]) => [id, [each.parent, model.typeOf(each)]])),
      )
    }),
    { numRuns: 12 },
  )
}, 60_000)
