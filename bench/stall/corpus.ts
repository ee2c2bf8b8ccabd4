/** A request that takes much of a process, by what it makes of it. */
export interface Hostile {
  name: string
  path: string
  body: string
  /** True: sent without credential headers. */
  isAnonymous?: boolean
  /** True: the answer is not read while the load lasts. */
  isUnread?: boolean
}

export const PLACE = { organizationId: 'acme', documentId: 'plan' }
/** A little less than a body may have by default. */
const BODY_BYTES = 4.9 * 1024 * 1024
const USER = { userId: 'eve' }

/** A body of `unit` as often as there is room for. */
const filled = (before: string, unit: string, after: string) =>
  `{"data":${before}${unit.repeat(Math.floor((BODY_BYTES - before.length - after.length) / unit.length))}${after}}`

const call = (name: string, path: string, data: object): Hostile => ({ name, path, body: JSON.stringify({ data }) })
const text = (bytes: number) => 'word '.repeat(bytes / 5)

/** Requests that are admitted or refused, one for each way in which a caller could stop a process for everybody. */
export const CORPUS: Hostile[] = [
  call('large pages of threads', '/v2/commentannotations/get', PLACE),
  { ...call('large pages of threads, not read', '/v2/commentannotations/get', PLACE), isUnread: true },
  call('a long thread', '/v2/commentannotations/comments/get', { ...PLACE, annotationId: 'long' }),
  call('a reply to a long thread', '/v2/commentannotations/comments/add', {
    ...PLACE,
    annotationId: 'long',
    commentData: [{ from: USER, commentText: 'x' }],
  }),
  call('large pages of documents', '/v2/organizations/documents/get', { organizationId: 'acme' }),
  call('large pages of activities with templates', '/v2/activities/get', { organizationId: 'acme' }),
  call('export of activities', '/v2/activities/export', { organizationId: 'acme', format: 'csv' }),
  call("a user's data", '/v2/users/data/get', { organizationId: 'acme', userId: 'eve' }),
  call('a long query', '/v2/memory/search', { query: text(4_500_000) }),
  call('a query of 250 KB', '/v2/memory/search', { query: text(250_000) }),
  call('a suggestion', '/v2/memory/suggest', { query: text(250_000) }),
  call('1,000 large users', '/v2/users/add', {
    organizationId: 'acme',
    users: Array.from({ length: 1_000 }, (_, n) => ({ userId: `u${n}`, metadata: { note: text(4_500) } })),
  }),
  call('judgments of much text', '/v2/memory/judgments/add', {
    judgments: Array.from({ length: 240 }, (_, n) => ({
      recordId: `j${n}`,
      decision: 'approve',
      reasoning: text(16_000),
      actionUser: { userId: 'eve', name: 'Eve' },
    })),
  }),
  call('export of judgments', '/v2/memory/judgments/export', {}),
  call('20 comments of 200 KB', '/v2/commentannotations/comments/add', {
    ...PLACE,
    annotationId: 'written',
    commentData: Array.from({ length: 20 }, () => ({ from: USER, commentText: text(200_000) })),
  }),
  { name: 'numbers, refused', path: '/v2/organizations/add', body: filled('{"organizations":[', '1,', '1]}') },
  { name: 'lists, refused', path: '/v2/users/add', body: filled('{"users":[', '[],', '[]]}') },
  { name: 'keys, refused', path: '/v2/users/add', body: filled('{', '"aaaaaaaaaaaaaaaaaaaaaaa":{},', '"b":1}') },
  { name: '90,000 unknown fields', path: '/v2/users/get', body: unknownFields(90_000) },
  { name: 'depth, refused', path: '/v2/users/add', body: `{"data":${'['.repeat(BODY_BYTES / 2)}` },
  { name: 'an email address, refused', path: '/v2/users/add', body: filled('{"users":[{"email":"a@', 'a.', 'a"}]}') },
  {
    name: 'refused without credentials',
    path: '/v2/auth/token/get',
    body: filled('{"a":[', '1,', '1]}'),
    isAnonymous: true,
  },
  {
    name: 'refused by its credentials',
    path: '/v2/users/add',
    body: filled('{"a":["', 'x', '"]}'),
    isAnonymous: true,
  },
  {
    name: 'tokens that are refused',
    path: '/v2/auth/token/get',
    body: '{"data":{"apiKey":"a","authToken":"b","userId":"c"}}',
    isAnonymous: true,
  },
]

function unknownFields(count: number): string {
  return JSON.stringify({ data: Object.fromEntries(Array.from({ length: count }, (_, n) => [`organizationI${n}`, n])) })
}
