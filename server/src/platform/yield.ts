import { setImmediate } from 'node:timers/promises'

/** Lets everything else that the process has to do go first: between the parts of a long computation. */
export const yieldToEventLoop = (): Promise<void> => setImmediate()
