import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../test/running-service.ts'
import { ada } from '../../../test/thread-decisions.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})

interface Place {
  organizationId: string
  documentId: string
}
interface Thread extends Place {
  id: string
  annotationId: string
  status: Status
  locationId: string | undefined
}
interface Activity extends Place {
  id: string
}
/** A judgment, and what it goes with: a thread, an activity, or nothing but its place. */
interface Known extends Place {
  source: string
  decision: string
  reasoning: string
  locationId?: string | undefined
}

const STATUSES = {
  APPROVED: { type: 'terminal', decision: 'approved' },
  REJECT: { type: 'terminal', decision: 'reject' },
  RESOLVED: { type: 'terminal', decision: 'resolve' },
  IN_PROGRESS: { type: 'ongoing', decision: 'in_progress' },
  OPEN: { type: 'default', decision: undefined },
} as const
type Status = keyof typeof STATUSES

const organizationId = fc.constantFrom('acme', 'beta')
const documentId = fc.constantFrom('d', 'e')
const at = { organizationId, documentId }
const id = fc.constantFrom('1', '2')
const status = fc.constantFrom(...(Object.keys(STATUSES) as Status[]))
const decision = fc.constantFrom('approve', 'reject', undefined)

const step = fc.oneof(
  fc.record({
    kind: fc.constant('addThread' as const),
    ...{ ...at, id, status },
    locationId: fc.constantFrom('l', undefined),
  }),
  fc.record({ kind: fc.constant('setStatus' as const), ...at, id, status }),
  fc.record({ kind: fc.constant('deleteThread' as const), ...at, id }),
  fc.record({ kind: fc.constant('addActivity' as const), ...at, id, decision }),
  fc.record({ kind: fc.constant('updateActivity' as const), organizationId, id, decision }),
  fc.record({ kind: fc.constant('deleteActivity' as const), organizationId, id }),
  fc.record({ kind: fc.constant('importJudgment' as const), ...at, id, decision: fc.constantFrom('agree', 'reject') }),
  fc.record({ kind: fc.constant('deleteJudgment' as const), id }),
  fc.record({ kind: fc.constant('deleteDocument' as const), ...at }),
  fc.record({ kind: fc.constant('deleteLocation' as const), ...at }),
  {
    arbitrary: fc.record({ kind: fc.constant('migrate' as const), ...at, to: fc.constantFrom('d', 'e', 'f') }),
    weight: 3,
  },
  fc.record({ kind: fc.constant('deleteOrganization' as const), organizationId }),
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never
type Of<Kind> = Extract<Step, { kind: Kind }>
/** For each kind of step a function of it, and of a text that no other step has. */
type ForEachKind<Result> = { [Kind in Step['kind']]: (step: Of<Kind>, text: string) => Result }

const isAt = (place: Place) => (each: Place) =>
  each.organizationId === place.organizationId && each.documentId === place.documentId
const sourceOf = ({ organizationId, id }: Omit<Activity, 'documentId'>) => `activity ${organizationId} ${id}`

/** What the contract says of judgments and their sources. */
class Model implements ForEachKind<void> {
  judgments: Known[] = []
  threads: Thread[] = []
  #activities: Activity[] = []
  #documents: Place[] = []

  thread = (asked: Place & { id: string }) => this.threads.filter(isAt(asked)).find(({ id }) => id === asked.id)

  addThread({ kind, ...step }: Of<'addThread'>, text: string) {
    this.#add(step)
    const thread = { ...step, annotationId: text }
    this.threads.push(thread)
    if (STATUSES[step.status].type === 'terminal') this.#decide(thread)
  }
  setStatus({ status, ...step }: Of<'setStatus'>) {
    const thread = this.thread(step)
    if (!thread || thread.status === status) return
    thread.status = status
    this.#decide(thread)
  }
  deleteThread(step: Of<'deleteThread'>) {
    const gone = this.thread(step)
    this.threads = this.threads.filter((each) => each !== gone)
    if (gone) this.#forget(({ source }) => source === gone.annotationId)
  }
  addActivity({ decision, ...step }: Of<'addActivity'>, text: string) {
    this.#add(step)
    this.#activities = [...this.#activities.filter((each) => sourceOf(each) !== sourceOf(step)), step]
    this.#judge({ ...step, source: sourceOf(step), reasoning: text }, decision)
  }
  updateActivity({ decision, ...step }: Of<'updateActivity'>, text: string) {
    const activity = this.#activities.find((each) => sourceOf(each) === sourceOf(step))
    if (!activity) return
    const isPlaced = this.#documents.some(isAt(activity))
    this.#judge({ ...activity, source: sourceOf(activity), reasoning: text }, isPlaced ? decision : undefined)
  }
  deleteActivity(step: Of<'deleteActivity'>) {
    this.#activities = this.#activities.filter((each) => sourceOf(each) !== sourceOf(step))
    this.#forget(({ source }) => source === sourceOf(step))
  }
  importJudgment({ id, decision, ...step }: Of<'importJudgment'>, text: string) {
    if (this.#documents.some(isAt(step))) this.#judge({ ...step, source: `import ${id}`, reasoning: text }, decision)
  }
  deleteJudgment({ id }: Of<'deleteJudgment'>) {
    this.#forget(({ source }) => source === `import ${id}`)
  }
  deleteDocument(step: Of<'deleteDocument'>) {
    this.#drop(isAt(step))
    this.#documents = this.#documents.filter((each) => !isAt(step)(each))
  }
  deleteLocation(step: Of<'deleteLocation'>) {
    this.#drop((each) => isAt(step)(each) && each.locationId === 'l')
  }
  migrate({ to, ...step }: Of<'migrate'>) {
    if (!this.#documents.some(isAt(step)) || this.#documents.some(isAt({ ...step, documentId: to }))) return
    const all = [...this.#documents, ...this.threads, ...this.#activities, ...this.judgments]
    for (const each of all.filter(isAt(step))) each.documentId = to
  }
  deleteOrganization({ organizationId }: Of<'deleteOrganization'>) {
    const isOf = (each: Place) => each.organizationId === organizationId
    this.#drop(isOf)
    this.#documents = this.#documents.filter((each) => !isOf(each))
    this.#activities = this.#activities.filter((each) => !isOf(each))
  }

  #add({ organizationId, documentId }: Place) {
    const place = { organizationId, documentId }
    if (!this.#documents.some(isAt(place))) this.#documents.push(place)
  }
  #decide({ annotationId, status, ...thread }: Thread) {
    const { decision } = STATUSES[status]
    if (decision) this.judgments.push({ ...thread, source: annotationId, reasoning: annotationId, decision })
  }
  /** Another judgment of the source takes the place of the first. */
  #judge(judgment: Omit<Known, 'decision'>, decision: string | undefined) {
    this.#forget(({ source }) => source === judgment.source)
    if (decision) this.judgments.push({ ...judgment, decision })
  }
  #forget(isGone: (judgment: Known) => boolean) {
    this.judgments = this.judgments.filter((each) => !isGone(each))
  }
  #drop(isGone: (each: Known | Thread) => boolean) {
    this.#forget(isGone)
    this.threads = this.threads.filter((each) => !isGone(each))
  }
}

