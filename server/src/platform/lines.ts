/**
 * The lines of a stream of text in UTF-8, each as soon as it is complete. Of the stream it holds one line and a chunk.
 */
export async function* linesOf(input: AsyncIterable<Uint8Array | string>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let begun = ''
  for await (const chunk of input) {
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
    const [first = '', ...others] = text.split('\n')
    begun += first
    for (const other of others) {
      yield begun
      begun = other
    }
  }
  if (begun !== '') yield begun
}
