import { createOutbound, type OutboundResponse } from './outbound.ts'

/** A service of the operator with an API like OpenAI's. */
export interface ModelService {
  /** Sends a body as JSON. Throws `OutboundError` if there is no complete response in time. */
  post(body: object, asked: { apiKey: string | undefined; timeoutMs: number }): Promise<OutboundResponse>
  /** Aborts the requests that are in flight. */
  close(): Promise<void>
}

/**
 * The service that answers at a path below a base address. The response body is cut at `maxResponseBytes`. The operator
 * configures the address, so it may be internal.
 */
export function createModelService(baseUrl: string, path: string, maxResponseBytes: number): ModelService {
  const outbound = createOutbound({ allow: ['0.0.0.0/0', '::/0'] })
  const url = `${baseUrl.replace(/\/+$/, '')}${path}`
  return {
    post: (body, { apiKey, timeoutMs }) =>
      outbound.request({
        url,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': 'Precedent',
          ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
        },
        body: JSON.stringify(body),
        timeoutMs,
        maxResponseBytes,
      }),
    close: () => outbound.close(),
  }
}
