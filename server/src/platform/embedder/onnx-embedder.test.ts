import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { tinyOnnxModel, WORDS } from '../../../test/models/onnx-model.ts'
import type { Embedder } from './embedder.ts'
import { onnxEmbedder } from './onnx-embedder.ts'

let directory: string
let remove: () => Promise<void>
beforeEach(async () => {
  ;({ directory, remove } = await tinyOnnxModel())
})
afterEach(() => remove())

async function open(): Promise<Embedder> {
  const embedder = await onnxEmbedder(directory)
  onTestFinished(() => embedder.close())
  return embedder
}
const embed = async (...texts: string[]) => {
  const vectors = await (await open()).embed(texts, { purpose: 'background' })
  return vectors.map((vector) => Array.from(vector, (value) => Number(value.toFixed(4))))
}

test('a text is the mean of the states of its tokens, of length 1, whatever it is padded with', async () => {
  expect(
    await embed(
      'car',
      'AUTOMOBILES',
      'bread bread bread doctor doctor doctor doctor',
      'car car car car bread',
      'never heard',
      '',
    ),
  ).toEqual([
    [1, 0, 0, 0],
    [1, 0, 0, 0],
    [0, 0.6, 0.8, 0],
    [0.9701, 0.2425, 0, 0],
    [0, 0, 0, 1],
    [0, 0, 0, 0],
  ])
})

test('of a text that is too long for the model the beginning counts', async () => {
  expect(await embed(`${'car '.repeat(14)}${'bread '.repeat(1000)}`)).toEqual([[1, 0, 0, 0]])
})

test('many texts come in their order, and a search is not behind them', async () => {
  const embedder = await open()
  const done: string[] = []
  const many = Array.from({ length: 400 }, (_, i) => (i % 2 ? 'car' : 'bread'))
  const [vectors] = await Promise.all([
    embedder.embed(many, { purpose: 'background' }).finally(() => done.push('background')),
    embedder.embed(['doctor'], { purpose: 'search' }).finally(() => done.push('search')),
  ])
  expect(done).toEqual(['search', 'background'])
  expect(vectors.map((vector) => vector[0])).toEqual(many.map((text) => (text === 'car' ? 1 : 0)))
})

test('where the pooling says so, the state of the first token is the text', async () => {
  await remove()
  ;({ directory, remove } = await tinyOnnxModel({ ...WORDS, '[CLS]': [0, 0, 0, 5] }))
  await mkdir(join(directory, '1_Pooling'))
  await writeFile(join(directory, '1_Pooling', 'config.json'), JSON.stringify({ pooling_mode_cls_token: true }))
  expect(await embed('car')).toEqual([[0, 0, 0, 1]])
})

test.each([
  ['32', false],
  ['16', true],
])('weights of %s bits may lie in a file beside the model, and name it too', async (_, isHalf) => {
  await remove()
  ;({ directory, remove } = await tinyOnnxModel(WORDS, { isHalf, beside: 'model.onnx_data' }))
  expect(await embed('automobiles', 'bread bread bread doctor doctor doctor doctor')).toEqual([
    [1, 0, 0, 0],
    [0, 0.6, 0.8, 0],
  ])
  const { model } = await open()
  await remove()
  ;({ directory, remove } = await tinyOnnxModel(
    { ...WORDS, bread: [1, 1, 0, 0] },
    { isHalf, beside: 'model.onnx_data' },
  ))
  expect((await open()).model).not.toBe(model)
})

test('a model may answer numbers of 16 bits', async () => {
  await remove()
  ;({ directory, remove } = await tinyOnnxModel(WORDS, { isHalf: true }))
  expect(await embed('car car car car bread')).toEqual([[0.9701, 0.2425, 0, 0]])
})

test('a model without the file of its weights is refused at the start', async () => {
  await remove()
  ;({ directory, remove } = await tinyOnnxModel(WORDS, { beside: 'weights.bin' }))
  await rm(join(directory, 'weights.bin'))
  await expect(onnxEmbedder(directory)).rejects.toThrow(/must be a directory with weights\.bin/)
})

test('the model is named by its content', async () => {
  const { model } = await open()
  expect(model).toMatch(/^onnx:[0-9a-f]{16}$/)
  expect((await open()).model).toBe(model)
  await remove()
  ;({ directory, remove } = await tinyOnnxModel({ ...WORDS, bread: [1, 1, 0, 0] }))
  expect((await open()).model).not.toBe(model)
})

test.each([
  ['model.onnx', /must be a directory with model\.onnx/],
  ['tokenizer.json', /must be a directory with tokenizer\.json/],
])('a directory without %s is refused at the start', async (name, message) => {
  await rm(join(directory, name))
  await expect(onnxEmbedder(directory)).rejects.toThrow(message)
})

test('a file that is no model is refused at the start', async () => {
  await writeFile(join(directory, 'model.onnx'), 'no model')
  await expect(onnxEmbedder(directory)).rejects.toThrow(/EMBEDDER_MODEL has a model\.onnx that cannot be loaded/)
})

test('closed, it gives no more vectors', async () => {
  const embedder = await open()
  await embedder.close()
  await expect(embedder.embed(['car'], { purpose: 'search' })).rejects.toThrow(/closed/)
})
