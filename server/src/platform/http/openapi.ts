import { type Auth, type NamedOperation, pathsOf, takesIdempotencyKey } from '../operation.ts'
import { type TSchema, Type } from '../schema.ts'
import { VERSION } from '../settings/version.ts'
import { withListLimit } from './validate.ts'

const SECURITY: Record<Auth, Record<string, string[]>[]> = {
  apiKey: [{ apiKey: [], authToken: [] }],
  workspace: [{ workspaceId: [], workspaceAuthToken: [] }],
  none: [],
}

const LEVEL_ERRORS: Record<Auth, string[]> = {
  apiKey: ['INVALID_ARGUMENT', 'PERMISSION_DENIED', 'RESOURCE_EXHAUSTED'],
  workspace: ['INVALID_ARGUMENT', 'NOT_FOUND', 'UNAUTHENTICATED', 'RESOURCE_EXHAUSTED'],
  none: ['INVALID_ARGUMENT', 'RESOURCE_EXHAUSTED'],
}

const header = (name: string, description: string) => ({ type: 'apiKey', in: 'header', name, description })

/** Generates the OpenAPI 3.1 document of the operations from their declarations, with the messages of webhooks. */
export function openapiDocument(operations: NamedOperation[], { areas, messages, schemas, listLimit }: Described) {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Precedent',
      version: VERSION,
      description: INTRODUCTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: Object.entries(areas).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(
      operations.flatMap((operation) => {
        const description = describe(operation, listLimit)
        return pathsOf(operation).map((path, i) => [path, { post: i === 0 ? description : twinOf(description, path) }])
      }),
    ),
    webhooks: Object.fromEntries(
      Object.entries(messages).map(([type, message]) => [type, { post: describeMessage(message) }]),
    ),
    components: {
      securitySchemes: {
        apiKey: header('x-service-api-key', 'The API key.'),
        authToken: header('x-service-auth-token', 'The auth token of the API key.'),
        workspaceId: header('x-service-workspace-id', 'The workspace id.'),
        workspaceAuthToken: header('x-service-workspace-auth-token', 'The auth token of the workspace.'),
      },
      schemas: { Failure, ...schemas },
    },
  }
}

interface Described {
  /** What the operations of each area are about, in the order of the document. */
  areas: Readonly<Record<string, string>>
  /** What is sent to advanced webhook endpoints, by event type. */
  messages: Readonly<Record<string, { summary: string; body: TSchema }>>
  /** What messages refer to. */
  schemas: Readonly<Record<string, TSchema>>
  listLimit: number
}

const INTRODUCTION = `Collaboration backend: comments, reviews, approvals, webhooks and a decision memory.

**Calls.** Each operation is a POST of JSON: \`{"data": {…}}\`. A success is \`{"result": {…}}\`, which holds \`status\`,
\`message\` and \`data\`; the decision memory answers \`result\` alone. A failure is \`{"error": {…}}\` with a status, a message
that names the field and the rule, and the HTTP status as \`code\`. It has changed nothing.

**Credentials.** An API key and its auth token (\`x-service-api-key\`, \`x-service-auth-token\`), or those of the workspace
(\`x-service-workspace-id\`, \`x-service-workspace-auth-token\`). Each operation says which. The first start prints
those of a demo workspace.

**Examples.** The examples work on the demo workspace of a first start: enter its credentials and send one. What changes,
deletes or extends a thing works after the example that adds the thing; the answer names what is missing. Ids that only
your server gives, such as \`endpointId\`, are to be replaced.

**Repeating.** A write with an \`Idempotency-Key\` is done once, however often it is sent. After UNAVAILABLE, ABORTED and
RESOURCE_EXHAUSTED a call can be sent again; \`Retry-After\` may say when.

**Lists.** What has pages takes \`pageSize\` and \`pageToken\`. The next token is \`nextPageToken\` or \`pageToken\` of the result; null
on the last page.`

const Failure = Type.Object({
  error: Type.Object({
    status: Type.String({ description: 'Error status, for example INVALID_ARGUMENT.' }),
    message: Type.String(),
    code: Type.Integer({ description: 'The HTTP status.' }),
    details: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  }),
})

function describe({ name, area, declaration }: NamedOperation, listLimit: number) {
  const { summary, description, input, example, auth, successStatus = 200 } = declaration
  const statuses = [...new Set([...LEVEL_ERRORS[auth], ...declaration.errors])]
  return {
    operationId: name,
    tags: [area],
    summary,
    description: [description, `Error statuses: ${statuses.join(', ')}.`].filter(Boolean).join('\n\n'),
    security: SECURITY[auth],
    ...(takesIdempotencyKey(declaration) && { parameters: [IDEMPOTENCY_KEY] }),
    requestBody: {
      required: requiresBody(declaration),
      content: {
        'application/json': {
          schema: Type.Object({ data: withListLimit(input, listLimit) }),
          ...(example && { examples: { typical: { summary: 'On the demo workspace', value: { data: example } } } }),
        },
      },
    },
    responses: {
      [successStatus]: {
        description: 'Success.',
        content: successContent(declaration),
      },
      default: {
        description: 'Failure.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
      },
    },
  }
}

const describeMessage = ({ summary, body }: Described['messages'][string]) => ({
  tags: ['webhooks'],
  summary,
  parameters: MESSAGE_HEADERS,
  requestBody: { required: true, content: { 'application/json': { schema: body } } },
  responses: {
    '2XX': { description: 'Received. Any other answer is a failure, and is tried again.' },
  },
})

const MESSAGE_HEADERS = [
  ['webhook-id', 'The same for every retry and resend of the event to the endpoint. Ignore an id that you have seen.'],
  ['webhook-timestamp', 'Unix seconds of the attempt.'],
  ['webhook-signature', 'Signatures by [Standard Webhooks](https://www.standardwebhooks.com), separated by spaces.'],
].map(([name, description]) => ({ name, in: 'header', required: true, schema: { type: 'string' }, description }))

const twinOf = <D extends { operationId: string }>(description: D, path: string) => ({
  ...description,
  operationId: `${description.operationId}${path.startsWith('/v1/') ? 'V1' : 'Legacy'}`,
  deprecated: true,
})

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', maxLength: 255 },
  description: 'The same key with the same body within 24 hours replays the first answer.',
}

const requiresBody = ({ input, requiresData }: NamedOperation['declaration']) =>
  requiresData === true || ((input as { required?: string[] }).required ?? []).length > 0

function successContent(declaration: NamedOperation['declaration']) {
  const schema = successSchema(declaration)
  const { stream = ['application/json'] } = declaration
  return Object.fromEntries(stream.map((mediaType) => [mediaType, { schema }]))
}

/** The schema of a whole success body of the operation. */
export function successSchema({ bare, output, page, stream }: NamedOperation['declaration']): TSchema {
  if (stream) return Type.String({ description: 'Streamed line by line.' })
  if (bare) return Type.Object({ result: output ?? Type.Unknown() })
  return Type.Object({
    result: Type.Object({
      status: Type.Literal('success'),
      message: Type.String(),
      ...(output && { data: output }),
      ...(page && { [page]: Type.Union([Type.String(), Type.Null()]) }),
    }),
  })
}
