import type { PublicPayload } from '../../../platform/event.ts'

/** What `endpoint.disabled` tells. */
export interface Disabled {
  endpointId: string
  url: string
  /** It returned 410, failed for too long, or was disabled by a call. */
  reason: 'gone' | 'failing' | 'manual'
  /** Since when its attempts have failed (epoch ms); null if the last one succeeded. */
  failingSince: number | null
}

/** The event `endpoint.disabled`. */
export const endpointDisabledEvent = (data: Disabled): PublicPayload =>
  operationalEvent('disabled', { organizationId: '', documentId: null }, { ...data })

/** An operational event, about deliveries or endpoints, with a payload for each kind of endpoint. */
export function operationalEvent(
  actionType: string,
  place: Pick<PublicPayload, 'organizationId' | 'documentId'>,
  data: Record<string, unknown>,
): PublicPayload {
  const basic = { actionType, notificationSource: 'webhook', platform: 'sdk', data }
  return { ...place, advanced: { actionType, source: 'webhook', platform: 'sdk', data }, basic, processed: basic }
}
