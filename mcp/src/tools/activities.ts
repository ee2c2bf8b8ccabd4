import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import type { Api } from '../../../client/src/index.ts'
import { answer, given, UNTRUSTED } from './answer.ts'

/** The tool that searches the activity log. */
export function addActivityTools(server: McpServer, api: Api): void {
  server.registerTool(
    'search_activity',
    {
      title: 'Search the activity log',
      description: `Lists who did what in an organization, the latest first. ${UNTRUSTED}`,
      inputSchema: z.strictObject({
        organizationId: z.string().describe('Id of the organization.'),
        documentId: z.string().optional().describe('Only activities of this document.'),
        userId: z.string().optional().describe('Only activities of this user.'),
        targetEntityId: z.string().optional().describe('Only activities on this entity, such as a thread.'),
        actionTypes: z.array(z.string()).optional().describe('Only these actions, such as comment.add.'),
        limit: z.number().int().min(1).max(200).optional().describe('How many at most; default 50.'),
        pageToken: z.string().optional().describe('From the answer before, for older ones.'),
      }),
      annotations: { readOnlyHint: true },
    },
    ({ limit = 50, ...filters }) =>
      answer(async () => {
        const { data, pageToken } = await api.activities.getActivities({ ...given(filters), pageSize: limit })
        return { activities: data, pageToken }
      }),
  )
}
