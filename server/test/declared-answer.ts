import Compile from 'typebox/compile'
import { successSchema } from '../src/platform/http/openapi.ts'
import { type NamedOperation, pathsOf } from '../src/platform/operation.ts'

const ALWAYS = ['INVALID_ARGUMENT', 'RESOURCE_EXHAUSTED', 'UNAVAILABLE', 'DEADLINE_EXCEEDED', 'ABORTED']
const OF_LEVEL = {
  apiKey: ['PERMISSION_DENIED', 'ALREADY_EXISTS'],
  workspace: ['NOT_FOUND', 'UNAUTHENTICATED', 'ALREADY_EXISTS'],
  none: [],
}

const validators = new Map<string, ReturnType<typeof Compile>>()

/**
 * Throws if a response does not match its operation's schema, or has an error status that the operation does not
 * declare.
 */
export function assertDeclared(operations: NamedOperation[], path: string, status: number, body: unknown): void {
  const operation = operations.find((candidate) => pathsOf(candidate).includes(path))
  if (!operation || typeof body !== 'object' || body === null) return
  const { declaration } = operation
  if ('error' in body) {
    const { status: error } = body.error as { status: string }
    const declared: string[] = [...ALWAYS, ...OF_LEVEL[declaration.auth], ...declaration.errors]
    if (!declared.includes(error))
      throw new Error(`${path} answered the undeclared status ${error}: ${JSON.stringify(body)}`)
    return
  }
  let validator = validators.get(path)
  if (!validator) {
    validator = Compile(successSchema(declaration))
    validators.set(path, validator)
  }
  if (!validator.Check(body)) {
    const [first] = validator.Errors(body)
    throw new Error(
      `${path} answered ${status} off its schema: ${JSON.stringify(first)} in ${JSON.stringify(body).slice(0, 2000)}`,
    )
  }
}
