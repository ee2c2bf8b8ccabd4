import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import type { Api, Thread } from '../../../client/src/index.ts'
import { answer, expectDone, given, UNTRUSTED } from './answer.ts'
import { textOf } from './comment-text.ts'

/** The most threads that a search by text looks at, and the most pages of comments that it reads of long ones. */
const MOST_SEARCHED = 5000
const MOST_PAGES = 50
const PAGE = 500
/** So many comments of a long thread are returned at a time. */
const COMMENTS = 200

const thread = {
  organizationId: z.string().describe('Id of the organization.'),
  documentId: z.string().describe('Id of the document.'),
  annotationId: z.string().describe('Id of the thread.'),
}

/** Tools that find and read comment threads. */
export function addThreadTools(server: McpServer, api: Api): void {
  server.registerTool(
    'search_threads',
    {
      title: 'Search comment threads',
      description: `Finds comment threads of an organization, the last changed first, by text and filters. ${UNTRUSTED}`,
      inputSchema: z.strictObject({
        organizationId: z.string().describe('Id of the organization.'),
        documentId: z.string().optional().describe('Only threads of this document.'),
        text: z.string().optional().describe('Words that a comment of the thread contains, in any case.'),
        statusIds: z.array(z.string()).optional().describe('Only threads with one of these statuses, such as OPEN.'),
        statusTypes: z
          .array(z.enum(['default', 'ongoing', 'terminal']))
          .optional()
          .describe('Only threads with a status of one of these types. `terminal`: the review has ended.'),
        userIds: z.array(z.string()).optional().describe('Only threads that one of these users began.'),
        limit: z.number().int().min(1).max(100).optional().describe('How many at most; default 20.'),
      }),
      annotations: { readOnlyHint: true },
    },
    ({ text, limit = 20, ...filters }) => answer(() => search(api, given(filters), text, limit)),
  )
  server.registerTool(
    'read_thread',
    {
      title: 'Read a comment thread',
      description: `Returns a thread with its comments, status and people; of a long one ${COMMENTS} comments at a time. ${UNTRUSTED}`,
      inputSchema: z.strictObject({
        ...thread,
        pageToken: z.string().optional().describe('The nextPageToken of the answer before, for further comments.'),
      }),
      annotations: { readOnlyHint: true },
    },
    ({ pageToken, ...where }) => answer(() => read(api, where, pageToken)),
  )
}

/** Tools that answer in a thread and change its status. */
export function addThreadWriteTools(server: McpServer, api: Api): void {
  const user = { userId: z.string().describe('Id of the user in whose name it is done.') }
  server.registerTool(
    'reply_to_thread',
    {
      title: 'Reply to a comment thread',
      description: 'Adds a comment to a thread in the name of a user, who must have access to the document.',
      inputSchema: z.strictObject({ ...thread, ...user, text: z.string().min(1).describe('The comment.') }),
      annotations: { readOnlyHint: false, destructiveHint: false },
    },
    ({ userId, text, ...where }) =>
      answer(() =>
        api.comments.addComments({
          ...where,
          verifyUserPermissions: true,
          commentData: [{ from: { userId }, commentText: text }],
        }),
      ),
  )
  server.registerTool(
    'set_thread_status',
    {
      title: 'Set the status of a comment thread',
      description: 'Changes the status of a thread in the name of a user, who must have access to the document.',
      inputSchema: z.strictObject({
        ...thread,
        ...user,
        statusId: z.string().describe('OPEN, IN_PROGRESS, RESOLVED or one of your own, such as APPROVED.'),
        statusType: z
          .enum(['default', 'ongoing', 'terminal'])
          .optional()
          .describe('What a status of your own means: `terminal` ends the review. Without it, it is `default`.'),
      }),
      annotations: { readOnlyHint: false, idempotentHint: true },
    },
    ({ organizationId, documentId, annotationId, userId, statusId, statusType }) =>
      answer(async () => {
        const result = await api.comments.updateCommentAnnotations({
          organizationId,
          documentId,
          annotationIds: [annotationId],
          verifyUserPermissions: true,
          actionUser: { userId },
          updatedData: { status: { id: statusId, ...(statusType && { type: statusType }) } },
        })
        expectDone(result.data)
        return result
      }),
  )
}

