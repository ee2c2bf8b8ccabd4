import { execFileSync, spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { toBody } from '../../src/areas/webhooks/sending/payload.ts'
import { temporaryDirectory } from '../process.ts'
import { ada, at, bob, newReview } from '../review.ts'
import { newWorkspace, startService } from '../running-service.ts'

const EVENT = { event: 'comment.add', data: { commentText: 'ünïcode 🜁' } }

const guide = await readFile(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8')

function example(language: string): string {
  const [, code] = guide.match(new RegExp(`\`\`\`${language} decrypt\n([\\s\\S]*?)\`\`\``)) ?? []
  if (code === undefined) throw new Error(`The guide has no example in ${language}.`)
  return code
}

function encrypted(type: 'spki' | 'pkcs1') {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const options = {
    encode: false,
    protect: false,
    publicKey: publicKey.export({ type, format: 'der' }).toString('base64'),
  }
  return {
    body: toBody(JSON.stringify(EVENT), options),
    pem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

test.each(['spki', 'pkcs1'] as const)(
  'the guide’s example for Node opens what is encrypted for a %s key',
  async (type) => {
    const { path, remove } = await temporaryDirectory()
    const { body, pem } = encrypted(type)
    const file = join(path, 'decrypt.mjs')
    await writeFile(file, example('js'))
    const { decrypt } = await import(file)
    expect(decrypt(JSON.parse(body), pem)).toEqual(EVENT)
    await remove()
  },
)

const hasPython = spawnSync('python3', ['-c', 'import cryptography']).status === 0

test.runIf(hasPython)('the guide’s example for Python opens it as well', () => {
  const { body, pem } = encrypted('spki')
  const program = `${example('python')}\nimport sys\nbody, pem = sys.argv[1:]\nprint(json.dumps(decrypt(json.loads(body), pem.encode())))`
  expect(JSON.parse(execFileSync('python3', ['-c', program, body, pem], { encoding: 'utf8' }))).toEqual(EVENT)
})

test('the guide’s request for basic webhooks switches them on, and every field of it is known', async () => {
  const [, path = '', request = ''] =
    /`(\/v2\/workspace\/webhookconfig\/update)`[\s\S]*?```json\n([\s\S]*?)```/.exec(guide) ?? []
  const sent = JSON.parse(request)
  const ws = await newWorkspace(await startService())
  expect(await ws.ok(path, sent)).toMatchObject({ data: sent })
})

describe('the guide’s endpoint', () => {
  const shown = (mark: string) =>
    JSON.parse(guide.match(new RegExp(`\`\`\`json ${mark}\\n([\\s\\S]*?)\`\`\``))?.[1] ?? '')

  test('is made as it shows, and gets the event that it shows', async () => {
    const ws = await newWorkspace(await startService())
    await ws.ok('/v2/workspace/advancedwebhookconfig/update', { isEnabled: true })
    const { data: endpoint } = await ws.ok('/v2/workspace/advancedwebhook/endpoints/create', shown('endpoint'))
    expect(endpoint).toMatchObject({ id: expect.stringMatching(/^ep_/), ...shown('endpoint') })
    const { data: secret } = await ws.ok('/v2/workspace/advancedwebhook/endpoints/secret/get', {
      endpointId: endpoint.id,
    })
    expect(JSON.stringify(secret)).toContain('whsec_')
    const event = shown('event')
    const { targetComment, commentAnnotation, metadata, actionUser } = event.data
    const place = { organizationId: metadata.organizationId, documentId: metadata.documentId }
    await ws.ok('/v2/users/add', { organizationId: place.organizationId, users: [{ ...actionUser, userId: 'bo' }] })
    const documents = [{ documentId: place.documentId, documentName: metadata.documentName }]
    await ws.ok('/v2/organizations/documents/add', { organizationId: place.organizationId, documents })
    const commentData = [{ commentText: 'Is this price right?', from: { userId: 'bo' } }]
    const { annotationId } = commentAnnotation
    await ws.ok('/v2/commentannotations/add', { ...place, commentAnnotations: [{ annotationId, commentData }] })
    await ws.ok('/v2/commentannotations/comments/add', { ...place, annotationId, commentData: [targetComment] })
    const { data: deliveries } = await ws.ok('/v2/workspace/advancedwebhook/deliveries/list', {
      eventType: event.event,
    })
    const deliveryId = deliveries[0]?.id ?? ''
    const { data } = await ws.ok('/v2/workspace/advancedwebhook/deliveries/get', { deliveryId })
    expect(data.request.payload).toMatchObject(event)
  })
})

test('the guide’s table tells what the data of each event holds', async () => {
  const isMore = (field: string) => !['actionUser', 'commentAnnotation', 'metadata'].includes(field)
  const words = (text = '') => [...text.matchAll(/`([\w.]+)`/g)].map(([, word = '']) => word)
  const rows = [...guide.matchAll(/^\| (`comment.*) \| (.*) \|$/gm)]
  const told = new Map(
    rows.flatMap(([, events, fields]) => words(events).map((event) => [event, words(fields).filter(isMore)])),
  )
  const review = await newReview(await startService())
  const cyd = { userId: 'cyd' }
  await review.thread('t')
  await review.ok('comments/add', { annotationId: 't', commentData: [{ commentId: 2, commentText: 'Yes', from: bob }] })
  await review.ok('comments/update', { annotationId: 't', commentIds: [2], updatedData: { commentText: 'No' } })
  const reactions = [{ reactionId: 'r', icon: '+', from: bob }]
  await review.ws.ok('/v2/reactions/add', { ...at, annotationId: 't', commentId: 2, reactions })
  await review.ws.ok('/v2/reactions/delete', { ...at, reactionIds: ['r'] })
  await review.ok('comments/delete', { annotationId: 't', commentIds: [2] })
  const updatedData = { status: { id: 'RESOLVED' }, priority: { id: 'P0' } }
  await review.ok('update', { annotationIds: ['t'], updatedData, actionUser: ada })
  await review.ok('update', { annotationIds: ['t'], subscribeUsers: [cyd], actionUser: ada })
  await review.ok('update', { annotationIds: ['t'], unsubscribeUsers: [cyd], actionUser: ada })
  const commentAnnotations = [{ annotationId: 'new', commentData: [{ commentText: 'New', from: ada }] }]
  await review.ok('add', { commentAnnotations })
  const events = await review.events()
  expect(new Set(told.keys())).toEqual(new Set(events.map(({ type }) => type)))
  for (const { type, advanced } of events) {
    expect([type, Object.keys(advanced.data).filter(isMore).sort()]).toEqual([type, told.get(type)?.sort()])
  }
  const subscription = events.find(({ type }) => type === 'comment_annotation.subscribe')
  expect(subscription?.advanced.data.actionUser).toMatchObject(cyd)
})
