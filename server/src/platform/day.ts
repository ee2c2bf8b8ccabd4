/** A day in milliseconds, as times are. */
export const DAY_MS = 86_400_000
