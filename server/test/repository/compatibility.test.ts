import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { breakingChanges, type Document } from '../../../scripts/compatibility.ts'

const read = async (path: string): Promise<Document> =>
  JSON.parse(await readFile(new URL(`../../../${path}`, import.meta.url), 'utf8'))

const REFUSED = 'Other values were refused before too; the document did not say so.'
const BLANKS_ARE_EMPTY = 'The contract takes a text of blanks only for empty.'

/** Changes that were made on purpose, each with its reason. */
const ACCEPTED: Record<string, string> = {
  "/v2/workspace/advancedwebhook/endpoints/create: the request's data.filterTypes[] takes certain values only": REFUSED,
  "/v2/workspace/advancedwebhook/endpoints/test: the request's data.eventType takes certain values only": REFUSED,
  "/v2/workspace/advancedwebhook/endpoints/update: the request's data.filterTypes[] takes certain values only": REFUSED,
  "/v2/workspace/apikey/create: the request's data.apiKeyName has another format": BLANKS_ARE_EMPTY,
  "/v2/workspace/create: the request's data.name has another format": BLANKS_ARE_EMPTY,
  "/v2/workspace/create: the request's data.workspaceName has another format": BLANKS_ARE_EMPTY,
  "/v2/workspace/apikey/update: the request's data.apiKeyName has another format": BLANKS_ARE_EMPTY,
  "/v2/reactions/add: the request's data.reactions[].icon has another format": BLANKS_ARE_EMPTY,
  "/v2/activities/add: the request's data.activities[].actionType has another format": BLANKS_ARE_EMPTY,
  "/v2/memory/judgments/query: the response's result.results[].agent.agentFields may be array":
    'The contract allows a list where an object stood.',
  "/v2/memory/search: the response's result.results[].agent.agentFields may be array":
    'The contract allows a list where an object stood.',
  "/v2/memory/suggest: the request's data.query has another format": `${BLANKS_ARE_EMPTY} Before, it was answered by nothing.`,
}

/** Each record that names a user repeats these fields, so one small call could write gigabytes of a long one. */
const OF_A_USER = /: the request's data\.\S*\b(photoUrl|color|textColor|plan|type) has a lower maxLength$/
const isAccepted = (change: string) => OF_A_USER.test(change) || Object.hasOwn(ACCEPTED, change)

test('a program written for v0.1.0 still works: no change of the document is breaking but those made on purpose', async () => {
  const [released, current] = [await read('compatibility/v0.1.0.openapi.json'), await read('docs/openapi.json')]
  const changes = breakingChanges(released, current)
  expect(changes.filter((each) => !isAccepted(each))).toEqual([])
  expect(changes).toEqual(expect.arrayContaining(Object.keys(ACCEPTED)))
})

test.each<[name: string, plant: (document: Document) => void, change: RegExp]>([
  ['an operation is removed', ({ paths }) => delete paths['/v2/users/add'], /^\/v2\/users\/add: is gone$/],
  [
    'an optional field becomes required',
    (document) => requestOf(document, '/v2/users/get').required?.push('pageSize'),
    /^\/v2\/users\/get: the request's data.pageSize is now required$/,
  ],
  [
    'a field of a request is removed',
    (document) => delete requestOf(document, '/v2/users/get').properties?.userIds,
    /^\/v2\/users\/get: the request's data.userIds is gone$/,
  ],
])('a breaking change that is planted in the current document is found: %s', async (_, plant, change) => {
  const [released, current] = [await read('compatibility/v0.1.0.openapi.json'), await read('docs/openapi.json')]
  plant(current)
  const found = breakingChanges(released, current).filter((each) => !isAccepted(each))
  expect(found).toEqual([expect.stringMatching(change)])
})

/** The schema of the parameters of an operation. */
function requestOf({ paths }: Document, path: string) {
  const body = paths[path]?.post?.requestBody?.content?.['application/json']?.schema.properties?.data
  if (!body) throw new Error(`${path} takes no data.`)
  body.required ??= []
  return body
}

type Schema = { [keyword: string]: unknown }

/** A document with one operation. */
const documentOf = (request: Schema, response: Schema, security: unknown = []): Document => ({
  paths: {
    '/x': {
      post: {
        security,
        requestBody: { content: { 'application/json': { schema: request } } },
        responses: { 200: { content: { 'application/json': { schema: response } } } },
      },
    },
  },
})

const object = (properties: Schema, required: string[] = []): Schema => ({ type: 'object', properties, required })
const text = { type: 'string' }
const plain = documentOf(object({ name: { ...text, maxLength: 9 } }), object({ id: text }, ['id']))

describe('a breaking change', () => {
  const none = object({})
  test.each([
    ['an operation is gone', plain, { paths: {} }, '/x: is gone'],
    ['credentials', plain, documentOf(none, none, ['other']), 'other credentials'],
    ['a field of a request is gone', plain, documentOf(none, object({ id: text }, ['id'])), "request's name is gone"],
    [
      'a field is required',
      plain,
      documentOf(object({ name: text }, ['name']), object({ id: text }, ['id'])),
      'name is now required',
    ],
    [
      'a limit is lower',
      plain,
      documentOf(object({ name: { ...text, maxLength: 8 } }), object({ id: text }, ['id'])),
      'lower maxLength',
    ],
    [
      'a type is another',
      plain,
      documentOf(object({ name: { type: 'integer' } }), object({ id: text }, ['id'])),
      "request's name takes another type",
    ],
    [
      'a value is refused',
      documentOf({ enum: ['a', 'b'] }, none),
      documentOf({ enum: ['a'] }, none),
      'no longer takes b',
    ],
    [
      'one of several types is refused',
      documentOf({ anyOf: [text, { type: 'null' }] }, none),
      documentOf(text, none),
      'no longer takes',
    ],
    ['a field of a response is gone', plain, documentOf(object({ name: text }), none), "response's id is gone"],
    [
      'a field of a response may be missing',
      plain,
      documentOf(object({ name: text }), object({ id: text })),
      'id may be missing',
    ],
    [
      'a response may be null',
      plain,
      documentOf(object({ name: text }), object({ id: { anyOf: [text, { type: 'null' }] } }, ['id'])),
      "response's id may be",
    ],
    [
      'an item of a list',
      documentOf(none, { type: 'array', items: text }),
      documentOf(none, { type: 'array', items: { type: 'number' } }),
      '[] has another type',
    ],
  ])('is named: %s', (_, before, after, change) => {
    expect(breakingChanges(before, after).join('\n')).toContain(change)
  })
})

test('what only adds is no breaking change', () => {
  const request = object({ name: { ...text, maxLength: 10 }, more: text })
  const response = object({ id: text, more: text }, ['id'])
  expect(breakingChanges(plain, documentOf(request, response))).toEqual([])
  const wider = documentOf({ enum: ['a', 'b', null] }, { type: 'integer' })
  expect(breakingChanges(documentOf({ enum: ['a'] }, { type: 'number' }), wider)).toEqual([])
})
