import { parentPort } from 'node:worker_threads'
import { addTexts, bytesOfTexts, emptyTexts, partsOf, type Texts, weighTexts } from '../lexical/texts.ts'
import { buffersOf, type LastOrder, type TextAnswer, type TextOrder } from './text-protocol.ts'

/** The worker thread that makes the texts of indexes from those of chunks. It answers each order, in their order. */
const made = new Map<number, Texts>()

function follow(order: TextOrder): TextAnswer {
  const texts = made.get(order.build) ?? emptyTexts()
  if (order.do === 'add') {
    made.set(order.build, texts)
    for (const _ of addTexts(texts, order.texts));
    return { bytes: bytesOfTexts(texts) }
  }
  made.delete(order.build)
  if (order.do === 'drop') return { bytes: 0 }
  for (const _ of weighTexts(texts));
  return { bytes: 0, parts: partsOf(texts) }
}

parentPort?.on('message', (order: TextOrder | LastOrder) => {
  if (order.do === 'end') {
    parentPort?.close()
    return
  }
  const answer = follow(order)
  parentPort?.postMessage(answer, buffersOf(answer.parts))
})
