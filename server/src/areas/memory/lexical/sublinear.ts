/** 1 + ln f, by f up to 255: how much a stem weighs that occurs f times. */
export const SUBLINEAR = Float64Array.from({ length: 256 }, (_, f) => (f ? 1 + Math.log(f) : 0))

/** The same for any f; it grows no more beyond 255. */
export const sublinear = (frequency: number): number => SUBLINEAR[Math.min(frequency, 255)] as number
