/** Text that people wrote has few marks on a letter; Unicode's stream-safe format allows so many. */
const SURPLUS_MARKS = /(\p{M}{30})\p{M}+/gu

/**
 * A text as words are compared: NFKC, in lower case, without the marks after the first 30 on a letter. To normalize a
 * run of marks takes the square of its length.
 */
export const plainText = (text: string): string => text.replace(SURPLUS_MARKS, '$1').normalize('NFKC').toLowerCase()
