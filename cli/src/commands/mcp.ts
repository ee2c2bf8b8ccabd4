import { type Command, command } from '../command.ts'
import { connect } from '../connection.ts'
import { programPath, runProgram } from '../server-program.ts'

/** `precedent mcp`: starts the server of the Model Context Protocol as a process. */
export const mcp: Command = command({
  name: 'mcp',
  summary: 'Let an agent search the memory, threads and activities, by the Model Context Protocol.',
  parameters: [],
  options: {
    http: { type: 'boolean', about: 'Serve over HTTP on 127.0.0.1 instead of standard input and output.' },
    port: { type: 'string', value: '<port>', about: 'Where to listen with --http; default 4500, 0 takes a free one.' },
    'allow-writes': { type: 'boolean', about: 'Also offer tools that reply, set a status and record a judgment.' },
  },
  notes: 'PRECEDENT_MCP_TOKEN is the bearer token that --http asks for. Without it, a new one is shown.',
  async run({ http, port, 'allow-writes': allowWrites, ...given }) {
    const { url, apiKey, authToken } = (await connect(given)).profile
    const args = [
      ...(http ? ['--http'] : []),
      ...(port === undefined ? [] : ['--port', port]),
      ...(allowWrites ? ['--allow-writes'] : []),
    ]
    const credentials = { PRECEDENT_URL: url, PRECEDENT_API_KEY: apiKey, PRECEDENT_AUTH_TOKEN: authToken }
    process.exitCode = await runProgram(programPath('mcp'), args, { env: { ...process.env, ...credentials } })
  },
})