const CREATE = { createOrganization: true, createDocument: true }
const statusOf = (id: Status) => ({ id, type: STATUSES[id].type })

/** The same by calls. What is not there is asked for too. */
function callsOf(ws: TestWorkspace, model: Model): ForEachKind<Promise<unknown>> {
  const update = (path: string, step: Place & { id: string }, more: object) => {
    const annotationIds = [model.thread(step)?.annotationId ?? 'none']
    return ws.call(`/v2/commentannotations/${path}`, { ...step, annotationIds, actionUser: ada, ...more })
  }
  const activity = (id: string, reasoning: string, decision: string | undefined) => {
    return { id, entityData: { reasoning, ...(decision && { decision }) } }
  }
  return {
    addThread: ({ status, locationId, ...step }, text) => {
      const location = locationId && { location: { id: locationId } }
      const commentData = [{ from: ada, commentText: text }]
      const thread = { annotationId: text, status: statusOf(status), from: ada, commentData, ...location }
      return ws.ok('/v2/commentannotations/add', { ...step, ...CREATE, commentAnnotations: [thread] })
    },
    setStatus: ({ status, ...step }) => update('update', step, { updatedData: { status: statusOf(status) } }),
    deleteThread: (step) => update('delete', step, {}),
    addActivity: ({ id, decision, ...step }, text) => {
      const about = { featureType: 'custom', actionType: 'review', actionUser: ada, targetEntityId: 'x' }
      const activities = [{ ...activity(id, text, decision), ...about }]
      return ws.ok('/v2/activities/add', { ...step, ...CREATE, activities })
    },
    updateActivity: ({ id, decision, ...step }, text) =>
      ws.call('/v2/activities/update', { ...step, activities: [activity(id, text, decision)] }),
    deleteActivity: ({ id, ...step }) => ws.call('/v2/activities/delete', { ...step, activityIds: [id] }),
    importJudgment: ({ id, decision, ...step }, text) => {
      const judgment = { recordId: `import ${id}`, decision, reasoning: text, actionUser: ada }
      return ws.call('/v2/memory/judgments/add', { ...step, judgments: [judgment] })
    },
    deleteJudgment: ({ id }) => ws.ok('/v2/memory/judgments/delete', { recordIds: [`import ${id}`] }),
    deleteDocument: ({ organizationId, documentId }) =>
      ws.call('/v2/organizations/documents/delete', { organizationId, documentIds: [documentId] }),
    deleteLocation: (step) =>
      ws.call('/v1/organizations/documents/locations/data/delete', {
        ...step,
        apiKey: ws.apiKey,
        authToken: ws.keyHeaders['x-service-auth-token'],
        location: { id: 'l' },
      }),
    migrate: ({ to, ...step }) => ws.call('/v2/organizations/documents/migrate', { ...step, newDocumentId: to }),
    deleteOrganization: ({ organizationId }) =>
      ws.call('/v2/organizations/delete', { organizationIds: [organizationId] }),
  }
}

type Listed = { [Field in 'organizationId' | 'documentId' | 'decision' | 'reasoning']: string | null }

const listed = (judgments: Listed[]) =>
  judgments.map((each) => [each.organizationId, each.documentId, each.decision, each.reasoning].join(' ')).sort()

test('whatever is decided, deleted and moved in whatever order, the judgments of the contract are left', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), async (steps) => {
      const ws = await newWorkspace(service)
      await ws.ok('/v2/workspace/activityconfig/update', { activityServiceConfig: { isEnabled: true } })
      const model = new Model()
      const calls = callsOf(ws, model)
      for (const [index, step] of steps.entries()) {
        if (step.kind === 'addThread' && model.thread(step)) continue
        const run = (how: ForEachKind<unknown>) =>
          (how[step.kind] as (step: Step, text: string) => unknown)(step, `text ${index}`)
        await run(calls)
        await service.drainJobs()
        run(model)
        const { results } = await ws.ok('/v2/memory/judgments/query', { limit: 100 })
        expect([step, listed(results)]).toEqual([step, listed(model.judgments)])
      }
    }),
    { numRuns: 20 },
  )
}, 60_000)
