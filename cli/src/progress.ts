/** How far a command is, shown on the terminal of the person who waits; nothing where nobody looks. */
export interface Progress {
  /** The share that is done, from 0 to 1, or an amount of which the whole is unknown. */
  show(done: number | string): void
  end(): void
}

const WIDTH = 30

/** A progress bar on standard error if that is a terminal. */
export function startProgress(what: string): Progress {
  const { stderr } = process
  if (!stderr.isTTY) return { show: () => {}, end: () => {} }
  let last = ''
  return {
    show(done) {
      const line = `${what} ${typeof done === 'string' ? done : bar(done)}`
      if (line !== last) stderr.write(`\r${line}\u001b[K`)
      last = line
    },
    end: () => {
      if (last !== '') stderr.write('\r\u001b[K')
    },
  }
}

function bar(share: number): string {
  const full = Math.round(Math.min(1, share) * WIDTH)
  return `[${'#'.repeat(full)}${' '.repeat(WIDTH - full)}] ${Math.round(Math.min(1, share) * 100)} %`
}
