import { Readable } from 'node:stream'
import { ownTurn } from '../../turns/yield.ts'
import { bodyTooLarge } from '../errors/body-too-large.ts'

const PIECE_BYTES = 64 * 1024

/**
 * A chunked body in pieces of some size, whatever the size of its chunks: each of these is a buffer, which takes some
 * two hundred bytes for a single one. Fails with INVALID_ARGUMENT (413) where it is longer than `maxBytes`.
 */
export const inPieces = (body: Readable, maxBytes: number): Readable =>
  Readable.from(piecesOf(body, maxBytes), { objectMode: false })

async function* piecesOf(body: Readable, maxBytes: number): AsyncGenerator<Buffer> {
  let piece = Buffer.allocUnsafe(PIECE_BYTES)
  let [held, bytes] = [0, 0]
  // The rest of a body that is too long is still to be read, for its sender to receive the response.
  for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes) throw bodyTooLarge(maxBytes)
    if (held + chunk.length > piece.length) {
      yield piece.subarray(0, held)
      piece = Buffer.allocUnsafe(Math.max(PIECE_BYTES, chunk.length))
      held = 0
    }
    held += chunk.copy(piece, held)
    // A packet may hold ten thousand chunks. The sender waits until it is this body's turn.
    await ownTurn()
  }
  yield piece.subarray(0, held)
}
