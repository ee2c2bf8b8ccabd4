/** Up to three names that contain the given one, or are a few letters from it. */
export function nearest(given: string, names: string[]): string[] {
  const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  return names
    .map((name) => ({
      name,
      far: plain(name).includes(plain(given)) ? 0 : distance(plain(name), plain(given)),
    }))
    .filter(({ far }) => far <= 3)
    .sort((a, b) => a.far - b.far)
    .slice(0, 3)
    .map(({ name }) => name)
}

/** How many letters must be added, left out or replaced to make one of the other. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
