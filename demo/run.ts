import { runCollaboration } from './collaboration.ts'
import { startEventReceiver } from './event-receiver.ts'
import { runReview } from './review.ts'

// PORT is the server's setting, so that one export serves both.
const baseUrl = process.env.PRECEDENT_URL ?? `http://127.0.0.1:${process.env.PORT || 8080}`
const say = (line: string) => process.stdout.write(`${line}\n`)

/** `npm run demo -- <name>`: runs a journey through the API of a running server; without a name, `review`. */
const DEMOS: Record<string, () => Promise<unknown>> = {
  review,
  collaboration: () => runCollaboration(baseUrl, say),
}

async function review(): Promise<void> {
  const receiver = await startEventReceiver()
  try {
    const { apiKey, authToken, annotationId } = await runReview(baseUrl, receiver, say)
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
  process.stderr.write(
    `${error instanceof Error ? error.message : String(error)}\nIs the server running at ${baseUrl}?\n`,
  )
  process.exitCode = 1
}
