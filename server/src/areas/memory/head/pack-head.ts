import { promisify } from 'node:util'
import { constants, deflateRaw, inflateRaw } from 'node:zlib'
import type { Form } from '../indexing/stored-form.ts'
import { BUCKETS, BucketWeights } from './hashed-words.ts'
import type { Head } from './head.ts'

/**
 * The version of the form, of the inputs, of how heads are fitted, and of the rules by which texts become stems. A head
 * of another one is fitted again.
 */
export const HEAD_FORM: Form = { form: 6, unicode: process.versions.unicode ?? '0' }

/** More than any head takes: two arrays of buckets, a vector and some numbers. */
const MAX_BYTES = 4 * 1024 * 1024

const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)

/** A head as compressed bytes (RFC 1951). `unpackHead` reads them on a machine of the same byte order. */
export async function packHead({ models, ...rest }: Head): Promise<Buffer> {
  const { weights, words, vectors } = models
  const scalars = { ...rest, model: vectors?.model ?? null }
  const json = Buffer.from(JSON.stringify(scalars))
  const length = Buffer.from(Uint32Array.of(json.length).buffer)
  const arrays = [weights.idf, words, vectors?.weights ?? new Float32Array(0)]
  return deflate(Buffer.concat([length, json, ...arrays.map(bytesOf)]), { level: constants.Z_BEST_SPEED })
}

/** The head that was packed. Throws for bytes that are not a head. */
export async function unpackHead(packed: Uint8Array): Promise<Head> {
  const bytes = await inflate(packed, { maxOutputLength: MAX_BYTES })
  const start = 4 + bytes.readUInt32LE(0)
  const { model, ...rest } = JSON.parse(bytes.toString('utf8', 4, start))
  const floats = new Float32Array(new Uint8Array(bytes.subarray(start)).buffer)
  if (floats.length < 2 * BUCKETS) throw new Error('These bytes are not a head.')
  return {
    ...rest,
    models: {
      weights: new BucketWeights(floats.slice(0, BUCKETS)),
      words: floats.slice(BUCKETS, 2 * BUCKETS),
      vectors: model === null ? null : { model, weights: floats.slice(2 * BUCKETS) },
    },
  }
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array) => Buffer.from(buffer, byteOffset, byteLength)
