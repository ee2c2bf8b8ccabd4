import type { Api, CallOptions } from '../../../client/src/index.ts'

/** The first endpoints; none while webhooks are off, in which state the service refuses to list them. */
export async function readEndpoints(api: Api, limit: number, options: CallOptions) {
  const { data: config } = await api.webhooks.getAdvancedWebhookConfig({}, options)
  if (!config.isEnabled) return []
  const { data } = await api.webhooks.getEndpoints({ limit }, options)
  return data.endpoints
}
