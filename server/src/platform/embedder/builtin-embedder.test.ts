import { createHash } from 'node:crypto'
import { readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryDirectory } from '../../../test/process.ts'
import { builtinEmbedder, vectorsIn } from './builtin-embedder.ts'

const FILE = new URL('../../../models/word-pieces.bin', import.meta.url)

const { embed, model } = await builtinEmbedder()
const background = { purpose: 'background' } as const

async function cosine(...texts: [string, string]): Promise<number> {
  const [a = new Float32Array(), b = new Float32Array()] = await embed(texts, background)
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0)
}

test('the file is the one that scripts/word-pieces.ts makes', async () => {
  const file = await readFile(FILE)
  const digest = createHash('sha256').update(file).digest('hex')
  expect(digest).toBe('53a600fe383c7676ca4cee3c65b3ad1e37a9f6dd883665ac1b7db7564ff0e171')
  expect(model).toBe(`builtin-1:${digest.slice(0, 12)}`)
})

test('a file that cannot be read is tried again by the next call', async () => {
  const { path, remove } = await temporaryDirectory()
  onTestFinished(remove)
  const vectors = vectorsIn(pathToFileURL(`${path}/`))
  await expect(vectors()).rejects.toMatchObject({ code: 'ENOENT' })
  await symlink(FILE, join(path, 'word-pieces.bin'))
  expect(model).toBe(`builtin-1:${(await vectors()).digest}`)
})

test('vectors have 128 dimensions and length 1, in the order of the texts', async () => {
  const texts = Array.from({ length: 300 }, (_, i) => `The invoice of customer ${i} was paid late.`)
  const vectors = await embed(texts, background)
  for (const vector of vectors) {
    expect(vector).toHaveLength(128)
    expect(Math.hypot(...vector)).toBeCloseTo(1, 5)
  }
  expect(await embed(texts.slice(200, 201), background)).toEqual(vectors.slice(200, 201))
})

test.each([
  ['vehicle', 'car', 'apple'],
  ['buy', 'purchase', 'dance'],
  ['The doctor examined the patient.', 'A physician treats people in hospital.', 'The loan carries a fixed rate.'],
  ['A recipe for chicken soup', 'Cook the meat with vegetables', 'The bridge is closed to lorries.'],
])('%s is nearer to %s than to %s', async (text, alike, other) => {
  expect(await cosine(text, alike)).toBeGreaterThan(0.2 + (await cosine(text, other)))
})

test.each([
  ['German', 'Die Rechnung wurde zweimal bezahlt, weil der Lieferant eine Mahnung geschickt hat.'],
  ['French', 'La facture a été payée deux fois parce que le fournisseur a envoyé un rappel.'],
  ['Spanish', 'La factura se pagó dos veces porque el proveedor envió un recordatorio.'],
  ['Russian', 'Счет был оплачен дважды, потому что поставщик прислал напоминание.'],
  ['Japanese', '請求書は、サプライヤーがリマインダーを送ったため、二度支払われました。'],
])('a text in %s has a vector of zeros, so it is compared by words', async (_, text) => {
  const [vector = []] = await embed([text], background)
  expect(vector.every((value) => value === 0)).toBe(true)
})

test('of a word without end only the beginning is read, so that its pieces are found in bounded time', async () => {
  const word = 'antidisestablishmentarianism'.repeat(300)
  expect(await embed([word], background)).toEqual(await embed([word.slice(0, 64)], background))
})
