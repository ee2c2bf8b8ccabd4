import type { Credentials } from '../../subject.ts'
import { ORGANIZATION, type Prototypes } from '../prototype.ts'

/** Whose data a call works on: the rows of each record, and the ids that only this key has. */
export interface Subject extends Credentials, Prototypes {
  eventId: string
  rows: number
}

/** The input of the `i`-th call. `n` numbers an existing record, another for each call. */
export type Call = (input: { i: number; n: number; subject: Subject }) => object

const organizationId = ORGANIZATION
export const inAcme = { organizationId }
const share = (n: number, { rows }: Subject) => n % (Math.floor(rows / 1_000) + 1)
export const documentOf = (n: number, subject: Subject) => `document-${share(n, subject)}`
export const userOf = (n: number, subject: Subject) => `user-${share(n, subject)}`
export const user = (n: number) => ({ userId: `user-${n}`, name: `User ${n}`, email: `user-${n}@example.com` })
export const ofThread: Call = ({ n, subject }) => ({
  ...inAcme,
  documentId: documentOf(n, subject),
  annotationId: `thread-${n}`,
})
export const threadsOf: Call = ({ n, subject }) => ({
  ...inAcme,
  documentId: documentOf(n, subject),
  annotationIds: [`thread-${n}`],
})
export const page = { ...inAcme, pageSize: 10 }
export const onDocument: Call = ({ n }) => ({ ...inAcme, documentIds: [`document-${n}`] })
export const plain: Call = () => ({})
export const resources = (n: number) => ({ resources: [{ type: 'document', id: `document-${n}`, organizationId }] })
export const delivery: Call = ({ n, subject: { eventId, endpointId } }) => ({
  deliveryId: `dlv_${eventId.slice(4, 18)}${String(n).padStart(12, '0')}_${endpointId.slice(3)}`,
})
