import { ConnectionError, TimeoutError } from './errors.ts'

/** What one attempt sends. */
export interface Attempt {
  fetch: typeof fetch
  url: string
  headers: Headers
  body: string
  timeoutMs: number
  signal: AbortSignal | undefined
}

/**
 * Sends one request and reads its response whole. Rejects with the reason of the signal, with a TimeoutError, or with a
 * ConnectionError whose cause is the failure.
 */
export async function send(attempt: Attempt): Promise<{ response: Response; text: string }> {
  const { url, headers, body, timeoutMs, signal } = attempt
  signal?.throwIfAborted()
  const controller = new AbortController()
  const abort = () => controller.abort(signal?.reason)
  const timeOut = () => controller.abort(new TimeoutError(`No response arrived within ${Math.round(timeoutMs)} ms.`))
  const timer = setTimeout(timeOut, timeoutMs)
  signal?.addEventListener('abort', abort, { once: true })
  try {
    // A redirect would carry the credentials to another place.
    const init: RequestInit = { method: 'POST', headers, body, redirect: 'manual', signal: controller.signal }
    const request = attempt.fetch
    const response = await request(url, init)
    return { response, text: await response.text() }
  } catch (cause) {
    if (controller.signal.aborted) throw controller.signal.reason
    throw new ConnectionError(`The service could not be reached: ${messageOf(cause)}.`, { cause })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}

/** Node's fetch says what happened in the cause of its error. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? messageOf(error.cause) : error.message
}
