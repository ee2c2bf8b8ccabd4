import { expect, test } from 'vitest'
import { harmlessText } from './stream.ts'

async function* chunksOf(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text)
}

test('what end users wrote in an export cannot steer a terminal that shows it', async () => {
  const csv = chunksOf('id,text\r\n1,"\u001b]0;title\u0007"\r\n', '2,"\u009b31m \u202e over\rwritten"\r\n')
  let shown = ''
  for await (const text of harmlessText(csv)) shown += text
  expect(shown).toBe('id,text\n1,"\\u001b]0;title\\u0007"\n2,"\\u009b31m \\u202e over\\u000dwritten"\n')
})
