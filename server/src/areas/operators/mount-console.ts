import { type Http, sendAnswer } from '../../platform/http/http.ts'
import type { NamedOperation } from '../../platform/operation.ts'
import { assertMay, callerOf } from './access/permit.ts'
import { rightOf } from './access/right.ts'
import { sessionOf } from './access/session.ts'
import { createCallDoor } from './call-door.ts'
import type { ConsoleOptions } from './fence/console-options.ts'
import { ConsoleRequests } from './fence/console-request.ts'
import { createProving, type RunProven } from './fence/prove.ts'
import { createSignInLimit } from './fence/sign-in-limit.ts'

/** The largest body of a sign-in: anybody can send it. */
const SIGN_IN_BYTES = 16 * 1024

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
  { services, executorOf }: ConsoleOptions,
  { operation, requests, runProven }: { operation: NamedOperation; requests: ConsoleRequests; runProven: RunProven },
): void {
  const { declaration } = operation
  const right = rightOf(declaration.path)
  if (right === 'nobody') return
  const isOpen = right === 'anybody'
  const execute = executorOf(operation)
  http.post(declaration.path, {
    config: { hasCredentials: !isOpen },
    bodyLimit: isOpen ? SIGN_IN_BYTES : services.config.bodyLimitBytes,
    onRequest: async (request, reply) => {
      await requests.enter(request, reply)
      if (!isOpen) assertMay(sessionOf(request.consoleSession), declaration, services.config)
    },
    handler: async (request, reply) => {
      request.operationName = operation.name
      reply.header('cache-control', 'no-store')
      const call = await requests.callOf(request, reply)
      if (!isOpen) assertMay(sessionOf(request.consoleSession), declaration, services.config)
      const caller = isOpen ? undefined : callerOf(sessionOf(request.consoleSession), declaration)
      const answer = await runProven(declaration.path, request, call, () =>
        execute({ ...call, ...(caller && { caller }) }),
      )
      return sendAnswer(answer, services, request, reply)
    },
  })
}

/** Serves the operations of the API to the console, as one operation of it. */
function mountCall(http: Http, options: ConsoleOptions, requests: ConsoleRequests): void {
  const callDoor = createCallDoor(options)
  http.post('/console/api/call', {
    config: { hasCredentials: true },
    onRequest: async (request, reply) => {
      await requests.enter(request, reply)
      sessionOf(request.consoleSession)
    },
    handler: async (request, reply) => {
      const call = await requests.callOf(request, reply)
      const { operation, answer } = await callDoor(sessionOf(request.consoleSession), call)
      request.operationName = operation.name
      reply.header('cache-control', 'no-store').code(operation.declaration.successStatus ?? 200)
      return sendAnswer(answer, options.services, request, reply)
    },
  })
}
