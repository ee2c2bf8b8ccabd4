import { expect } from 'vitest'
import { newWorkspace, type Service, type TestWorkspace } from './running-service.ts'

export const place = { organizationId: 'acme', documentId: 'plan' }
export const ada = { userId: 'ada', name: 'Ada', email: 'ada@example.com' }
export const bob = { userId: 'bob', name: 'Bob' }
export const APPROVED = { id: 'APPROVED', type: 'terminal' }

/** A workspace with the document `plan` of the organization `acme`. */
export async function newPlannedWorkspace(service: Service): Promise<TestWorkspace> {
  const ws = await newWorkspace(service)
  await ws.ok('/v2/organizations/add', { organizations: [{ organizationId: 'acme' }] })
  await ws.ok('/v2/organizations/documents/add', { organizationId: 'acme', documents: [{ documentId: 'plan' }] })
  return ws
}

export const text = (from: object, commentText: string, more: object = {}) => ({ from, commentText, ...more })

/** Calls that add and decide on threads of the plan, and that list the judgments made of it. */
export function threadDecisions(workspace: () => TestWorkspace) {
  const judgments = async (data: object = {}) => (await workspace().ok('/v2/memory/judgments/query', data)).results
  return {
    judgments,
    decisions: async () => (await judgments()).map(({ decision }) => decision),
    addThread: (annotationId: string, commentData: object[], more: object = {}, at: object = place) =>
      workspace().ok('/v2/commentannotations/add', {
        ...at,
        commentAnnotations: [{ annotationId, commentData, ...more }],
      }),
    update: (annotationId: string, updatedData: object, more: object = {}) =>
      workspace().ok('/v2/commentannotations/update', {
        ...place,
        annotationIds: [annotationId],
        updatedData,
        actionUser: ada,
        ...more,
      }),
    /** Deletes a thread and expects that it was there. */
    async deleteThread(annotationId: string) {
      const { data } = await workspace().ok('/v2/commentannotations/delete', {
        ...place,
        annotationIds: [annotationId],
      })
      expect(data).toEqual({ [annotationId]: { success: true, id: annotationId, message: 'Deleted Successfully' } })
    },
    importOne: (more: object = {}) =>
      workspace().ok('/v2/memory/judgments/add', {
        ...place,
        judgments: [{ recordId: 'imported', decision: 'approve', reasoning: 'Fine.', actionUser: ada, ...more }],
      }),
  }
}
