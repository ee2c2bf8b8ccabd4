import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { PROGRAM } from '../../cli/test/command-line.ts'

/** An agent's connection to `precedent mcp`. */
export interface Agent {
  client: Client
  tools(): Promise<string[]>
  /** Calls a tool and returns its answer, or the reason why it failed. */
  call(name: string, input: Record<string, unknown>): Promise<{ isError: boolean; text: string; value: unknown }>
}

/** Starts `precedent mcp` on standard input and output, as agents do, and connects with the SDK's client. */
export async function startAgent(env: Record<string, string>, args: string[] = []): Promise<Agent> {
  const { PATH = '' } = process.env
  const command = { command: process.execPath, args: [PROGRAM, 'mcp', ...args], env: { PATH, ...env } }
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(new StdioClientTransport({ ...command, stderr: 'pipe' }))
  return agentOf(client)
}

/** Calls of a connected client. */
export function agentOf(client: Client): Agent {
  return {
    client,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name).sort(),
    async call(name, input) {
      const { isError = false, content } = CallToolResultSchema.parse(await client.callTool({ name, arguments: input }))
      const [first] = content
      const text = first?.type === 'text' ? first.text : ''
      return { isError, text, value: isError ? undefined : JSON.parse(text) }
    },
  }
}
