import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { type Connection, exportJudgments, importJudgments } from './judgment-transfer.ts'

const USAGE = `judgments export > <file>
judgments import <file> [--create]

The service and the API key are those of PRECEDENT_URL (default http://127.0.0.1:8080), PRECEDENT_API_KEY and
PRECEDENT_AUTH_TOKEN. --create adds organizations and documents that judgments name and that do not exist.`

/** `npm run judgments`: moves the judgments of an API key as lines of JSON, through a running service. */
async function main([direction, ...rest]: string[]): Promise<void> {
  if (direction === 'export' && rest.length === 0) return exportJudgments(connection(), write)
  const { positionals, values } = parseArgs({
    args: rest,
    allowPositionals: true,
    options: { create: { type: 'boolean' } },
  })
  const [file, ...others] = positionals
  if (direction !== 'import' || file === undefined || others.length > 0) throw new Error(USAGE)
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })
  let faulty = 0
  const report = (line: number, fault: string) => {
    faulty++
    process.stderr.write(`line ${line}: ${fault}\n`)
  }
  const added = await importJudgments(connection(), lines, { create: values.create ?? false, report })
  process.stdout.write(`${added} added${faulty === 0 ? '' : `, ${faulty} faulty and left out`}\n`)
  if (faulty > 0) process.exitCode = 1
}

function connection(): Connection {
  const { PRECEDENT_URL: baseUrl, PRECEDENT_API_KEY: apiKey, PRECEDENT_AUTH_TOKEN: authToken } = process.env
  if (!apiKey || !authToken) throw new Error('Set PRECEDENT_API_KEY and PRECEDENT_AUTH_TOKEN.')
  return { baseUrl: baseUrl || 'http://127.0.0.1:8080', apiKey, authToken }
}

async function write(chunk: Uint8Array): Promise<void> {
  if (!process.stdout.write(chunk)) await once(process.stdout, 'drain')
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
