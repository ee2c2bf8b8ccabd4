import { createClient } from '../client/src/index.ts'
import type { EventReceiver, ReceivedEvent } from './event-receiver.ts'

const MAYA = { userId: 'maya', name: 'Maya Okafor', email: 'maya@northwind.example' }
const JONAS = { userId: 'jonas', name: 'Jonas Lind', email: 'jonas@northwind.example' }
const PRIYA = { userId: 'priya', name: 'Priya Raman', email: 'priya@northwind.example' }
const USERS = [MAYA, JONAS, PRIYA]

const THREAD = [
  {
    from: JONAS,
    commentText: 'Section 4 promises a 30-day refund, but the pricing page says 14. Which one do we mean?',
  },
  { from: MAYA, commentText: '14 was the old policy. {{priya}}, can you confirm that legal signed off on 30?' },
  {
    from: PRIYA,
    commentText: 'Confirmed, 30 days since March. I will update the pricing page; approve once it is live.',
  },
]

/** A running server. The operator's token is for one whose WORKSPACE_CREATE is `token`. */
export interface Server {
  baseUrl: string
  operatorToken?: string | undefined
}

/** What the journey wrote and what the receiver got. */
export interface Review {
  workspaceId: string
  workspaceAuthToken: string
  apiKey: string
  authToken: string
  annotationId: string
  events: ReceivedEvent[]
}

/** The main use case: from nothing to a review thread whose signed events arrive at the customer's own receiver. */
export async function runReview(
  { baseUrl, operatorToken }: Server,
  receiver: EventReceiver,
  say: (line: string) => void,
): Promise<Review> {
  const anyone = createClient({ baseUrl, operatorToken })
  const { data: workspace } = await anyone.workspaces.createWorkspace({
    // An address owns few workspaces, and its first part names the API key.
    ownerEmail: `maya@${Date.now()}.northwind.example`,
    name: 'Maya Okafor',
    workspaceName: 'Northwind',
  })
  const [apiKey = ''] = Object.keys(workspace.apiKeyList)
  say(`1. Workspace ${workspace.id} “${workspace.name}” with the API key ${apiKey}`)

  const admin = createClient({ baseUrl, workspaceId: workspace.id, workspaceAuthToken: workspace.authToken })
  const { data: tokens } = await admin.workspaces.getAuthTokens({ apiKey })
  const authToken = tokens.authTokens[0]?.token ?? ''
  const client = createClient({ baseUrl, apiKey, authToken })
  say('2. Its auth token, read once and kept on the server side')

  await client.webhooks.updateAdvancedWebhookConfig({ isEnabled: true })
  const { data: endpoint } = await client.webhooks.createEndpoint({
    url: receiver.url,
    filterTypes: ['comment_annotation.add', 'comment.add'],
  })
  const { data: secret } = await client.webhooks.getEndpointSecret({ endpointId: endpoint.id })
  receiver.trust(secret.secret)
  say(`3. Webhook endpoint ${endpoint.id} for new threads and comments, at ${receiver.url}`)

  await client.organizations.addOrganizations({
    organizations: [{ organizationId: 'northwind', organizationName: 'Northwind Traders' }],
  })
  await client.documents.addDocuments({
    organizationId: 'northwind',
    documents: [{ documentId: 'refund-policy', documentName: 'Refund policy, draft 3' }],
  })
  await client.users.addUsers({ organizationId: 'northwind', users: USERS })
  say('4. Organization northwind, document refund-policy, and three users: Maya, Jonas, Priya')

  const annotationId = await writeThread(client, say)
  const events = await receiver.received(THREAD.length)
  for (const { id, event } of events) say(`7. Arrived and verified: ${event} (${id})`)
  const { id: workspaceId, authToken: workspaceAuthToken } = workspace
  return { workspaceId, workspaceAuthToken, apiKey, authToken, annotationId, events: [...events] }
}

async function writeThread(client: ReturnType<typeof createClient>, say: (line: string) => void): Promise<string> {
  const [first, ...replies] = THREAD.map((comment) => ({
    ...comment,
    ...(comment.commentText.includes('{{priya}}') && {
      taggedUserContacts: [{ text: '{{priya}}', userId: 'priya', contact: PRIYA }],
    }),
  }))
  if (!first) throw new Error('The thread is empty.')
  const place = { organizationId: 'northwind', documentId: 'refund-policy' }
  const { data: added } = await client.comments.addCommentAnnotations({
    ...place,
    commentAnnotations: [{ location: { id: 'section-4', locationName: 'Section 4' }, commentData: [first] }],
  })
  const [annotationId = ''] = Object.keys(added)
  say(`5. Jonas opens the thread ${annotationId}: “${first.commentText}”`)
  for (const reply of replies) {
    await client.comments.addComments({ ...place, annotationId, commentData: [reply] })
    say(`6. ${reply.from.name} answers: “${reply.commentText}”`)
  }
  return annotationId
}
