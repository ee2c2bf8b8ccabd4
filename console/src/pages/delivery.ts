import type { Api } from '../../../client/src/index.ts'

/** A delivery with what is sent and each attempt. */
export type Details = Awaited<ReturnType<Api['webhooks']['getDelivery']>>['data']

export const STATUSES = ['pending', 'succeeded', 'failed', 'cancelled'] as const

/** What the last attempt was answered with; `none`: it had no response. */
export const HTTP_CLASSES = ['2xx', '3xx', '4xx', '5xx', 'none'] as const

/** Whether an attempt was answered with success; null: it had no response. */
export const isGood = (status: number | null) => status !== null && status >= 200 && status < 300

/** The colour of each status. */
export const TONES = { pending: 'wait', succeeded: 'good', failed: 'bad', cancelled: 'plain' } as const