type Where = Record<keyof typeof thread, string>

/** A thread with its comments, or with one page of them and the token of the next one. */
async function read(api: Api, { annotationId, ...place }: Where, pageToken: string | undefined) {
  const { data } = await api.comments.getCommentAnnotations({ ...place, annotationIds: [annotationId] })
  const thread = data[0] ?? null
  if (thread === null || (pageToken === undefined && !thread.commentsTruncated)) return { thread }
  const page = { pageSize: COMMENTS, ...given({ pageToken }) }
  const { data: comments, nextPageToken } = await api.comments.getComments({ ...place, annotationId, ...page })
  return { thread: { ...thread, comments }, nextPageToken }
}

type Filters = Omit<Parameters<Api['comments']['getCommentAnnotations']>[0], 'groupByDocumentId'>

async function search(api: Api, filters: Filters, text: string | undefined, limit: number) {
  const texts = new TextSearch(api, filters.organizationId, text)
  const threads: object[] = []
  let searched = 0
  const pages = api.comments.getCommentAnnotations.pages({ ...filters, pageSize: PAGE })
  for await (const { data, nextPageToken } of pages) {
    for (const thread of data.filter((each) => each !== null)) {
      searched++
      if (await texts.isIn(thread)) threads.push(brief(thread))
      if (threads.length === limit) return { threads, searched }
    }
    if (searched >= MOST_SEARCHED && nextPageToken !== null)
      return { threads, searched, note: 'There are more threads. Narrow the search.' }
  }
  if (texts.isWhole) return { threads, searched }
  return { threads, searched, note: 'Not all comments of long threads were searched. Narrow the search.' }
}

/** Looks for a text in threads, in any case. Of what long threads do not show, it reads a limited number of pages. */
class TextSearch {
  readonly #api: Api
  readonly #organizationId: string
  readonly #wanted: string | undefined
  #pagesLeft = MOST_PAGES

  constructor(api: Api, organizationId: string, text: string | undefined) {
    this.#api = api
    this.#organizationId = organizationId
    this.#wanted = text?.toLowerCase()
  }

  /** False once there may be comments that it did not read. */
  get isWhole(): boolean {
    return this.#pagesLeft > 0
  }

  async isIn(thread: Thread): Promise<boolean> {
    return this.#isAmong(thread.comments.map(textOf)) || (thread.commentsTruncated === true && this.#isFurther(thread))
  }

  #isAmong(texts: string[]): boolean {
    const wanted = this.#wanted
    return wanted === undefined || texts.some((text) => text.toLowerCase().includes(wanted))
  }

  /** Whether a comment holds the text that the thread does not show. */
  async #isFurther({ annotationId, metadata: { documentId } }: Thread): Promise<boolean> {
    if (!this.isWhole) return false
    const place = { organizationId: this.#organizationId, documentId, annotationId }
    for await (const { data } of this.#api.comments.getComments.pages(place)) {
      if (this.#isAmong(data.flatMap((comment) => (comment ? textOf(comment) : [])))) return true
      this.#pagesLeft--
      if (!this.isWhole) return false
    }
    return false
  }
}

function brief({ annotationId, status, from, metadata, lastUpdated, commentsCount, comments }: Thread): object {
  const texts = comments.map(textOf)
  return {
    annotationId,
    documentId: metadata.documentId,
    status: status.id,
    from: from.name,
    lastUpdated,
    comments: commentsCount,
    first: beginning(texts[0]),
    last: texts.length > 1 ? beginning(texts.at(-1)) : undefined,
  }
}

/** At most 500 code points: no emoji is cut in half, which other programs cannot read. */
const beginning = (text?: string) => text && Array.from(text.slice(0, 1_000)).slice(0, 500).join('')
