import type { CallerRequest } from '../../../platform/operation.ts'

/**
 * The URL of an endpoint as a caller may see it. The path and query of a webhook often hold a secret, as those of chat
 * services do: who sees no secrets gets `https://host/…`.
 */
export const shownUrl = ({ hidesSecrets }: CallerRequest, url: string): string =>
  hidesSecrets ? `${new URL(url).origin}/…` : url
