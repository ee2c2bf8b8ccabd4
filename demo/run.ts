import { ConnectionError, PrecedentError } from '../client/src/index.ts'
import { runCollaboration } from './collaboration.ts'
import { startEventReceiver } from './event-receiver.ts'
import { runReview } from './review.ts'

// PORT and OPERATOR_TOKEN are the server's settings, so that one export serves both.
const baseUrl = process.env.PRECEDENT_URL ?? `http://127.0.0.1:${process.env.PORT || 8080}`
const server = { baseUrl, operatorToken: process.env.OPERATOR_TOKEN || undefined }
const say = (line: string) => process.stdout.write(`${line}\n`)

/** `npm run demo -- <name>`: runs a journey through the API of a running server; without a name, `review`. */
const DEMOS: Record<string, () => Promise<unknown>> = {
  review,
  collaboration: () => runCollaboration(server, say),
}

async function review(): Promise<void> {
  const receiver = await startEventReceiver()
  try {
    const { apiKey, authToken, annotationId } = await runReview(server, receiver, say)
    say(`\nThe thread, read back:`)
    say(`  curl -s ${baseUrl}/v2/commentannotations/get -H 'content-type: application/json' \\
    -H 'x-service-api-key: ${apiKey}' -H 'x-service-auth-token: ${authToken}' \\
    -d '{"data":{"organizationId":"northwind","annotationIds":["${annotationId}"]}}'`)
  } finally {
    await receiver.close()
  }
}

const [name = 'review'] = process.argv.slice(2)
const demo = DEMOS[name]
if (!demo) {
  process.stderr.write(`Which demo? ${Object.keys(DEMOS).join(', ')}\n`)
  process.exit(2)
}
try {
  await demo()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${hintFor(error)}`)
  process.exitCode = 1
}

function hintFor(error: unknown): string {
  if (error instanceof ConnectionError) return `Is the server running at ${baseUrl}?\n`
  const isDenied = error instanceof PrecedentError && error.status === 'PERMISSION_DENIED'
  return isDenied ? 'Set OPERATOR_TOKEN to that of the server. With WORKSPACE_CREATE=off no demo can run.\n' : ''
}
