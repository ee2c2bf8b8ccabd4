import { randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import type { Answer, Result } from '../answer.ts'
import { Arrivals } from '../arrivals.ts'
import { startReceiver } from '../receiver.ts'

const AT = { organizationId: 'acme', documentId: 'plan' }
const ada = { userId: 'ada', name: 'Ada Lovelace', email: 'ada@example.com' }
const ENDPOINTS = '/v2/workspace/advancedwebhook/endpoints'
const THREAD_LENGTH = 50

export type Customer = Awaited<ReturnType<typeof newCustomer>>

/**
 * A customer with advanced webhooks enabled. `url` returns the current address of the service. A call rejects when its
 * connection breaks.
 */
export async function newCustomer(url: () => Promise<string>) {
  const post = async <Path extends string>(
    path: Path,
    data: object,
    headers: Record<string, string> = {},
  ): Promise<Answer<Path>> => {
    const response = await fetch((await url()) + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ data }),
    })
    return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) }
  }
  const created = await post('/v2/workspace/create', { ownerEmail: `${randomUUID()}@example.com` })
  const { id, authToken, apiKeyList } = resultOf(created).data
  const [apiKey = ''] = Object.keys(apiKeyList)
  const workspace = { 'x-service-workspace-id': id, 'x-service-workspace-auth-token': authToken }
  const tokens = await post('/v2/workspace/authtokens/get', { apiKey }, workspace)
  const [{ token } = { token: '' }] = resultOf(tokens).data.authTokens
  const headers = { 'x-service-api-key': apiKey, 'x-service-auth-token': token }
  const call = <Path extends string>(path: Path, data: object) => post(path, data, headers)
  const ok = async <Path extends string>(path: Path, data: object) => resultOf(await call(path, data))
  await ok('/v2/workspace/advancedwebhookconfig/update', { isEnabled: true })
  return {
    call,
    ok,
    /** Creates an endpoint for added comments; returns the secret that its deliveries are signed with. */
    async subscribe(data: object): Promise<string> {
      const endpoint = { filterTypes: ['comment.add'], ...data }
      const { id: endpointId } = (await ok(`${ENDPOINTS}/create`, endpoint)).data
      return (await ok(`${ENDPOINTS}/secret/get`, { endpointId })).data.secret
    },
    /** Creates the threads for that many comments. */
    async makeThreads(comments: number): Promise<void> {
      const documents = [{ documentId: AT.documentId }]
      await ok('/v2/organizations/documents/add', { ...AT, createOrganization: true, documents })
      const commentAnnotations = Array.from({ length: Math.ceil(comments / THREAD_LENGTH) }, (_, n) => ({
        annotationId: `thread-${n}`,
        commentData: [{ commentId: OPENING_COMMENT, commentText: 'Opening', from: ada }],
      }))
      await ok('/v2/commentannotations/add', { ...AT, commentAnnotations })
    },
    /** Adds one comment, numbered from 0 through all threads; repeated calls add it once. */
    comment: (number: number) =>
      call('/v2/commentannotations/comments/add', {
        ...AT,
        annotationId: `thread-${Math.floor(number / THREAD_LENGTH)}`,
        commentData: [{ commentId: number, commentText: `Comment ${number}`, from: ada }],
      }),
  }
}

/** The id of the first comment of each thread; comments added later have smaller ones. */
export const OPENING_COMMENT = 999_999

/** The result of a response, which must be a success. */
function resultOf<Path extends string>({ status, body }: Answer<Path>): Result<Path> {
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body.result
}

/** A delivery to an inbox: the id of the message and the number of its comment. */
export interface Delivered {
  webhookId: string
  comment: number
  time: number
}

/** A receiver that verifies every signature with the secrets passed to `trust`; failures are in `refused`. */
export async function startInbox() {
  const secrets: string[] = []
  const refused: string[] = []
  const deliveries = new Arrivals<Delivered>()
  const receiver = await startReceiver({
    respond: ({ headers, body, time }) => {
      const verified = verify(body.toString(), headers as Record<string, string>)
      if (!verified) {
        refused.push(String(headers['webhook-id']))
        return { status: 400 }
      }
      deliveries.add({ webhookId: verified.webhookId, comment: verified.data.targetComment.commentId, time })
      return { status: 200 }
    },
  })
  const verify = (body: string, headers: Record<string, string>) => {
    for (const secret of secrets) {
      try {
        return new Webhook(secret).verify(body, headers) as {
          webhookId: string
          data: { targetComment: { commentId: number } }
        }
      } catch {}
    }
    return undefined
  }
  return {
    url: receiver.url,
    deliveries,
    refused,
    trust: (secret: string) => secrets.push(secret),
    close: receiver.close,
  }
}
