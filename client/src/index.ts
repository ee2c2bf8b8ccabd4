export type { Api } from './api.ts'
export type { CallOptions } from './call-options.ts'
export { type ClientOptions, createClient, PrecedentError } from './client.ts'
export { verifySignature } from './verify-signature.ts'
