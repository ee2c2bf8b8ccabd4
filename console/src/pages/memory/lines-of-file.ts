/** The lines of a file, read a piece at a time; `read` is how many bytes of it were read so far. */
export async function* linesOf(file: Blob): AsyncGenerator<{ text: string; line: number; read: number }> {
  const decoder = new TextDecoder(await encodingOf(file))
  const reader = file.stream().getReader()
  let rest = ''
  let line = 0
  let read = 0
  for (;;) {
    const { done, value } = await reader.read()
    read += value?.length ?? 0
    const lines = decoder.decode(value, { stream: !done }).split('\n')
    // Not searched again: a line may be as long as the file.
    lines[0] = rest + lines[0]
    rest = done ? '' : (lines.pop() ?? '')
    for (const text of lines) {
      line += 1
      yield { text, line, read }
    }
    if (done) return
  }
}

/**
 * UTF-16 by its mark, as Excel saves Unicode text. Else UTF-8 if all of the file is, or else Windows-1252, as Excel
 * saves CSV in Western Europe.
 */
async function encodingOf(file: Blob): Promise<string> {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer())
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const reader = file.stream().getReader()
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      decoder.decode(piece.value, { stream: true })
    }
    decoder.decode()
    return 'utf-8'
  } catch (error) {
    if (error instanceof TypeError) return 'windows-1252'
    throw error
  } finally {
    await reader.cancel()
  }
}
