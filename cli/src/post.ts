import { once } from 'node:events'
import { type IncomingMessage, request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import { Readable } from 'node:stream'
import { ConnectionError } from '../../client/src/index.ts'

/**
 * Sends JSON and resolves with the response as soon as that begins. A server may be silent for any time, while it
 * copies a database: fetch gives up after five minutes. No redirect is followed. Rejects with a ConnectionError.
 */
export async function post(
  url: string,
  headers: Record<string, string>,
  body: object,
  signal?: AbortSignal,
): Promise<Response> {
  const send = new URL(url).protocol === 'https:' ? overHttps : overHttp
  const options = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } }
  const sent = send(url, signal ? { ...options, signal } : options).end(JSON.stringify(body))
  // After the response has begun, what fails is told by its stream.
  sent.on('error', () => {})
  const [answer] = (await once(sent, 'response').catch((cause) => {
    throw new ConnectionError(`No response from ${url}.`, { cause })
  })) as [IncomingMessage]
  const { statusCode: status = 0 } = answer
  const isEmpty = [204, 205, 304].includes(status)
  const stream = isEmpty ? null : (Readable.toWeb(answer) as ReadableStream)
  return new Response(stream, { status, headers: headersOf(answer) })
}

function headersOf({ headersDistinct }: IncomingMessage): Headers {
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(headersDistinct))
    for (const each of values) headers.append(name, each)
  return headers
}
