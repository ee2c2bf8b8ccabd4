import { refusalOf } from '../../client/src/errors.ts'
import { Failure } from './failure.ts'
import { harmless, write } from './output.ts'
import { post } from './post.ts'
import type { Profile } from './profile.ts'
import { startProgress } from './progress.ts'

/**
 * Calls an operation that streams and hands over its chunks. Rejects if the server refuses or the stream breaks off.
 */
export async function* streamOf(profile: Profile, path: string, data: object): AsyncGenerator<Uint8Array> {
  const headers = {
    'x-service-api-key': profile.apiKey ?? '',
    'x-service-auth-token': profile.authToken ?? '',
    'x-service-workspace-id': profile.workspaceId ?? '',
    'x-service-workspace-auth-token': profile.workspaceAuthToken ?? '',
  }
  const response = await post(profile.url.replace(/\/$/, '') + path, headers, { data })
  if (!response.ok || !response.body) throw refusalOf(response, await response.json().catch(() => undefined))
  try {
    yield* response.body
  } catch {
    throw new Failure('The stream broke off: what was written is not complete.', 'Start the export again.')
  }
}

/** The text of a stream as a terminal may show it: what end users wrote in it cannot steer the terminal. */
export async function* harmlessText(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true })
    // Lines of CSV end in both.
    yield harmless(text.replaceAll('\r\n', '\n'), '\n')
  }
}

/** Writes a stream to standard output. A terminal is told how far it is, unless it shows the stream itself. */
export async function writeStream(chunks: AsyncIterable<Uint8Array>): Promise<void> {
  if (process.stdout.isTTY) {
    for await (const text of harmlessText(chunks)) await write(text)
    return
  }
  const progress = startProgress('Exporting')
  let bytes = 0
  try {
    for await (const chunk of chunks) {
      bytes += chunk.length
      await write(chunk)
      progress.show(`${(bytes / 1_000_000).toFixed(1)} MB`)
    }
  } finally {
    progress.end()
  }
}
