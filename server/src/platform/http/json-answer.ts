import type { Stream } from '../operation.ts'
import { yieldToEventLoop } from '../yield.ts'

/** The content type of every response in JSON. */
export const JSON_TYPE = 'application/json; charset=utf-8'

/** Lists with fewer items are written as a whole: a page of small records costs no more than one call. */
const FEW_ITEMS = 50
/** Text beyond this many characters is written in pieces as the reader takes it. */
const PIECE = 256 * 1024

/** An answer as JSON text, or as a stream of pieces where it is large. */
export type JsonAnswer = string | (Stream & { estimatedBytes: number })

/**
 * Writes `{"result": {…fields, data, …more}}` (RFC 8259). A large list is written item by item, with turns of the event
 * loop between the pieces, so that no response holds the process for long.
 */
export function jsonAnswer(result: Record<string, unknown>): JsonAnswer {
  const list = Object.entries(result).find(([, value]) => Array.isArray(value) && value.length >= FEW_ITEMS)
  if (!list) return JSON.stringify({ result })
  const [name, items] = list as [string, unknown[]]
  const head = JSON.stringify({ result: { ...result, [name]: [] } })
  // The list is the first `[]` after its name: what stands before it is text of this service.
  const at = head.indexOf(`${JSON.stringify(name)}:[]`) + JSON.stringify(name).length + 2
  const [before, after] = [head.slice(0, at), head.slice(at)]
  const pieces = piecesOf(items)
  const first = pieces.next()
  if (first.done || first.value.isLast) return before + (first.value?.text ?? '') + after
  return {
    contentType: JSON_TYPE,
    estimatedBytes: Math.round((first.value.text.length * items.length) / first.value.count),
    chunks: (async function* () {
      yield before + first.value.text
      for (const { text } of pieces) {
        await yieldToEventLoop()
        yield text
      }
      yield after
    })(),
  }
}

interface Piece {
  text: string
  /** How many items it holds. */
  count: number
  isLast: boolean
}

/** The items as JSON, separated by commas, in pieces of about the same length. */
function* piecesOf(items: unknown[]): Generator<Piece> {
  for (let i = 0; i < items.length; ) {
    let text = ''
    const start = i
    for (; i < items.length && text.length < PIECE; i++) {
      text += `${i > 0 ? ',' : ''}${JSON.stringify(items[i]) ?? 'null'}`
    }
    yield { text, count: i - start, isLast: i === items.length }
  }
}
