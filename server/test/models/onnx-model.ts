import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The words that the tiny model knows, each with its state. The markers around a text have none. */
export const WORDS: Record<string, number[]> = {
  '[PAD]': [9, 9, 9, 9],
  '[UNK]': [0, 0, 0, 1],
  '[CLS]': [0, 0, 0, 0],
  '[SEP]': [0, 0, 0, 0],
  car: [1, 0, 0, 0],
  automobile: [1, 0, 0, 0],
  bread: [0, 1, 0, 0],
  doctor: [0, 0, 1, 0],
  '##s': [0, 0, 0, 0],
}

/** How a model stores its states: as numbers of 16 bits instead of 32, and in a file beside `model.onnx`. */
interface Storage {
  isHalf?: boolean
  beside?: string
}

/** A directory with a model that looks up the state of each word; the vector of a text is their mean. */
export async function tinyOnnxModel(
  states = WORDS,
  storage: Storage = {},
): Promise<{ directory: string; remove(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'precedent-onnx-'))
  const rows = Object.values(states)
  await writeFile(join(directory, 'model.onnx'), modelFile(rows, storage))
  if (storage.beside) await writeFile(join(directory, storage.beside), bytesOf(rows, storage))
  await writeFile(join(directory, 'tokenizer.json'), JSON.stringify(tokenizer(Object.keys(states))))
  await writeFile(join(directory, 'config.json'), JSON.stringify({ pad_token_id: 0, max_position_embeddings: 16 }))
  return { directory, remove: () => rm(directory, { recursive: true, force: true }) }
}

function tokenizer(words: string[]) {
  const special = (content: string) => ({ id: words.indexOf(content), content, special: true })
  return {
    version: '1.0',
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    added_tokens: ['[PAD]', '[UNK]', '[CLS]', '[SEP]'].map(special),
    normalizer: { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, lowercase: true },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [marker('[CLS]'), { Sequence: { id: 'A', type_id: 0 } }, marker('[SEP]')],
      pair: [],
      special_tokens: Object.fromEntries(
        ['[CLS]', '[SEP]'].map((id) => [id, { id, ids: [words.indexOf(id)], tokens: [id] }]),
      ),
    },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(words.map((word, id) => [word, id])),
    },
  }
}

const marker = (id: string) => ({ SpecialToken: { id, type_id: 0 } })

// The ONNX file format: protocol buffers, whose messages are fields of a number, a kind and a value.
type Field = [number: number, value: number | string | Uint8Array]
const TEXT = new TextEncoder()

function message(...fields: Field[]): Uint8Array {
  const parts = fields.map(([number, value]) => {
    if (typeof value === 'number') return Buffer.from([...varint(number << 3), ...varint(value)])
    const bytes = typeof value === 'string' ? TEXT.encode(value) : value
    return Buffer.concat([Buffer.from([...varint((number << 3) | 2), ...varint(bytes.length)]), bytes])
  })
  return Buffer.concat(parts)
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)]
}

const FLOAT = 1
const INT64 = 7
const FLOAT16 = 10

function bytesOf(states: number[][], { isHalf }: Storage): Uint8Array {
  const values = states.flat()
  return new Uint8Array((isHalf ? Uint16Array.from(values, halfBits) : Float32Array.from(values)).buffer)
}

/** The bits of a number that 16 bits hold exactly, 0 or of an exponent above -15. */
function halfBits(value: number): number {
  if (value === 0) return 0
  const exponent = Math.floor(Math.log2(Math.abs(value)))
  return (value < 0 ? 0x8000 : 0) | ((exponent + 15) << 10) | ((Math.abs(value) / 2 ** exponent - 1) * 1024)
}

/** A model of one operator: `Gather` selects the row of each of `input_ids`; the mask is required and passed on. */
function modelFile(states: number[][], storage: Storage): Uint8Array {
  const shape = (...sides: (string | number)[]) =>
    message(...sides.map((side): Field => [1, typeof side === 'string' ? message([2, side]) : message([1, side])]))
  const tensorType = (kind: number, ...sides: (string | number)[]) =>
    message([1, message([1, kind], [2, shape(...sides)])])
  const value = (name: string, type: Uint8Array): Uint8Array => message([1, name], [2, type])
  const kind = storage.isHalf ? FLOAT16 : FLOAT
  const weights: Field[] = storage.beside
    ? [
        [13, message([1, 'location'], [2, storage.beside])],
        [14, 1],
      ]
    : [[9, bytesOf(states, storage)]]
  const table = message([1, states.length], [1, states[0]?.length ?? 0], [2, kind], [8, 'states'], ...weights)
  const width = states[0]?.length ?? 0
  const graph = message(
    [1, message([1, 'states'], [1, 'input_ids'], [2, 'last_hidden_state'], [4, 'Gather'])],
    [1, message([1, 'attention_mask'], [2, 'mask'], [4, 'Identity'])],
    [2, 'tiny'],
    [5, table],
    [11, value('input_ids', tensorType(INT64, 'batch', 'sequence'))],
    [11, value('attention_mask', tensorType(INT64, 'batch', 'sequence'))],
    [12, value('last_hidden_state', tensorType(kind, 'batch', 'sequence', width))],
    [12, value('mask', tensorType(INT64, 'batch', 'sequence'))],
  )
  return message([1, 8], [7, graph], [8, message([1, ''], [2, 13])])
}
