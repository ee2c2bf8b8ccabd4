import type { Api } from '../../../client/src/index.ts'

/** A delivery as lists hold it. */
export type Delivery = Awaited<ReturnType<Api['webhooks']['listDeliveries']>>['data'][number]

export const STATUSES = ['pending', 'succeeded', 'failed', 'cancelled'] as const

/** The colour of each status. */
export const TONES = { pending: 'wait', succeeded: 'good', failed: 'bad', cancelled: 'plain' } as const
