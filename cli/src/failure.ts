import { ConnectionError, PrecedentError } from '../../client/src/index.ts'

/** A command that was called the wrong way. The process exits with 2. */
export class UsageError extends Error {}

/** A failure whose message says what happened, and which may say what to do next. The process exits with 1. */
export class Failure extends Error {
  readonly next: string | undefined

  constructor(message: string, next?: string) {
    super(message)
    this.next = next
  }
}

/** What is shown of an error: what happened, then the next step. */
export function explain(error: unknown): { lines: string[]; exitCode: number } {
  if (error instanceof UsageError) return { lines: [error.message, 'See precedent help.'], exitCode: 2 }
  if (error instanceof Failure) return failed(error.message, error.next)
  if (error instanceof PrecedentError) return failed(refusal(error), nextStep(error))
  if (error instanceof ConnectionError) {
    return failed(
      `The server does not answer: ${rootOf(error)}`,
      'Start one with `precedent serve`, or name another with --server, PRECEDENT_URL or a profile.',
    )
  }
  return failed(error instanceof Error ? error.message : String(error))
}

const failed = (message: string, next?: string) => ({ lines: [message, ...(next ? [next] : [])], exitCode: 1 })

function refusal({ status, message, details, requestId }: PrecedentError): string {
  const issues = (details?.issues ?? []).map((issue) => `  ${issue.path}: ${issue.message}`)
  return [`${status}: ${message}`, ...issues, ...(requestId ? [`  request ${requestId}`] : [])].join('\n')
}

function nextStep({ status, retryAfter }: PrecedentError): string | undefined {
  switch (status) {
    case 'UNAUTHENTICATED':
    case 'PERMISSION_DENIED':
      return 'Check the credentials: `precedent profile show` says which are used and where they come from.'
    case 'INVALID_ARGUMENT':
      return '`precedent call <operation> --help` lists the fields.'
    case 'RESOURCE_EXHAUSTED':
      return retryAfter === undefined ? undefined : `Try again in ${retryAfter} s.`
    case 'INTERNAL':
      return "The server's log has the cause, by the id of the request."
    default:
      return undefined
  }
}

/** The innermost cause, which names the address and what went wrong. */
function rootOf(error: Error): string {
  let root: Error = error
  while (root.cause instanceof Error) root = root.cause
  if (root instanceof AggregateError && root.errors[0] instanceof Error) root = root.errors[0]
  return root.message
}
