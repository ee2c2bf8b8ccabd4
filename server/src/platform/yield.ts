import { setImmediate } from 'node:timers/promises'

/** Yields to the event loop: a long computation awaits it between its parts, so that other work of the process runs. */
export const yieldToEventLoop = (): Promise<void> => setImmediate()
