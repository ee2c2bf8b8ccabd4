/** A number of things, with the word for one or for several. */
export const counted = (count: string | number, one: string, several: string): string =>
  `${count} ${String(count) === '1' ? one : several}`
