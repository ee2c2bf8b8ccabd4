import { Readable } from 'node:stream'
import type { Services } from '../context.ts'
import type { Stream } from '../operation.ts'
import { yieldToEventLoop } from '../turns/yield.ts'
import { JSON_TYPE } from './json-answer.ts'

interface Requested {
  id: string
  operationName: string
}

interface Reply {
  header(name: string, value: string): unknown
  send(body: string | Readable): unknown
}

/** Sends what an operation answers, as text or while it is made. */
export function sendAnswer(
  answer: string | Stream,
  services: Pick<Services, 'log'>,
  request: Requested,
  reply: Reply,
): unknown {
  const isText = typeof answer === 'string'
  reply.header('content-type', isText ? JSON_TYPE : answer.contentType)
  return reply.send(isText ? answer : streamOf(answer, services, request))
}

/**
 * The body of a streamed response. After the head is sent, closing the connection is the only way to report a failure.
 */
function streamOf({ chunks }: Stream, { log }: Pick<Services, 'log'>, request: Requested): Readable {
  return Readable.from(withPauses(chunks)).on('error', (err) => {
    log.error({ err, requestId: request.id, operation: request.operationName }, 'the answer broke off')
  })
}

/** Other work of the process gets a turn after each chunk. */
async function* withPauses(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const chunk of chunks) {
    yield chunk
    await yieldToEventLoop()
  }
}
