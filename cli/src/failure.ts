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

/** What went wrong, and the next step. `--json` writes it as it is, on one line. */
interface Explained {
  message: string
  /** Of a refusal by the server: its status, the fields that are wrong, and the id of the request. */
  status?: string
  issues?: { path: string; message: string }[]
  requestId?: string
  next?: string
}

/** Explains an error. `help` is the command that shows how the failed one is called. */
export function explain(error: unknown, help = 'precedent help'): Explained {
  if (error instanceof UsageError) return { message: error.message, next: `\`${help}\` shows how it is called.` }
  if (error instanceof Failure) return explained(error.message, error.next)
  if (error instanceof PrecedentError) return refusal(error)
  if (error instanceof ConnectionError) {
    return explained(
      `The server does not answer: ${rootOf(error).message}`,
      'Start one with `precedent serve`, or name another with --server, PRECEDENT_URL or a profile.',
    )
  }
  return explained(error instanceof Error ? error.message : String(error))
}

/** An explanation for people, line by line. */
export function linesOf({ message, status, issues = [], requestId, next }: Explained): string[] {
  return [
    ...(status === undefined ? message : `${status}: ${message}`).split('\n'),
    ...issues.map((issue) => `  ${issue.path}: ${issue.message}`),
    ...(requestId === undefined ? [] : [`  request ${requestId}`]),
    ...(next === undefined ? [] : [next]),
  ]
}

const explained = (message: string, next?: string): Explained => ({ message, ...(next !== undefined && { next }) })

function refusal(error: PrecedentError): Explained {
  const { status, message, details, requestId } = error
  const next = nextStep(error)
  return {
    message,
    status,
    ...(details?.issues && { issues: details.issues.map(({ path, message }) => ({ path, message })) }),
    ...(requestId && { requestId }),
    ...(next !== undefined && { next }),
  }
}

function nextStep({ status, retryAfter, isOfService }: PrecedentError): string | undefined {
  if (!isOfService) return NOT_OF_SERVICE
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

const NOT_OF_SERVICE =
  'Something else answered, such as a proxy: its log says why. `precedent profile show` says which address is called.'

/** The innermost cause, which names the address and what went wrong. */
export function rootOf(error: Error): Error & { code?: string } {
  let root: Error = error
  while (root.cause instanceof Error) root = root.cause
  if (root instanceof AggregateError && root.errors[0] instanceof Error) root = root.errors[0]
  return root
}
