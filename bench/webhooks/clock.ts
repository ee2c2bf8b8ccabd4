/** The time in epoch milliseconds with fractions; alike in all processes of the machine. */
export const epochNow = (): number => performance.timeOrigin + performance.now()
