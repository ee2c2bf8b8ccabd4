/** What a check has found. `mend` says what to do where something is wrong. */
export interface Finding {
  check: string
  status: 'ok' | 'warning' | 'failure'
  message: string
  mend?: string
}

/** Nothing is wrong. */
export const ok = (check: string, message: string): Finding => ({ check, status: 'ok', message })

/** Something may become a fault; the service works. */
export const warning = (check: string, message: string, mend: string): Finding => ({
  check,
  status: 'warning',
  message,
  mend,
})

/** Something keeps the service, or a part of it, from working. */
export const failure = (check: string, message: string, mend: string): Finding => ({
  check,
  status: 'failure',
  message,
  mend,
})

/** The text of an error, without what surrounds it. */
export const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
