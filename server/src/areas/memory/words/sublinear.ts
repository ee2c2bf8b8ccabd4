/** 1 + ln f for f up to 255: the weight of a stem that occurs f times. */
export const SUBLINEAR = Float64Array.from({ length: 256 }, (_, f) => (f ? 1 + Math.log(f) : 0))

/** The same for any f; constant above 255. */
export const sublinear = (frequency: number): number => SUBLINEAR[Math.min(frequency, 255)] as number
