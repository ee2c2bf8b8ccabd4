import { MESSAGES, SHARED_BY_MESSAGES } from '../server/src/areas/webhooks/endpoint/message-schema.ts'
import { docComment, type JsonSchema, typeOf } from './client-types.ts'

/** The source of client/src/webhook-event.ts: what an advanced webhook endpoint receives, type by type. */
export function webhookSource(): string {
  const { TestMessage, ...records } = SHARED_BY_MESSAGES
  const { event: _, test: __, data: ___, ...envelope } = TestMessage.properties
  const data = Object.entries(MESSAGES).map(
    ([type, message]) => `${docComment([message.summary], '  ')}  '${type}': ${typeOf(message.data as JsonSchema, 1)}`,
  )
  return `// Generated from the messages of advanced endpoints by \`npm run generate\`. Do not edit.
import type { EventType } from './api.ts'

${Object.entries(records).map(declarationOf).join('\n')}
/** What an event tells, by its type. */
export interface WebhookData {
${data.join('\n')}
}

interface Envelope ${typeOf({ type: 'object', properties: envelope, required: Object.keys(envelope) }, 0)}

interface Message<Type extends keyof WebhookData> extends Envelope {
  event: Type
  /** Of \`TestMessage\` alone. */
  test?: undefined
  data: WebhookData[Type]
}

${docComment([(TestMessage as JsonSchema).description], '')}export interface TestMessage extends Envelope {
  event: EventType
  test: true
  data: ${typeOf(TestMessage.properties.data as JsonSchema, 1)}
}

/** What an advanced webhook endpoint receives. \`test\` tells a test from an event, and \`event\` the type of it. */
export type WebhookEvent = { [Type in keyof WebhookData]: Message<Type> }[keyof WebhookData] | TestMessage
`
}

function declarationOf([name, schema]: [string, JsonSchema]): string {
  return `${schema.description ? docComment([schema.description], '') : ''}export type ${name} = ${typeOf(schema, 0)}\n`
}
