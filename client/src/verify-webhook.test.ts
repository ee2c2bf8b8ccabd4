import { beforeAll, describe, expect, test } from 'vitest'
import { sign } from '../../server/src/areas/webhooks/sending/signature.ts'
import { testReceiver } from '../../server/test/receiver.ts'
import { newWorkspace, type Service, startAlone } from '../../server/test/running-service.ts'
import { createClient, verifyWebhook, WebhookVerificationError } from './index.ts'

const SECRET = 'whsec_plJ3nmyCDGBKInavdOK15jsl'
const BODY = '{"event":"comment.add","data":{"targetComment":{"commentText":"ünïcode 🜁"}}}'

function headersOf(secrets: string[], { body = BODY, age = 0 } = {}) {
  const timestamp = Math.floor(Date.now() / 1000) - age
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map((secret) => sign(secret, { id: 'msg_1', timestamp, body })).join(' '),
  }
}

describe('what the service sends', () => {
  let service: Service
  beforeAll(async () => {
    service = await startAlone()
  })

  test('verifies with either secret during a rotation, and is typed', async () => {
    const ws = await newWorkspace(service)
    const receiver = await testReceiver()
    const client = createClient({
      baseUrl: service.url,
      apiKey: ws.apiKey,
      authToken: ws.keyHeaders['x-service-auth-token'],
    })
    await client.webhooks.updateAdvancedWebhookConfig({ isEnabled: true })
    const { data: endpoint } = await client.webhooks.createEndpoint({ url: receiver.url, filterTypes: ['comment.add'] })
    const { data: old } = await client.webhooks.getEndpointSecret({ endpointId: endpoint.id })
    const { data: rotated } = await client.webhooks.rotateEndpointSecret({
      endpointId: endpoint.id,
      overlapSeconds: 3600,
    })
    const place = { organizationId: 'acme', documentId: 'plan' }
    await client.users.addUsers({ organizationId: 'acme', users: [{ userId: 'ada' }] })
    const from = { userId: 'ada' }
    const { data: added } = await client.comments.addCommentAnnotations({
      ...place,
      createDocument: true,
      commentAnnotations: [{ commentData: [{ commentText: 'One', from }] }],
    })
    const [annotationId = ''] = Object.keys(added)
    await client.comments.addComments({ ...place, annotationId, commentData: [{ commentText: 'Two', from }] })
    await service.drainJobs()
    const [request] = await receiver.next()
    if (!request) throw new Error('Nothing arrived.')
    for (const { secret } of [old, rotated]) {
      const event = await verifyWebhook(request.body, request.headers, secret)
      if (event.test || event.event !== 'comment.add') throw new Error(`${event.event} arrived.`)
      expect(event.webhookId).toMatch(/^msg_/)
      expect(event.data.metadata.documentId).toBe('plan')
      expect(event.data.commentAnnotation.annotationId).toBe(annotationId)
      expect(event.data.targetComment.commentText).toBe('Two')
    }
    await expect(verifyWebhook(request.body, request.headers, SECRET)).rejects.toThrow(WebhookVerificationError)
  })
})

describe('a signature', () => {
  test('fits the body as text and as bytes, with headers of fetch and of Node in any case', async () => {
    const headers = headersOf([SECRET])
    const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]))
    for (const given of [headers, upper, new Headers(headers)]) {
      expect(await verifyWebhook(BODY, given, SECRET)).toEqual(JSON.parse(BODY))
      expect(await verifyWebhook(new TextEncoder().encode(BODY), given, SECRET)).toEqual(JSON.parse(BODY))
    }
  })

  test('fits if one of several does, of whatever version', async () => {
    const other = `whsec_${btoa('another secret of 24 byte')}`
    expect(await verifyWebhook(BODY, headersOf([other, SECRET]), SECRET)).toEqual(JSON.parse(BODY))
    const headers = headersOf([SECRET])
    const later = { ...headers, 'webhook-signature': `v2,AAAA v1,%%% v1 ${headers['webhook-signature']}` }
    expect(await verifyWebhook(BODY, later, SECRET)).toEqual(JSON.parse(BODY))
  })

  test.each([
    ['of another secret', () => headersOf([`whsec_${btoa('another')}`])],
    ['of another body', () => headersOf([SECRET], { body: `${BODY} ` })],
    ['of another id', () => ({ ...headersOf([SECRET]), 'webhook-id': 'msg_2' })],
    ['of another version', () => headerWith('webhook-signature', (value) => value.replace('v1,', 'v2,'))],
    ['that is cut', () => headerWith('webhook-signature', (value) => value.slice(0, -4))],
    ['that is missing', () => headerWith('webhook-signature', () => undefined)],
    ['without an id', () => headerWith('webhook-id', () => undefined)],
    ['with a repeated timestamp', () => headerWith('webhook-timestamp', (value) => [value, value])],
    ['of a time that is no number', () => headerWith('webhook-timestamp', (value) => `${value}.5`)],
    ['that is too old', () => headersOf([SECRET], { age: 310 })],
    ['from the future', () => headersOf([SECRET], { age: -310 })],
  ])('%s is refused', async (_, headers) => {
    await expect(verifyWebhook(BODY, headers(), SECRET)).rejects.toThrow(WebhookVerificationError)
  })

  test('may be as old as the tolerance says', async () => {
    const headers = headersOf([SECRET], { age: 310 })
    expect(await verifyWebhook(BODY, headers, SECRET, { toleranceSeconds: 600 })).toEqual(JSON.parse(BODY))
  })

  test.each([JSON.parse(BODY), null, undefined])(
    'is not checked over what a parser made of the body: %j',
    async (parsed) => {
      const checked = verifyWebhook(parsed, headersOf([SECRET]), SECRET)
      await expect(checked).rejects.toThrow(/^The body must be the text or the bytes as received/)
    },
  )

  test('is not checked without a secret, as where a variable is not set', async () => {
    const checked = verifyWebhook(BODY, headersOf([SECRET]), undefined as never)
    await expect(checked).rejects.toThrow(/^The secret must be whsec_ and base64/)
  })

  test.each(['', 'whsec_', 'whsec_%'])('is not checked with the malformed secret “%s”', async (secret) => {
    await expect(verifyWebhook(BODY, headersOf([SECRET]), secret)).rejects.toThrow(TypeError)
  })
})

function headerWith(name: string, change: (value: string) => string | string[] | undefined) {
  const headers: Record<string, string | string[] | undefined> = headersOf([SECRET])
  return { ...headers, [name]: change(String(headers[name])) }
}
