import { expect, test } from 'vitest'
import { utf8Lines } from './utf8-lines.ts'

async function read(...chunks: Uint8Array[]): Promise<string[]> {
  const lines: string[] = []
  const input = async function* () {
    yield* chunks
  }
  for await (const line of utf8Lines(input())) lines.push(line)
  return lines
}

test('lines end at line feeds alone, and letters may be divided between chunks', async () => {
  const bytes = Buffer.from('\ufeffGröße\u2028neu\r\n\n日本')
  const lines = ['Größe\u2028neu\r', '', '日本']
  expect(await read(bytes)).toEqual(lines)
  expect(await read(...Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(lines)
  expect(await read()).toEqual([])
})

test.each(['latin1', 'utf16le'] as const)(
  'a text in %s is refused, not stored with other letters',
  async (encoding) => {
    await expect(read(Buffer.from('\ufeff{"a":"Größe"}\n', encoding))).rejects.toThrow('not in UTF-8')
  },
)

test('a text that breaks off in a letter is refused', async () => {
  await expect(read(Buffer.from('ä').subarray(0, 1))).rejects.toThrow('not in UTF-8')
})
