import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import type { Api } from '../../../client/src/index.ts'
import { answer, expectDone, given, UNTRUSTED } from './answer.ts'

const place = {
  organizationId: z.string().optional().describe('Only judgments of this organization.'),
  documentId: z.string().optional().describe('Only judgments of this document; requires organizationId.'),
}

const nearest = {
  organizationId: z.string().optional().describe('Its judgments come before those of all organizations.'),
  documentId: z
    .string()
    .optional()
    .describe('Its judgments come before those of its organization; requires organizationId.'),
  widestScope: z
    .enum(['document', 'organization', 'apiKey'])
    .optional()
    .describe('No wider judgments count, and none are quoted; default apiKey, which is all organizations.'),
}

const where = {
  organizationId: z.string().optional().describe('Id of the organization in which it was decided.'),
  documentId: z.string().optional().describe('Id of the document that it is about; requires organizationId.'),
}

/** Tools that search the decision memory and ask it for a suggestion. */
export function addMemoryTools(server: McpServer, api: Api): void {
  server.registerTool(
    'search_memory',
    {
      title: 'Search past judgments',
      description: `Finds past review decisions that are similar to a text, with their reasons. ${UNTRUSTED}`,
      inputSchema: z.strictObject({
        query: z.string().describe('What to look for.'),
        ...place,
        decision: z.string().optional().describe('Only judgments with this decision, such as approve or reject.'),
        searchIn: z
          .enum(['review', 'content'])
          .optional()
          .describe('Decision and reasons (default), or what was reviewed.'),
        limit: z.number().int().min(1).max(50).optional().describe('How many at most; default 10.'),
      }),
      annotations: { readOnlyHint: true },
    },
    ({ decision, searchIn, ...input }) =>
      answer(() =>
        api.memory.searchJudgments({
          ...given(input),
          ...(searchIn !== undefined && { embeddingType: searchIn }),
          ...(decision !== undefined && { filters: { decision } }),
        }),
      ),
  )
  server.registerTool(
    'suggest_decision',
    {
      title: 'Suggest a decision',
      description:
        'Suggests to approve or reject a new item, from similar past judgments, with confidence, reasons, caveats and ' +
        `the evidence against. With the scope apiKey it may quote other organizations. ${UNTRUSTED}`,
      inputSchema: z.strictObject({ query: z.string().min(1).describe('The item to decide on.'), ...nearest }),
      annotations: { readOnlyHint: true },
    },
    (input) => answer(() => api.memory.suggestDecision(given(input))),
  )
}

/** The tool that records a decision. */
export function addMemoryWriteTools(server: McpServer, api: Api): void {
  server.registerTool(
    'record_judgment',
    {
      title: 'Record a judgment',
      description: 'Adds a review decision to the memory, as that of an agent.',
      inputSchema: z.strictObject({
        decision: z.string().describe('Such as approve or reject.'),
        reasoning: z.string().describe('Why it was decided so.'),
        content: z.string().optional().describe('What was reviewed.'),
        agentId: z.string().describe('Id of the agent that decided.'),
        userId: z.string().describe('Id of the user for whom the agent decided.'),
        userName: z.string().describe('Name of that user.'),
        ...where,
      }),
      annotations: { readOnlyHint: false, destructiveHint: false },
    },
    ({ agentId, userId, userName, ...judgment }) =>
      answer(async () => {
        const result = await api.memory.addJudgments({
          judgments: [{ ...given(judgment), agent: { agentId }, actionUser: { userId, name: userName } }],
        })
        expectDone(result.results)
        return result
      }),
  )
}
