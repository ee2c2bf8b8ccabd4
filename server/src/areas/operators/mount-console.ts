import { admitBody } from '../../platform/http/body/bodies.ts'
import type { Http, HttpReply, HttpRequest } from '../../platform/http/http.ts'
import { inShare, inTurnOfBody, type Share } from '../../platform/http/limits/bounds.ts'
import { limitCalls } from '../../platform/http/limits/call-limits.ts'
import { bodyBytesOf } from '../../platform/http/mount-operation.ts'
import { sendAnswer } from '../../platform/http/send-answer.ts'
import type { NamedOperation } from '../../platform/operation.ts'
import { assertMay, callerOf } from './access/permit.ts'
import { rightOf } from './access/right.ts'
import { sessionOf } from './access/session.ts'
import { createCallDoor } from './call-door.ts'
import type { ConsoleOptions } from './fence/console-options.ts'
import { ConsoleRequests } from './fence/console-request.ts'
import { createProving, type RunProven } from './fence/prove.ts'
import { createSignInLimit } from './fence/sign-in-limit.ts'

/** The largest body of an operation of the console itself. */
const OWN_BYTES = 16 * 1024

/** Serves the operations of the console, each behind the fence: the header, the origin, the session, the role. */
export function mountConsole(http: Http, options: ConsoleOptions): void {
  const limit = createSignInLimit(options)
  const requests = new ConsoleRequests(options, limit)
  const runProven = createProving(options, requests, limit)
  for (const operation of options.own) mountOperation(http, options, { operation, requests, runProven })
  mountCall(http, options, requests)
}

/** Serves an operation of the console itself. */
function mountOperation(
  http: Http,
  { services, executorOf, bounds }: ConsoleOptions,
  { operation, requests, runProven }: { operation: NamedOperation; requests: ConsoleRequests; runProven: RunProven },
): void {
  const { declaration } = operation
  const right = rightOf(declaration.path)
  if (right === 'nobody') return
  const isOpen = right === 'anybody'
  const execute = executorOf(operation)
  http.post(declaration.path, {
    config: { hasCredentials: !isOpen },
    bodyLimit: OWN_BYTES,
    onRequest: async (request, reply) => {
      await requests.enter(request, reply)
      if (isOpen) return
      assertMay(sessionOf(request.consoleSession), declaration, services.config)
      limitCalls(bounds, keyOf(request), reply)
    },
    handler: async (request, reply) => {
      request.operationName = operation.name
      reply.header('cache-control', 'no-store')
      const call = await requests.callOf(request, reply)
      if (!isOpen) assertMay(sessionOf(request.consoleSession), declaration, services.config)
      const caller = isOpen ? undefined : callerOf(sessionOf(request.consoleSession), declaration)
      const make = async () => ({ answer: await execute({ ...call, ...(caller && { caller }) }) })
      const { answer } = await runProven(declaration.path, request, call, () =>
        isOpen ? make() : inShare(bounds, operation, shareOf(request, reply), make),
      )
      return sendAnswer(answer, services, request, reply)
    },
  })
}

/** Serves calls of operations of the API. A session takes no more of the process by them than an API key may. */
function mountCall(http: Http, options: ConsoleOptions, requests: ConsoleRequests): void {
  const { services, bounds } = options
  const callDoor = createCallDoor(options)
  const { bodyLimitBytes: maxBytes } = services.config
  http.post('/console/api/call', {
    config: { hasCredentials: true },
    bodyLimit: maxBytes,
    onRequest: async (request, reply) => {
      await requests.enter(request, reply)
      limitCalls(bounds, keyOf(request), reply)
    },
    preParsing: async (request, reply, body) => {
      await admitBody(bounds.arriving, request, reply.raw, { key: keyOf(request), maxBytes })
      return body
    },
    handler: async (request, reply) => {
      const share = shareOf(request, reply)
      const read = () => requests.callOf(request, reply)
      const { operation, answer } = await inTurnOfBody(bounds, share, read, (call) =>
        callDoor(sessionOf(request.consoleSession), call, share),
      )
      request.operationName = operation.name
      reply.header('cache-control', 'no-store').code(operation.declaration.successStatus ?? 200)
      return sendAnswer(answer, services, request, reply)
    },
  })
}

/** Whose share of the process a request takes: that of the operator or workspace whose session it is. */
const keyOf = ({ consoleSession }: HttpRequest): string => sessionOf(consoleSession).id

const shareOf = (request: HttpRequest, reply: HttpReply): Share => ({
  key: keyOf(request),
  reader: reply.raw,
  bodyBytes: bodyBytesOf(request),
})
