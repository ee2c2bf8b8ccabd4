import { createServer, type Server } from 'node:http'
import type { createClient } from '../../client/src/index.ts'
import { listen } from '../../server/test/ports/listen.ts'

type Client = ReturnType<typeof createClient>

const ORGANIZATION = 'northwind'
const DAY_MS = 86_400_000
const MAYA = { userId: 'maya', name: 'Maya Okafor' }
const PRIYA = { userId: 'priya', name: 'Priya Raman' }
const ANA = { userId: 'ana', name: 'Ana Souza', email: 'ana@northwind.example' }

/** A receiver that refuses what it gets, as one that is down does. */
export async function startFailingReceiver(): Promise<{ url: string; close(): void }> {
  const server: Server = createServer((request, response) => {
    request.resume()
    response.writeHead(503, { 'content-type': 'text/plain' }).end('The ledger is being migrated. Try again later.')
  })
  const port = await listen(server)
  return { url: `http://127.0.0.1:${port}/ledger`, close: () => server.close() }
}

/**
 * Fills the workspace of the demo as one looks that is used: places, grants, threads, activities, judgments, a failing
 * endpoint.
 */
export async function fillDemo(client: Client, failingUrl: string): Promise<void> {
  await client.activities.updateActivityConfig({ activityServiceConfig: { isEnabled: true } })
  await client.webhooks.createEndpoint({
    url: failingUrl,
    description: 'Ledger of approvals',
    filterTypes: ['comment_annotation.add', 'comment_annotation.status_change'],
    rateLimit: 50,
  })
  await addPlaces(client)
  await addThreads(client)
  await client.memory.addJudgments({ organizationId: ORGANIZATION, judgments: judgments() })
}

/** Adds the folders *Policies* and, in it, *Drafts*, and the document `returns`, whose name has HTML. */
export async function addReturnsPolicy(client: Client): Promise<void> {
  await client.folders.addFolders({
    organizationId: ORGANIZATION,
    folders: [
      { folderId: 'policies', folderName: 'Policies' },
      { folderId: 'drafts', folderName: 'Drafts', parentFolderId: 'policies' },
    ],
  })
  await client.documents.addDocuments({
    organizationId: ORGANIZATION,
    folderId: 'policies',
    documents: [{ documentId: 'returns', documentName: 'Returns <b>policy</b>' }],
  })
}

async function addPlaces(client: Client): Promise<void> {
  const organizationId = ORGANIZATION
  await client.folders.addFolders({
    organizationId,
    folders: [
      { folderId: 'policies', folderName: 'Policies' },
      { folderId: 'drafts', folderName: 'Drafts', parentFolderId: 'policies' },
      { folderId: 'contracts', folderName: 'Contracts' },
    ],
  })
  await client.documents.addDocuments({
    organizationId,
    folderId: 'drafts',
    documents: [
      { documentId: 'shipping-terms', documentName: 'Shipping terms' },
      { documentId: 'warranty', documentName: 'Warranty, draft 2' },
    ],
  })
  await client.documents.addDocuments({
    organizationId,
    folderId: 'contracts',
    documents: [{ documentId: 'supplier-contract', documentName: 'Supplier contract' }],
  })
  await client.documents.updateDocumentsAccess({
    organizationId,
    documentIds: ['supplier-contract'],
    accessType: 'restricted',
  })
  await client.users.addUsers({ organizationId, users: [ANA] })
  await client.users.addUsers({ organizationId, folderId: 'policies', users: [{ ...ANA, accessRole: 'viewer' }] })
}

const THREADS = [
  {
    documentId: 'shipping-terms',
    from: PRIYA,
    commentText: 'Express delivery in two days is not what the carrier promises.',
  },
  { documentId: 'shipping-terms', from: MAYA, commentText: 'Who pays the customs for orders from Norway?' },
  { documentId: 'warranty', from: ANA, commentText: 'Two years is the law here; the draft says one.' },
]

async function addThreads(client: Client): Promise<void> {
  for (const { documentId, from, commentText } of THREADS) {
    const place = { organizationId: ORGANIZATION, documentId }
    await client.comments.addCommentAnnotations({
      ...place,
      commentAnnotations: [{ commentData: [{ commentText, from }] }],
    })
  }
  const place = { organizationId: ORGANIZATION, documentId: 'warranty' }
  const annotationId = 'warranty-length'
  await client.comments.addCommentAnnotations({
    ...place,
    commentAnnotations: [
      {
        annotationId,
        suggestion: {
          targetId: 'p2',
          summary: 'Say “two years”',
          oldValue: 'The warranty lasts one year from delivery.',
          newValue: 'The warranty lasts two years from delivery.',
        },
        commentData: [{ commentText: 'The law says two years.', from: ANA }],
      },
    ],
  })
  await client.comments.updateCommentAnnotations({
    ...place,
    annotationIds: [annotationId],
    updatedData: { status: { type: 'ongoing' } },
    actionUser: MAYA,
  })
}

const CASES = [
  ['approve', 'Refund terms of 30 days match the policy since March.', 'Refunds within 30 days of delivery.'],
  ['approve', 'Thirty days for refunds is what legal signed off.', 'You may return goods for a refund within 30 days.'],
  ['approve', 'The refund window agrees with the pricing page.', 'Refund window: 30 days from purchase.'],
  ['reject', 'Refund terms of 14 days are the old policy.', 'Refunds within 14 days of delivery.'],
  ['reject', 'A refund without a receipt invites fraud.', 'Refunds are given without a receipt.'],
  ['approve', 'Store credit instead of a refund is fine for sale items.', 'Sale items: store credit within 30 days.'],
  ['reject', 'Two-day express is not what the carrier promises.', 'Express delivery arrives in two days.'],
  ['approve', 'Four days for express is in the carrier contract.', 'Express delivery arrives in four days.'],
  ['approve', 'The warranty of two years is the law.', 'The warranty lasts two years.'],
  ['reject', 'A warranty of one year breaks the law.', 'The warranty lasts one year.'],
] as const

const CUSTOMERS = [
  'Fjord Outdoor',
  'Lumen Optics',
  'Baker & Sons',
  'Atlas Freight',
  'Cobalt Games',
  'Maple Home',
  'Orbit Travel',
]

/** Judgments of the last months, made of the same ten cases, with the odd one out. */
function judgments() {
  return Array.from({ length: 120 }, (_, i) => {
    const [decision, reasoning, content] = CASES[i % CASES.length] ?? CASES[0]
    const isOdd = i % 17 === 5
    const flipped = decision === 'approve' ? 'reject' : 'approve'
    return {
      recordId: `case-${i + 1}`,
      decision: isOdd ? flipped : decision,
      reasoning: `${CUSTOMERS[i % CUSTOMERS.length]}: ${isOdd ? 'an exception was agreed. ' : ''}${reasoning}`,
      content: `${content} (case ${i + 1})`,
      actionUser: i % 3 === 0 ? PRIYA : MAYA,
      createdAt: Date.now() - (120 - i) * DAY_MS,
    }
  })
}
