import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createContext, runInContext } from 'node:vm'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sign } from '../../server/src/areas/webhooks/sending/signature.ts'
import { newWorkspace, type Service, startService } from '../../server/test/running-service.ts'
import { codeOf, type Installation, installClient, NODE_TYPES } from './installation.ts'

let service: Service
let outside: Installation
beforeAll(async () => {
  service = await startService()
  outside = await installClient()
}, 180_000)
afterAll(() => outside.remove())

const SECRET = 'whsec_plJ3nmyCDGBKInavdOK15jsl'
const RESOLUTIONS: [string, string[]][] = [
  ['bundler', ['--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'es2022,dom']],
  ['nodenext', ['--module', 'nodenext', '--moduleResolution', 'nodenext', '--lib', 'es2022,dom']],
  ['nodenext without the types of browsers', ['--module', 'nodenext', ...NODE_TYPES]],
]

/** The environment of a program that calls the service as a new API key. */
async function environment(): Promise<Record<string, string>> {
  const { apiKey, keyHeaders } = await newWorkspace(service)
  return {
    PRECEDENT_URL: service.url,
    PRECEDENT_API_KEY: apiKey,
    PRECEDENT_AUTH_TOKEN: keyHeaders['x-service-auth-token'] ?? '',
    WEBHOOK_SECRET: SECRET,
  }
}

const JAVASCRIPT = `
const { PRECEDENT_URL: baseUrl, PRECEDENT_API_KEY: apiKey, PRECEDENT_AUTH_TOKEN: authToken } = process.env
const client = createClient({ baseUrl, apiKey, authToken })
const users = ['a', 'b', 'c'].map((userId) => ({ userId }))
client.users.addUsers({ organizationId: 'acme', users }).then(async () => {
  for await (const page of client.users.getUsers.pages({ organizationId: 'acme', pageSize: 2 })) {
    console.log(page.data.map(({ userId }) => userId).join())
  }
  const error = await client.users.getUsers({ organizationId: 'nowhere' }).catch((caught) => caught)
  console.log(error instanceof PrecedentError, error.status)
})`

describe('the packed client, installed in an empty folder', () => {
  test('has no dependencies, and holds the built module, its types, a guide and the license', async () => {
    const manifest = JSON.parse(
      await readFile(join(outside.path, 'node_modules/@precedent/client/package.json'), 'utf8'),
    )
    expect(manifest).toMatchObject({ name: '@precedent/client', license: 'Apache-2.0', type: 'module' })
    expect(Object.keys(manifest).filter((key) => /dependencies/i.test(key) || key === 'private')).toEqual([])
    for (const file of ['README.md', 'LICENSE', 'dist/index.js', 'dist/index.d.ts']) {
      const text = await readFile(join(outside.path, 'node_modules/@precedent/client', file), 'utf8')
      expect(text.length).toBeGreaterThan(100)
    }
  })

  test('holds its types also when it is packed a second time', async () => {
    const again = await installClient()
    const types = await readFile(join(again.path, 'node_modules/@precedent/client/dist/index.d.ts'), 'utf8')
    expect(types).toContain('createClient')
    await again.remove()
  })

  test.each([
    ['import', 'program.mjs', "import { createClient, PrecedentError } from '@precedent/client'"],
    ['require', 'program.cjs', "const { createClient, PrecedentError } = require('@precedent/client')"],
  ])('works from plain JavaScript by %s', async (_, file, load) => {
    await outside.write(file, load + JAVASCRIPT)
    expect(await outside.node(file, await environment())).toBe('a,b\nc\ntrue NOT_FOUND\n')
  })

  test('bundles for browsers, and runs where only web standards are', async () => {
    await outside.write('page.mjs', "export { createClient, verifySignature } from '@precedent/client'")
    const { outputFiles, warnings } = await build({
      absWorkingDir: outside.path,
      entryPoints: ['page.mjs'],
      bundle: true,
      write: false,
      platform: 'browser',
      format: 'iife',
      globalName: 'precedent',
    })
    expect(warnings).toEqual([])
    const { PRECEDENT_URL: baseUrl, PRECEDENT_API_KEY: apiKey, PRECEDENT_AUTH_TOKEN: authToken } = await environment()
    const web = { AbortController, crypto, fetch, Headers, performance, setTimeout, clearTimeout, TextEncoder, URL }
    const page = createContext({ ...web, options: { baseUrl, apiKey, authToken } })
    runInContext(outputFiles[0]?.text ?? '', page)
    const call =
      'precedent.createClient(options).organizations.addOrganizations({ organizations: [{ organizationId: "o" }] })'
    expect(await runInContext(call, page)).toMatchObject({ data: { o: { success: true } } })
    const permissions = [{ userId: 'ada', resourceId: 'plan', type: 'document', hasAccess: true }]
    const signing = `precedent.createClient(options).permissions.generateSignature({ permissions: ${JSON.stringify(permissions)} })`
    const { data } = await runInContext(signing, page)
    const verifying = `precedent.verifySignature(${JSON.stringify(permissions)}, "${data.signature}", options.authToken)`
    expect(await runInContext(verifying, page)).toBe(true)
  })

  test.each(RESOLUTIONS)('compiles in strict TypeScript, resolved by %s', async (_, options) => {
    await outside.write('typed.ts', TYPED)
    await outside.compile('typed.ts', ['--noEmit', ...options])
  })

  test('tells a wrong field at compile time', async () => {
    await outside.write('wrong.ts', TYPED.replace('userId: ', 'userID: '))
    await expect(outside.compile('wrong.ts', ['--noEmit', '--module', 'nodenext'])).rejects.toThrow(/userID/)
  })
})

const TYPED = `
import {
  createClient, type Document, type EventType, type Folder, type Notification, PrecedentError, type Thread, TimeoutError,
  type User, type WebhookEvent,
} from '@precedent/client'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const client = createClient({ baseUrl: 'http://127.0.0.1:8080', apiKey: 'k', authToken: 't', maxRetries: 1 })

export async function run(signal: AbortSignal): Promise<string[]> {
  const { data: added } = await client.users.addUsers({ organizationId: 'acme', users: [{ userId: 'ada' }] }, { signal })
  const success: boolean | undefined = added.ada?.success
  const names: string[] = []
  for await (const page of client.organizations.getOrganizations.pages()) {
    const token: string | null = page.nextPageToken
    names.push(...page.data.map(({ id }) => id), String(token), String(success))
  }
  for await (const { data } of client.webhooks.getEndpoints.pages({ limit: 1 })) names.push(...data.endpoints.map(({ id }) => id))
  return names
}

export async function list(): Promise<unknown[]> {
  const { data: threads } = await client.comments.getCommentAnnotations({ organizationId: 'acme' })
  const known: Thread[] = threads.filter((thread): thread is Thread => thread !== null)
  const { data: groups } = await client.comments.getCommentAnnotations({ organizationId: 'acme', groupByDocumentId: true })
  const ofPlan: Thread[] | undefined = groups.plan
  for await (const { data } of client.users.getUsers.pages({ organizationId: 'acme' })) {
    const users: User[] = data
    known.push(...known.filter(({ from }) => users.some(({ userId }) => userId === from.userId)))
  }
  const { data: inbox } = await client.notifications.getNotifications({ organizationId: 'acme', userId: 'ada' })
  const [first]: Notification[] = inbox
  const [document]: Document[] = (await client.documents.getDocuments({ organizationId: 'acme' })).data
  const [folder]: Folder[] = (await client.folders.getFolders({ organizationId: 'acme' })).data
  await client.webhooks.createEndpoint({ url: 'https://example.com', filterTypes: ['comment.add'] })
  // @ts-expect-error: it is no event type.
  await client.webhooks.testEndpoint({ endpointId: 'ep', eventType: 'comment.added' })
  return [ofPlan, first, document?.ownField, folder?.ownField, first?.metadata.ownField]
}

export async function held(documentId?: string, after?: number, grouped?: false, name?: string): Promise<Thread[]> {
  const found = { organizationId: 'acme', documentId, updatedAfter: after, groupByDocumentId: grouped }
  const { data: threads } = await client.comments.getCommentAnnotations(found)
  const person = { userId: 'ada', name, contacts: undefined }
  await client.users.addUsers({ organizationId: 'acme', documentId, users: [person] })
  // @ts-expect-error: without a filter it deletes every thread.
  await client.comments.deleteCommentAnnotations({ organizationId: 'acme', documentId: 'plan', annotationIds: undefined })
  return threads.flatMap((thread) => thread ?? [])
}

export function tell(error: unknown): string {
  if (error instanceof TimeoutError) return error.message
  if (!(error instanceof PrecedentError)) throw error
  const status: Same<typeof error.httpStatus, number> = true
  const issues = error.details?.issues?.map(({ path, message }) => path + message) ?? []
  return [error.status === 'NOT_FOUND', status, error.retryAfter?.toFixed(), error.requestId, ...issues].join()
}

export function read(event: WebhookEvent): string | undefined {
  const type: EventType = event.event
  // @ts-expect-error: it may be a test, which has no comment.
  if (event.event === 'comment.add') event.data.targetComment
  if (event.test) return event.data.endpointId
  if (event.event === 'comment.add') return event.data.targetComment.commentText
  if (event.event === 'endpoint.disabled') return event.data.reason
  if (event.event === 'recorder.done') return event.data.recorderId
  if (event.event === 'message.attempt.exhausted') return event.data.lastError ?? event.data.lastStatus?.toFixed()
  if (event.event === 'comment.reaction_add') return event.data.reaction.icon
  if (event.data.metadata.documentId === 'plan') return event.data.metadata.documentName
  const typed: Same<typeof event, any> = false
  return String(typed) + type
}
`

describe('the examples', () => {
  const settings = ['--module', 'nodenext', ...NODE_TYPES]

  test.each(RESOLUTIONS)('of the client’s guide compile, resolved by %s', async (_, options) => {
    const types = options.includes('node') ? [] : NODE_TYPES.slice(2)
    await outside.write('guide.ts', (await codeOf('client/README.md', 'ts')).join('\n'))
    await outside.compile('guide.ts', ['--noEmit', ...options, ...types])
  })

  test('of the client’s guide run against a service', async () => {
    await outside.write('run.ts', (await codeOf('client/README.md', 'ts')).join('\n'))
    await outside.compile('run.ts', settings)
    expect((await outside.node('run.js', await environment())).split('\n')).toEqual(['1', 'true', ''])
  })

  test('of the client’s guide verify a webhook', async () => {
    const [code = ''] = (await codeOf('client/README.md', 'ts')).filter((each) => each.includes('handleWebhook'))
    await outside.write('webhook.ts', code)
    await outside.compile('webhook.ts', settings)
    const program = `import { handleWebhook } from '${pathToFileURL(join(outside.path, 'webhook.js'))}'
      const { headers, body } = JSON.parse(process.env.REQUEST)
      for (const sent of [body, body + ' ']) {
        console.log((await handleWebhook(new Request('http://localhost', { method: 'POST', headers, body: sent }))).status)
      }`
    await outside.write('receive.mjs', program)
    const body = '{"event":"comment.add","data":{"targetComment":{"commentText":"Hello"}}}'
    const timestamp = Math.floor(Date.now() / 1000)
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(timestamp),
      'webhook-signature': sign(SECRET, { id: 'msg_1', timestamp, body }),
    }
    const output = await outside.node('receive.mjs', {
      WEBHOOK_SECRET: SECRET,
      REQUEST: JSON.stringify({ headers, body }),
    })
    expect(output).toBe('Hello\n204\n401\n')
  })

  test('of the guide for a product run against a service, from the access to an approval to a read inbox', async () => {
    await outside.write('product.ts', (await codeOf('docs/product.md', 'ts')).join('\n'))
    await outside.compile('product.ts', settings)
    const output = await outside.node('product.js', await environment())
    const mention = 'Is this font right, @Bo Chen?'
    expect(output.split('\n')).toEqual(['true false', mention, 'false', 'true', 'true', '0', 'true', ''])
  })

  test('of the first page of the repository run outside it', async () => {
    const [code = ''] = (await codeOf('README.md', 'ts')).filter((each) => each.includes('@precedent/client'))
    const given = 'const { PRECEDENT_API_KEY: apiKey, PRECEDENT_AUTH_TOKEN: authToken } = process.env\n'
    await outside.write('first.ts', `${given}${code.replace('http://127.0.0.1:8080', service.url)}\nconsole.log(data)`)
    await outside.compile('first.ts', settings)
    expect(await outside.node('first.js', await environment())).toContain('ada')
  })
})
