import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { Api } from '../../client/src/index.ts'
import { addActivityTools } from './tools/activities.ts'
import { addMemoryTools, addMemoryWriteTools } from './tools/memory.ts'
import { addThreadTools, addThreadWriteTools } from './tools/threads.ts'

/** A server of the Model Context Protocol over an API key: it reads, and writes only if that is allowed. */
export function createMcpServer(
  api: Api,
  { version, allowWrites }: { version: string; allowWrites: boolean },
): McpServer {
  const server = new McpServer({ name: 'precedent', version })
  addMemoryTools(server, api)
  addThreadTools(server, api)
  addActivityTools(server, api)
  if (allowWrites) {
    addMemoryWriteTools(server, api)
    addThreadWriteTools(server, api)
  }
  return server
}
