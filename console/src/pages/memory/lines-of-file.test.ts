import { expect, test } from 'vitest'
import { linesOf } from './lines-of-file.ts'

async function read(...parts: (string | Uint8Array<ArrayBuffer>)[]): Promise<string[]> {
  const lines: string[] = []
  for await (const { text } of linesOf(new Blob(parts))) lines.push(text)
  return lines
}

const utf16 = (text: string) => new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'))

test.each([
  ['UTF-8', () => ['Größe\nÄrger é']],
  ['UTF-8 with a mark', () => ['\ufeffGröße\nÄrger é']],
  ['UTF-16', () => [utf16('Größe\nÄrger é')]],
  ['UTF-16, big-endian', () => [new Uint8Array(Buffer.from(utf16('Größe\nÄrger é')).swap16())]],
  ['Windows-1252', () => [new Uint8Array(Buffer.from('Größe\nÄrger é', 'latin1'))]],
])('lines in %s are read as they were written', async (_, parts) => {
  expect(await read(...parts())).toEqual(['Größe', 'Ärger é'])
})

test('a letter that begins in one piece of a long file and ends in the next is read', async () => {
  const text = `x${'ä'.repeat(200_000)}`
  expect(await read(text)).toEqual([text])
})

test('one wrong byte at the end tells the encoding of a long file', async () => {
  const bytes = new Uint8Array(200_000).fill(0x61)
  bytes[199_999] = 0xe4
  expect((await read(bytes))[0]?.endsWith('aä')).toBe(true)
})
