import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Tokenizer } from '@huggingface/tokenizers'
import type { Tensor } from 'onnxruntime-web'
import { fromHalfFloats } from './half-floats.ts'
import { externalDataFiles } from './onnx-external-data.ts'
import { loadPackage, loadSession } from './onnx-runtime.ts'
import { unitVector } from './unit-vector.ts'

/** A sentence embedding model in the memory of this thread. */
export interface OnnxModel {
  /** Derived from its content, so that a replaced model has another name. */
  name: string
  /** Returns one vector of length 1 per text. */
  embed(texts: string[]): Promise<Float32Array[]>
}

/** More than most models take; their configuration may set less. */
const MOST_TOKENS = 512

/**
 * Loads `model.onnx` and `tokenizer.json` of a directory in Hugging Face's layout. Weights may lie in files beside
 * `model.onnx`. `config.json`, `tokenizer_config.json` and `1_Pooling/config.json` are optional. The vector is the mean
 * of the token states, unless the last of these files says that the first token's state stands for the sentence.
 */
export async function loadOnnxModel(directory: string): Promise<OnnxModel> {
  const { Tokenizer } = await loadPackage(() => import('@huggingface/tokenizers'))
  const bytes = await required(directory, 'model.onnx')
  const tokenizerText = (await required(directory, 'tokenizer.json')).toString('utf8')
  const settings = await readSettings(directory)
  const hash = createHash('sha256').update(bytes)
  const external = externalDataFiles(bytes)
  for (const name of external) await hashFile(hash, directory, name)
  const { session, Tensor } = await loadSession(directory, external)
  const tokenizer = new Tokenizer(JSON.parse(tokenizerText), settings.tokenizer)
  const digest = hash.update(tokenizerText).update(JSON.stringify(settings)).digest('hex')
  const unknown = session.inputNames.filter((name) => !INPUTS.includes(name))
  if (unknown.length > 0)
    throw new Error(`The model asks for the inputs ${unknown.join(', ')}, which texts do not have.`)

  async function embed(texts: string[]): Promise<Float32Array[]> {
    const tokens = texts.map((text) => tokenize(tokenizer, text, settings.tokens))
    const length = Math.max(1, ...tokens.map(({ ids }) => ids.length))
    const padded = (values: (entry: Tokens) => number[], filler: number) => {
      const data = new BigInt64Array(texts.length * length).fill(BigInt(filler))
      for (const [row, entry] of tokens.entries()) {
        for (const [i, value] of values(entry).entries()) data[row * length + i] = BigInt(value)
      }
      return new Tensor('int64', data, [texts.length, length])
    }
    const inputs: Record<string, Tensor> = {
      input_ids: padded(({ ids }) => ids, settings.padding),
      attention_mask: padded(({ ids }) => ids.map(() => 1), 0),
      token_type_ids: padded(({ types }) => types, 0),
    }
    const outputs = await session.run(
      Object.fromEntries(session.inputNames.map((name) => [name, inputs[name] as Tensor])),
    )
    const output = outputs.sentence_embedding ?? outputs[session.outputNames[0] ?? '']
    const states = statesOf(output)
    return tokens.map(({ ids }, row) => unitVector(sentenceVector(states, row, settings.isFirstToken ? 1 : ids.length)))
  }

  await embed(['A text to see that it works.'])
  return { name: `onnx:${digest.slice(0, 16)}`, embed }
}

const INPUTS = ['input_ids', 'attention_mask', 'token_type_ids']

interface Tokens {
  ids: number[]
  types: number[]
}

/** The tokens of a text. A text that is too long keeps its first tokens and its last, which marks the end. */
function tokenize(tokenizer: Tokenizer, text: string, most: number): Tokens {
  const { ids, token_type_ids: types = ids.map(() => 0) } = tokenizer.encode(text, { return_token_type_ids: true })
  const cut = (values: number[]) =>
    values.length <= most ? values : [...values.slice(0, most - 1), ...values.slice(-1)]
  return { ids: cut(ids), types: cut(types) }
}

interface States {
  values: Float32Array
  dims: readonly number[]
}

/** What the model answers, in numbers of 32 bits. */
function statesOf(output: Tensor | undefined): States {
  const { type, dims = [], data } = output ?? {}
  if (type === 'float16') return { dims, values: halfFloats(data) }
  if (type !== 'float32') throw new Error('The model answers no vectors of 16-bit or 32-bit numbers.')
  return { dims, values: data as Float32Array }
}

/** As bits, or as numbers where this version of Node has arrays of such numbers. */
const halfFloats = (data: unknown): Float32Array =>
  data instanceof Uint16Array ? fromHalfFloats(data) : Float32Array.from(data as ArrayLike<number>)

/** The vector of one text: the mean of the states of its first `count` tokens, or the model's own output. */
function sentenceVector({ values, dims }: States, row: number, count: number): Float32Array {
  const size = dims.at(-1) ?? 0
  if (dims.length === 2) return values.slice(row * size, (row + 1) * size)
  if (dims.length !== 3) throw new Error(`The model answers ${dims.length} dimensions instead of 2 or 3.`)
  const start = row * (dims[1] ?? 0) * size
  const mean = new Float32Array(size)
  for (let token = 0; token < count; token++) {
    for (let i = 0; i < size; i++) mean[i] = (mean[i] as number) + (values[start + token * size + i] as number) / count
  }
  return mean
}

/** Reads a file with weights piece by piece, as it may be large. */
async function hashFile(hash: Hash, directory: string, name: string): Promise<void> {
  try {
    for await (const chunk of createReadStream(join(directory, name))) hash.update(chunk)
  } catch (error) {
    throw missing(name, error)
  }
}

const missing = (name: string, cause: unknown) =>
  new Error(`EMBEDDER_MODEL must be a directory with ${name}.`, { cause })

async function required(directory: string, name: string): Promise<Buffer> {
  try {
    return await readFile(join(directory, name))
  } catch (error) {
    throw missing(name, error)
  }
}

async function optional(directory: string, name: string): Promise<Record<string, unknown>> {
  const text = await readFile(join(directory, name), 'utf8').catch(() => '{}')
  return Object(JSON.parse(text))
}

async function readSettings(directory: string) {
  const [config, tokenizer, pooling] = await Promise.all([
    optional(directory, 'config.json'),
    optional(directory, 'tokenizer_config.json'),
    optional(directory, join('1_Pooling', 'config.json')),
  ])
  const limits = [tokenizer.model_max_length, config.max_position_embeddings, MOST_TOKENS]
  return {
    tokenizer,
    tokens: Math.min(...limits.filter((limit) => typeof limit === 'number')),
    padding: typeof config.pad_token_id === 'number' ? config.pad_token_id : 0,
    isFirstToken: pooling.pooling_mode_cls_token === true,
  }
}
