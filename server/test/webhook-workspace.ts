import type { PublicPayload } from '../src/platform/event.ts'
import { newWorkspace, type Service } from './running-service.ts'
import { emitEvents } from './webhook-events.ts'

export type WebhookWorkspace = Awaited<ReturnType<typeof newWebhookWorkspace>>

/** A workspace of its own for one test, with advanced webhooks enabled. */
export async function newWebhookWorkspace(service: Service) {
  const ws = await newWorkspace(service)
  await ws.ok('/v2/workspace/advancedwebhookconfig/update', { isEnabled: true })
  return {
    ...ws,
    /** Returns the created endpoint. */
    createEndpoint: async (data: object) => (await ws.ok('/v2/workspace/advancedwebhook/endpoints/create', data)).data,
    /** Emits one event per payload. A payload gives only what the test is about. */
    emit: (type = 'comment.add', payloads?: Partial<PublicPayload>[]) => emitEvents(service, ws, type, payloads),
  }
}
