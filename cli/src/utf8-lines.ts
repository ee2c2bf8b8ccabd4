import { Failure } from './failure.ts'

/**
 * The lines of a text in UTF-8. Only line feeds end one: a JSON text may hold other separators. Fails if the text is in
 * another encoding, whose letters would be lost.
 */
export async function* utf8Lines(input: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let begun = ''
  for await (const chunk of input) {
    const lines = decoded(decoder, chunk).split('\n')
    // Not searched again: a line may be as long as the file.
    lines[0] = begun + lines[0]
    begun = lines.pop() ?? ''
    yield* lines
  }
  begun += decoded(decoder)
  if (begun !== '') yield begun
}

function decoded(decoder: InstanceType<typeof TextDecoder>, chunk?: Uint8Array): string {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined })
  } catch {
    throw new Failure(
      'The file is not in UTF-8.',
      'Save it in UTF-8 and import it again: what was imported is overwritten.',
    )
  }
}
