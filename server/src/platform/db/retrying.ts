import { isRetryable } from './db.ts'

/** How often a transaction is attempted at most. */
const ATTEMPTS = 5

/** Attempts a transaction until it succeeds, or fails in a way that another attempt would not mend. */
export async function retrying<T>(attempt: () => Promise<T>, mayPass = isRetryable): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt()
    } catch (error) {
      if (!mayPass(error) || tries === ATTEMPTS) throw error
    }
  }
}
